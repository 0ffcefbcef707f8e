import { useEffect, useState } from "react";
import { m } from "#app/paraglide/messages.js";

/** Seconds before the end at which a countdown speaks, beside each whole minute: every second would leave no time for anything else. */
const MILESTONES = [30, 10];

/** Returns what a screen reader says with `left` seconds to go; null: nothing. */
export function spokenTime(left: number): string | null {
  if (left > 0 && left % 60 === 0) return m.ui_minutes_left({ count: left / 60 });
  return MILESTONES.includes(left) ? m.ui_seconds_left({ count: left }) : null;
}

/** Returns the text of the live region of a countdown that began with `left` seconds. `over`: what it says at its end. */
export function useSpokenTime(left: number, over: string): string {
  const [spoken, speak] = useState("");
  useEffect(() => {
    const end = Date.now() + left * 1000;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = (from: number) => {
      let at = from - 1;
      while (at > 0 && spokenTime(at) === null) at--;
      if (at >= 0) timer = setTimeout(say, Math.max(0, end - at * 1000 - Date.now()), at);
    };
    const say = (at: number) => {
      // Timers are late on a page that was in the background.
      const now = Math.min(at, Math.ceil((end - Date.now()) / 1000));
      if (now <= 0) return speak(over);
      if (now === at) speak(spokenTime(at) ?? "");
      next(now);
    };
    speak("");
    if (left > 0) next(Math.ceil(left));
    return () => clearTimeout(timer);
  }, [left, over]);
  return spoken;
}
