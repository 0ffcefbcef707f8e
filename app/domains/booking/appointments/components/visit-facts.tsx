import type { AppointmentStatus } from "#app/db/schema/index.ts";
import { isOpen } from "#app/domains/appointment.state.ts";
import { formatDay, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { StatusBadge } from "./status-badge.tsx";

export type VisitFactsProps = {
  appointment: {
    doctorName: string;
    patientName: string;
    date: string;
    time: string;
    status: AppointmentStatus;
    changeable: boolean;
    hospitalName: string | null;
    hospitalPhone: string | null;
  };
};

/** The facts of a patient's visit. When it cannot be changed, shows why and whom to call. */
export function VisitFacts({ appointment: a }: VisitFactsProps) {
  const open = isOpen(a);
  return (
    <>
      <Facts
        items={[
          [m.appointments_doctor(), a.doctorName],
          [m.appointments_patient(), a.patientName],
          [m.appointments_when(), `${formatDay(a.date)}, ${formatTime(a.time)}`],
          [m.appointments_status(), <StatusBadge key="s" status={a.status} />],
        ]}
      />
      {!a.changeable && <Note tone="warn">{open ? m.appointments_cancel_too_late() : m.appointments_closed()}</Note>}
      {!a.changeable && open && a.hospitalPhone && (
        <LinkButton to={`tel:${a.hospitalPhone}`} icon="phone" variant="second">
          {m.appointments_call({ name: a.hospitalName ?? "" })}
        </LinkButton>
      )}
    </>
  );
}
