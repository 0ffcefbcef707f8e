import { seconds } from "#app/lib/durations.ts";

/** Failures in a row before a service is left alone, and for how long. */
export const FAILURES = 3;
export const REST = seconds(30);
/** Calls under way at once: a silent service holds so many and no more. */
export const MAX_UNDER_WAY = 20;

export type Outcome = "answered" | "failed" | "unknown";
/** `done` is called once, whatever came of it. */
export type Pass = { done(outcome: Outcome): void };

/**
 * Keeps a service that is silent from holding everybody who asks. `enter` gives null while it is left alone; after the rest
 * one call tries it, and the others follow when that one was answered.
 */
export function breaker({ now }: { now: () => number }): { enter(): Pass | null } {
  let failures = 0;
  let closedUntil = 0;
  let trying = false;
  let underWay = 0;
  return {
    enter() {
      const resting = failures >= FAILURES;
      if (underWay >= MAX_UNDER_WAY || (resting && (trying || now() < closedUntil))) return null;
      underWay++;
      if (resting) trying = true;
      return {
        done(outcome) {
          underWay--;
          if (resting) trying = false;
          if (outcome === "answered") failures = 0;
          if (outcome === "failed") {
            failures++;
            closedUntil = now() + REST;
          }
        },
      };
    },
  };
}
