/** How the proofs of faults and load count and print. */
import type { Figure } from "../proof.ts";

export const indian = (n: number) => n.toLocaleString("en-IN");
export const ms = (value: number) => `${indian(Math.round(value))} ms`;
/** Returns the value below which this share of the sorted values is. */
export const atShare = (values: readonly number[], share: number) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
/** A figure that must be 0. */
export const none = (what: string, n: number): Figure => ({ what, value: indian(n), target: "0", met: n === 0 });
/** A figure with an upper limit. */
export const below = (what: string, value: number, limit: number, show: (n: number) => string = ms): Figure => ({
  what,
  value: show(value),
  target: `< ${show(limit)}`,
  met: value < limit,
  // A limit of a minute or a share of errors holds on a busy machine too.
  timed: show === ms,
});
/** A rate with a lower limit. */
export const atLeast = (what: string, value: number, limit: number): Figure => ({
  what,
  value: indian(Math.round(value)),
  target: `≥ ${indian(limit)}`,
  met: value >= limit,
  timed: true,
});
/** Counts equal values: "303: 12, 409: 3". */
export function countOf(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => String(a).localeCompare(String(b)))
    .map(([value, n]) => `${value}: ${indian(n)}`)
    .join(", ");
}
