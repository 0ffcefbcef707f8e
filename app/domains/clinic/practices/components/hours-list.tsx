import { formatTime, weekdayLong } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { Span } from "../hours.ts";

/** Monday first. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** Weekly hours, one line a weekday. Days with the same hours as the day before share its line. */
export function HoursList({ hours }: { hours: Span[] }) {
  if (hours.length === 0) return <p className="text-ink-soft">{m.practices_no_hours()}</p>;
  const lines: { first: number; last: number; text: string }[] = [];
  for (const weekday of WEEK) {
    const text = hours
      .filter((span) => span.weekday === weekday)
      .map(({ from, until }) => m.practices_span({ from: formatTime(from), until: formatTime(until) }))
      .join(", ");
    const before = lines.at(-1);
    if (before?.text === text) before.last = weekday;
    else lines.push({ first: weekday, last: weekday, text });
  }
  return (
    <ul className="space-y-1">
      {lines
        .filter(({ text }) => text)
        .map(({ first, last, text }) => (
          <li key={first}>
            <b>{first === last ? weekdayLong(first) : m.practices_span({ from: weekdayLong(first), until: weekdayLong(last) })}</b> {text}
          </li>
        ))}
    </ul>
  );
}
