import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import type { Rejection } from "../rejection.ts";
import { documentWord } from "../words.ts";

/** The reasons of a rejection; nothing without one. */
export function RejectionNote({ rejected }: { rejected: Rejection | null }) {
  if (!rejected) return null;
  return (
    <Note tone="bad" className="mb-3">
      <div className="space-y-1">
        <p>
          {rejected.by === "hospital"
            ? m.cases_rejected_by_hospital({ at: formatInstant(rejected.at) })
            : m.cases_rejected_by_admin({ at: formatInstant(rejected.at) })}
        </p>
        {rejected.note && <p className="whitespace-pre-line">{rejected.note}</p>}
        {rejected.reasons.length > 0 && (
          <ul className="space-y-1">
            {rejected.reasons.map(({ kind, reason }) => (
              <li key={`${kind} ${reason}`}>
                <b>{documentWord(kind)}</b>: {reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Note>
  );
}
