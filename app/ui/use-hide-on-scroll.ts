import { useEffect } from "react";

/** Pixels below which a movement is no scrolling. */
const JITTER = 8;

/** Hides a floating element while the user scrolls down, so that it covers nothing. Scrolling up and the end of the page show it. */
export function useHideOnScroll(id: string) {
  useEffect(() => {
    let last = window.scrollY;
    const onScroll = () => {
      const element = document.getElementById(id);
      const now = window.scrollY;
      if (!element || Math.abs(now - last) < JITTER) return;
      const isEnd = now + window.innerHeight >= document.documentElement.scrollHeight - JITTER;
      const hidden = now > last && !isEnd && document.activeElement !== element;
      element.style.visibility = hidden ? "hidden" : "";
      last = now;
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, [id]);
}
