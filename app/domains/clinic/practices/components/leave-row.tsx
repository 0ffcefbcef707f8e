import { href } from "react-router";
import { formatDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { Leave } from "../hours.ts";

/** A leave with its days, where it is and the doctor's note, and the link that ends it. */
export function LeaveRow({ leave, place }: { leave: Leave; place: string }) {
  const days =
    leave.from === leave.until ? formatDay(leave.from) : m.practices_span({ from: formatDay(leave.from), until: formatDay(leave.until) });
  return (
    <li className="row flex-wrap">
      <div className="grow">
        <b>{days}</b>
        <p className="text-ink-soft">
          {place}
          {leave.note && `, ${leave.note}`}
        </p>
      </div>
      <LinkButton
        to={href("/doctor/leave/:id/end", { id: leave.id })}
        variant="quiet"
        size="sm"
        aria-label={m.practices_leave_end_of({ days })}
      >
        {m.practices_leave_end()}
      </LinkButton>
    </li>
  );
}
