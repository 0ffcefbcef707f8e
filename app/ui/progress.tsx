/**
 * Feedback while the next page loads. Its styles are set in the browser: they cost the first view nothing and move nothing.
 * Pages have no view transitions: React Router would render them in one piece, so that the next press waits, and Chromium reports an
 * error for each whole page that is slow or has not opted in.
 */
import { type CSSProperties, useEffect } from "react";
import { useNavigation } from "react-router";

/** Milliseconds until the line appears: faster navigations show nothing. */
const LINE_AFTER = 100;
/** Milliseconds until the old page fades and is marked as busy. */
const BUSY_AFTER = 300;

const LINE: CSSProperties = {
  position: "fixed",
  inset: "0 0 auto",
  height: "3px",
  zIndex: 9,
  background: "var(--color-haldi)",
  transformOrigin: "0 0",
  pointerEvents: "none",
};
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A thin line at the top of the screen, for links and forms. Used once, in the root page. */
export function Progress() {
  const { state } = useNavigation();
  useEffect(() => {
    if (state !== "loading") return;
    const main = document.getElementById("main");
    const timer = setTimeout(() => {
      main?.setAttribute("aria-busy", "true");
      if (main) main.style.opacity = "0.6";
    }, BUSY_AFTER);
    return () => {
      clearTimeout(timer);
      main?.removeAttribute("aria-busy");
      if (main) main.style.opacity = "";
    };
  }, [state]);
  return state === "idle" ? null : <div ref={grow} id="progress" style={LINE} aria-hidden="true" />;
}

function grow(line: HTMLDivElement | null) {
  if (!line) return;
  // Hidden during the delay.
  line.animate({ opacity: [0, 0] }, LINE_AFTER);
  if (!isStill())
    line.animate(
      { transform: ["scaleX(0)", "scaleX(0.5)", "scaleX(0.8)", "scaleX(0.95)"] },
      { delay: LINE_AFTER, duration: 10_000, fill: "both", easing: "ease-out" },
    );
}
