import { useId } from "react";
import { formatDate, formatDay, formatTime, todayInIndia } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { StatusBadge } from "./status-badge.tsx";

type SuspendedVisit = {
  id: string;
  date: string;
  time: string;
  status: AppointmentStatus;
  patientName: string;
  patientPhone: string;
  /** When the patient was asked to choose another doctor. */
  askedAt: Date | null;
};

/** An upcoming visit of a suspended doctor in a list of staff pages. `choose`: the name of its checkbox. */
export function VisitRow({ visit, choose, chosen }: { visit: SuspendedVisit; choose?: string; chosen?: boolean }) {
  const id = useId();
  const what = (
    <span>
      <b>{visit.patientName}</b>{" "}
      <span className="text-sm text-ink-soft block">
        {formatDay(visit.date)}, {formatTime(visit.time)}
      </span>
    </span>
  );
  return (
    <li className="row flex-wrap">
      {choose ? (
        <Pick look="plain" className="grow" id={id} type="checkbox" name={choose} value={visit.id} defaultChecked={chosen}>
          {what}
        </Pick>
      ) : (
        <div className="grow">{what}</div>
      )}
      {visit.askedAt && (
        <Badge tone="info" icon="bell">
          {m.admin_visits_asked({ date: formatDate(todayInIndia(visit.askedAt)) })}
        </Badge>
      )}
      <StatusBadge status={visit.status} />
      {visit.patientPhone && (
        <LinkButton variant="quiet" size="sm" className="pl-0 num" to={`tel:${visit.patientPhone}`}>
          {formatPhone(visit.patientPhone)}
        </LinkButton>
      )}
    </li>
  );
}
