import { useEffect } from "react";
import { useNavigation } from "react-router";
import { useQuietReload } from "./quiet-reload.ts";

/**
 * Reloads the page's data after `left` seconds, unless a form is being sent. Without JavaScript a refresh meta tag does.
 * `answer`: each new value restarts the timer, also with the same seconds.
 */
export function useReloadAt(left: number, answer?: unknown) {
  const reload = useQuietReload();
  const busy = useNavigation().state !== "idle";
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer restarts the timer
  useEffect(() => {
    if (busy || left <= 0) return;
    const timer = setTimeout(() => void reload(), left * 1000 + 300);
    return () => clearTimeout(timer);
  }, [left, answer, busy, reload]);
}
