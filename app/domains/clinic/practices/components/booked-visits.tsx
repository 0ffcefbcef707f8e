import type { ReactNode } from "react";
import { href } from "react-router";
import { CancelReasonField } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { formatDay, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import type { ComingVisit } from "../coming-visit.ts";

/** The appointments that a leave or a closed practice concerns. Their ids are sent, so that a newer one is never cancelled unseen. `children`: what else to choose. */
export function BookedVisits({ visits, children }: { visits: ComingVisit[]; children?: ReactNode }) {
  return (
    <>
      <ul className="stack-s mb">
        {visits.map((visit) => (
          <li key={visit.id}>
            <input type="hidden" name="visits" value={visit.id} />
            <AnyLink to={href("/doctor/patient/:id", { id: visit.id })}>
              {formatDay(visit.date)}, {formatTime(visit.time)}: {visit.patientName}
            </AnyLink>
          </li>
        ))}
      </ul>
      {children}
      <CancelReasonField />
      <p className="small soft mb">{m.practices_patients_are_told()}</p>
    </>
  );
}
