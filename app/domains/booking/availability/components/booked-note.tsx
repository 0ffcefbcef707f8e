import { href, Link } from "react-router";
import { formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";

/** Why slots cannot be removed: links to the appointments on them. */
export function BookedNote({ booked }: { booked: { id: string; patientName: string; time: string }[] }) {
  return (
    <Note tone="warn" className="mb-3 mt-2">
      <p>{m.availability_booked_text()}</p>
      <ul className="space-y-1 mt-2">
        {booked.map((b) => (
          <li key={b.id}>
            <Link to={href("/doctor/patient/:id", { id: b.id })}>
              {formatTime(b.time)}, {b.patientName}
            </Link>
          </li>
        ))}
      </ul>
    </Note>
  );
}
