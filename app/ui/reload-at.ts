import { useEffect } from "react";
import { useNavigation, useRevalidator } from "react-router";

/**
 * With JavaScript: asks the server again `left` seconds from now, unless a form is on its way. Without it, a refresh meta tag does.
 * `answer`: with it each new answer starts the clock anew, also one that leaves as many seconds.
 */
export function useReloadAt(left: number, answer?: unknown) {
  const { revalidate } = useRevalidator();
  const busy = useNavigation().state !== "idle";
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer starts the clock anew
  useEffect(() => {
    if (busy || left <= 0) return;
    const timer = setTimeout(() => void revalidate(), left * 1000 + 300);
    return () => clearTimeout(timer);
  }, [left, answer, busy, revalidate]);
}
