import { seconds } from "#app/lib/durations.ts";

/** The circuit opens after this many failures in a row, for `REST` milliseconds. */
export const FAILURES = 3;
export const REST = seconds(30);
/** Most concurrent calls: a service that does not respond blocks no more than these. */
export const MAX_UNDER_WAY = 20;

export type Outcome = "answered" | "failed" | "unknown";
/** Permission for one call. `done` must be called once. */
export type Pass = { done(outcome: Outcome): void };

/**
 * Circuit breaker. `enter` returns null while the circuit is open or too many calls are running. After `REST` one call
 * tries the service; others follow once it succeeds.
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
