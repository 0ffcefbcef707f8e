import { isOpen } from "#app/domains/appointment.state.ts";
import { type Token, visitTimeWord } from "#app/domains/token-words.ts";
import { formatDay } from "#app/lib/dates.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { tooLateToCancel } from "../words.ts";
import { CallHospital } from "./call-hospital.tsx";
import { StatusBadge } from "./status-badge.tsx";

export type VisitFactsProps = {
  appointment: Partial<Token> & {
    doctorName: string;
    patientName: string;
    date: string;
    time: string;
    status: AppointmentStatus;
    cancellable: boolean;
    begun: boolean;
    refundHours: number;
    hospitalName: string | null;
    hospitalPhone: string | null;
  };
};

/** Shows a patient's visit. When it can no longer be cancelled here: why, and the phone of the hospital. */
export function VisitFacts({ appointment: a }: VisitFactsProps) {
  const open = isOpen(a);
  return (
    <>
      <Facts
        items={[
          [m.appointments_doctor(), a.doctorName],
          [m.appointments_patient(), a.patientName],
          [m.appointments_when(), `${formatDay(a.date)}, ${visitTimeWord(a)}`],
          [m.appointments_status(), <StatusBadge key="s" status={a.status} />],
        ]}
      />
      {!a.cancellable && <Note tone="warn">{open ? tooLateToCancel(a) : m.appointments_closed()}</Note>}
      {!a.cancellable && open && <CallHospital appointment={a} />}
    </>
  );
}
