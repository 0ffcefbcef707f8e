import { useEffect, useRef } from "react";
import { useHydrated } from "./use-hydrated.ts";

/** Shows the top of a page after each client-side navigation to it, also one that preserves the scroll position, and after Back. */
export function useOpenAtTop(): void {
  // A document that loads is at its top already, or where its user has scrolled meanwhile. After Back the browser has scrolled it.
  const arrived = useRef(useHydrated());
  useEffect(() => {
    const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (arrived.current || load?.type === "back_forward") window.scrollTo(0, 0);
  }, []);
}
