import { useEffect } from "react";

/**
 * Loads a page again that the browser shows from its memory, as Back does after a logout, and hides it until then: it may be of a user who has
 * logged out.
 */
export function useFreshAfterBack(isPrivate: boolean): void {
  useEffect(() => {
    if (!isPrivate) return;
    const hide = ({ persisted }: PageTransitionEvent) => {
      if (persisted) document.body.hidden = true;
    };
    const load = ({ persisted }: PageTransitionEvent) => {
      if (persisted) location.reload();
    };
    addEventListener("pagehide", hide);
    addEventListener("pageshow", load);
    return () => {
      removeEventListener("pagehide", hide);
      removeEventListener("pageshow", load);
    };
  }, [isPrivate]);
}
