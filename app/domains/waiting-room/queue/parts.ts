import type { TimeKey } from "#app/lib/dates.ts";
import type { PARTS_OF_DAY } from "#app/lib/vocabulary.ts";

export type QueuePart = (typeof PARTS_OF_DAY)[number];
/** Times of a day, "HH:mm": from the first to the end of the last. */
export type Span = { from: TimeKey; until: TimeKey };
export type PlannedPart = Span & { part: QueuePart };

/** Returns the part of the day in which a session begins. The same in every language. */
export const partOfStart = (from: TimeKey): QueuePart => (from < "12:00" ? "morning" : from < "16:00" ? "afternoon" : "evening");

/** Longer pauses than this, in minutes, separate two sessions of a day. */
const PAUSE = 60;
const minuteOf = (time: TimeKey) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Returns the sessions of a day: spans with a longer pause between them, those of one part of the day together. */
export function partsOf(spans: readonly Span[]): PlannedPart[] {
  const runs: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from.localeCompare(b.from))) {
    const last = runs.at(-1);
    if (last && minuteOf(span.from) - minuteOf(last.until) <= PAUSE) last.until = span.until > last.until ? span.until : last.until;
    else runs.push({ ...span });
  }
  const parts = new Map<QueuePart, PlannedPart>();
  for (const run of runs) {
    const part = partOfStart(run.from);
    const known = parts.get(part);
    parts.set(part, known ? { ...known, until: run.until } : { ...run, part });
  }
  return [...parts.values()];
}

/** Returns the part that a time belongs to: the last one that begins at or before it, or the first. */
export const partOfTime = <P extends Span>(parts: readonly P[], time: TimeKey): P | undefined =>
  parts.findLast(({ from }) => from <= time) ?? parts[0];
