import { useEffect } from "react";
import { useNavigation, useRevalidator } from "react-router";

/** With JavaScript: asks the server again `left` seconds from now, unless a form is on its way. Without it, a refresh meta tag does. */
export function useReloadAt(left: number) {
  const { revalidate } = useRevalidator();
  const busy = useNavigation().state !== "idle";
  useEffect(() => {
    if (busy || left <= 0) return;
    const timer = setTimeout(() => void revalidate(), left * 1000 + 500);
    return () => clearTimeout(timer);
  }, [left, busy, revalidate]);
}
