import { useEffect } from "react";

/** Pixels below which a movement is no scrolling. */
const JITTER = 8;
const CONTROLS = "a, button, input, select, summary";
/** Pixels between the positions of a floating element, and the most that it moves up. */
const STEP = 32;
const MOST_LIFT = 96;

/**
 * Hides a floating element while the user scrolls down; scrolling up and the end of the page show it. Moves it to the left of a link that it would
 * cover, or above it, and hides it where the right half of the screen has no room: the page leaves room at its end. Never hides it from the keyboard.
 */
export function useHideOnScroll(id: string) {
  useEffect(() => {
    let last = window.scrollY;
    const show = (element: HTMLElement) => {
      const place = freePlace(element);
      element.style.visibility = place === null && document.activeElement !== element ? "hidden" : "";
      element.style.translate = place && (place.shift || place.lift) ? `${-place.shift}px ${-place.lift}px` : "";
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

/** Returns by how many pixels the element must move left and up to cover no link, button or field; null: there is no such place. */
function freePlace(element: HTMLElement): { shift: number; lift: number } | null {
  const style = getComputedStyle(element);
  if (style.position === "static") return { shift: 0, lift: 0 };
  const { clientWidth, clientHeight } = document.documentElement;
  const { width, height } = element.getBoundingClientRect();
  const right = clientWidth - Number.parseFloat(style.right);
  const bottom = clientHeight - Number.parseFloat(style.bottom);
  // The boxes of a link are those of its words, also where it opens by a press anywhere on its card.
  const boxes = [...document.querySelectorAll(`main :is(${CONTROLS})`)]
    .filter((other) => other !== element)
    .flatMap((other) => [...other.getClientRects()])
    .filter((box) => box.bottom > bottom - height - MOST_LIFT && box.top < bottom);
  for (let lift = 0; lift <= MOST_LIFT; lift += STEP)
    for (let shift = 0; right - width - shift >= clientWidth / 2; shift += STEP) {
      const [x, y] = [right - shift, bottom - lift];
      if (!boxes.some((box) => box.right > x - width && box.left < x && box.bottom > y - height && box.top < y)) return { shift, lift };
    }
  return null;
}
