import { useEffect } from "react";

/** Pixels below which a movement is no scrolling. */
const JITTER = 8;
const CONTROLS = "a, button, input, select, summary";
/** Pixels between the positions of a floating element. */
const STEP = 32;

/**
 * Hides a floating element while the user scrolls down; scrolling up and the end of the page show it. Moves it to the left of a link that it would
 * cover, and hides it where the right half of the screen has no room: the page leaves room at its end. Never hides it from the keyboard.
 */
export function useHideOnScroll(id: string) {
  useEffect(() => {
    let last = window.scrollY;
    const show = (element: HTMLElement) => {
      const shift = freeShift(element);
      element.style.visibility = shift === null && document.activeElement !== element ? "hidden" : "";
      element.style.translate = shift ? `${-shift}px` : "";
    };
    const onScroll = () => {
      const element = document.getElementById(id);
      const now = window.scrollY;
      if (!element || Math.abs(now - last) < JITTER) return;
      const isEnd = now + window.innerHeight >= document.documentElement.scrollHeight - JITTER;
      if (now > last && !isEnd && !document.querySelector(`main :is(${CONTROLS}):focus-visible`)) element.style.visibility = "hidden";
      else show(element);
      last = now;
    };
    const place = () => {
      const element = document.getElementById(id);
      if (element) show(element);
    };
    place();
    // Also when "Load more" has made the page longer.
    const observer = new ResizeObserver(place);
    observer.observe(document.documentElement);
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", place);
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", place);
    };
  }, [id]);
}

/** Returns by how many pixels the element must move left to cover no link, button or field; null: there is no such place. */
function freeShift(element: HTMLElement): number | null {
  const { top, bottom, width } = element.getBoundingClientRect();
  const right = document.documentElement.clientWidth - Number.parseFloat(getComputedStyle(element).right);
  // The boxes of a link are those of its words, also where it opens by a press anywhere on its card.
  const boxes = [...document.querySelectorAll(`main :is(${CONTROLS})`)]
    .filter((other) => other !== element)
    .flatMap((other) => [...other.getClientRects()])
    .filter((box) => box.bottom > top && box.top < bottom);
  for (let shift = 0; right - width - shift >= window.innerWidth / 2; shift += STEP)
    if (!boxes.some((box) => box.right > right - width - shift && box.left < right - shift)) return shift;
  return null;
}
