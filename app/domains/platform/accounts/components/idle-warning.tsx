import { useEffect, useState } from "react";
import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";

/** Seconds before the end at which the page warns. */
const WARN = 120;
/** Seconds before the end at which it warns again. */
const SOON = 60;
/** How often the page asks the server during the warning, because another tab may be in use. */
const RECHECK_MS = 15_000;
/** Browsers fire timers of more than 24 days immediately. */
const LONGEST_MS = 3_600_000;

/** Returns the seconds left; with POST the user stays logged in. Null when the server is unreachable. */
async function secondsLeft(method: "GET" | "POST"): Promise<number | null> {
  try {
    const answer = await fetch(href("/account/session"), { method, redirect: "manual", headers: { accept: "application/json" } });
    return answer.ok ? ((await answer.json()) as { left: number }).left : null;
  } catch {
    return null;
  }
}

/**
 * Warns two minutes before an idle session ends and offers to stay logged in. Preserves the form on the page. Without JavaScript
 * a note shows a limit of an hour or less. `left`: seconds at the time of the response.
 */
export function IdleWarning({ left, minutes }: { left: number; minutes: number }) {
  const [state, setState] = useState<"quiet" | "warn" | "soon" | "over">("quiet");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), Math.min(ms, LONGEST_MS));
    };
    const look = async () => {
      const now = await secondsLeft("GET");
      if (isGone) return;
      if (now !== null) setState(now <= 0 ? "over" : now <= SOON ? "soon" : now <= WARN ? "warn" : "quiet");
      if (now === null || now > 0) wait(now !== null && now > WARN ? (now - WARN) * 1000 + 500 : RECHECK_MS);
    };
    // Timers do not run while a device sleeps.
    const onShow = () => document.visibilityState === "visible" && wait(0);
    setState("quiet");
    wait(Math.max(0, left - WARN) * 1000 + 500);
    document.addEventListener("visibilitychange", onShow);
    return () => {
      isGone = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onShow);
    };
  }, [left]);
  const stay = async () => {
    const now = await secondsLeft("POST");
    if (now !== null) setState(now <= 0 ? "over" : "quiet");
  };
  return (
    <>
      {minutes <= 60 && (
        <noscript>
          <p className="text-sm text-ink-soft pt-0 pb-24 px-4 text-center">{m.accounts_idle_limit({ minutes: String(minutes) })}</p>
        </noscript>
      )}
      <div
        className="fixed bottom-22 left-1/2 z-8 w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 desktop:bottom-6 print:hidden"
        aria-live="assertive"
      >
        {state !== "quiet" && (
          <Note tone="warn" icon="clock" className="shadow-float">
            <p>{state === "over" ? m.accounts_idle_over() : state === "soon" ? m.accounts_idle_soon() : m.accounts_idle_warning()}</p>
            {state !== "over" && (
              <Button size="sm" className="mt-2" onClick={() => void stay()}>
                {m.accounts_idle_stay()}
              </Button>
            )}
          </Note>
        )}
      </div>
    </>
  );
}
