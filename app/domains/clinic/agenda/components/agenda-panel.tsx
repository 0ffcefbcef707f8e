import type { ReactNode } from "react";
import { DayBadge } from "#app/domains/booking/appointments/components/day-badge.tsx";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { formatDay, formatInstant, formatSpan } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { IconButton, LinkButton } from "#app/ui/button.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import type { AgendaEntry } from "../agenda.ts";

type PanelProps = {
  entry: AgendaEntry;
  close: string;
  token: DayToken | undefined;
  /** The next step, as the main button. */
  step: ReactNode;
  /** Names the doctor too. */
  doctors?: boolean;
  /** The actions, below the facts. */
  children: ReactNode;
};

/** One appointment beside the agenda. */
export function AgendaPanel({ entry: a, close, token, step, doctors, children }: PanelProps) {
  return (
    <div className="card">
      <div className="row items-start">
        <div className="grow">
          <p className="text-ink-soft">
            {[formatDay(a.date), visitTimeWord(a), token && !a.token && m.token_title({ number: token.number })].filter(Boolean).join(", ")}
          </p>
          <h2 id="panel-name" className="mt-0.5">
            {a.patientName}
          </h2>
          <p className="text-sm text-ink-soft">{bookedPatientWord(a)}</p>
        </div>
        <IconButton icon="x" label={m.agenda_close()} to={close} />
      </div>
      <p className="mt-2">
        <DayBadge row={{ ...a, due: a.payment.due }} token={token} />
      </p>
      {step && <div className="mt-2">{step}</div>}
      {a.patientPhone && (
        <LinkButton to={`tel:${a.patientPhone}`} variant="second" size="sm" icon="phone" full className="mt-2 num">
          {formatPhone(a.patientPhone)}
        </LinkButton>
      )}
      <Facts
        className="text-sm mt-4"
        items={[
          token?.eta ? [m.agenda_expected(), formatSpan(token.eta)] : null,
          doctors ? [m.appointments_doctor(), a.doctorName] : null,
          [m.appointments_reason(), a.reason],
          a.status !== "cancelled" && [
            m.appointments_documents(),
            a.records === 0 ? m.appointments_no_documents() : m.appointments_file_count({ count: a.records }),
          ],
          [m.agenda_payment(), a.payment.text],
          [m.agenda_booked(), formatInstant(new Date(a.bookedAt))],
          [
            m.agenda_reference(),
            <span key="r" className="num">
              {a.reference}
            </span>,
          ],
        ]}
      />
      <div className="mt-4 grid gap-2.5">{children}</div>
    </div>
  );
}
