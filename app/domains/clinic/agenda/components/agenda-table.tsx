import type { ReactNode } from "react";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import type { RowToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { addDays, formatSpan, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Meta } from "#app/ui/pieces.tsx";
import { type AgendaRow, byDay, type DayCounts } from "../agenda.ts";
import { dayHeading, daySummary } from "../words.ts";

export type AgendaTableProps = {
  rows: AgendaRow[];
  days?: DayCounts[];
  today: string;
  /** Tokens of today by appointment. */
  tokens?: Record<string, RowToken>;
  /** The appointment in the panel. */
  open?: string | null;
  /** The URL that opens an appointment in the panel. */
  openAt: (id: string) => string;
  /** Also names the doctor of each row. */
  doctors?: boolean;
  /** The checkbox of a row. */
  pick?: (row: AgendaRow) => ReactNode;
  /** The one primary action of a row, and the others in its menu. */
  action?: (row: AgendaRow) => ReactNode;
  menu?: (row: AgendaRow) => ReactNode;
  /** The link to completed appointments of a day. */
  seen?: (day: DayCounts) => ReactNode;
};

/** Appointments by day: rows of a table on wide screens, cards on narrow ones. */
export function AgendaTable(props: AgendaTableProps) {
  const { rows, days = [], today, doctors, pick, action, menu, seen } = props;
  const tomorrow = addDays(today, 1);
  const width = 5 + [doctors, pick, action, menu].filter(Boolean).length;
  return (
    <table className="agenda">
      <thead className="soft">
        <tr>
          {pick && (
            <th scope="col">
              <span className="sr-only">{m.agenda_pick()}</span>
            </th>
          )}
          <th scope="col">{m.agenda_time()}</th>
          <th scope="col">{m.appointments_patient()}</th>
          {doctors && <th scope="col">{m.appointments_doctor()}</th>}
          <th scope="col">
            <span className="sr-only">{m.appointments_documents()}</span>
            <Icon name="paperclip" small />
          </th>
          <th scope="col" className="pay">
            {m.agenda_payment()}
          </th>
          <th scope="col">{m.appointments_status()}</th>
          {action && (
            <th scope="col">
              <span className="sr-only">{m.appointments_next_step()}</span>
            </th>
          )}
          {menu && (
            <th scope="col">
              <span className="sr-only">{m.agenda_more()}</span>
            </th>
          )}
        </tr>
      </thead>
      {byDay(rows).map(({ date, rows }) => {
        const counts = days.find((day) => day.date === date);
        return (
          <tbody key={date}>
            <tr className="day-head">
              <th colSpan={width} scope="rowgroup">
                <b>{dayHeading(date, today, tomorrow)}</b>
                {counts && (
                  <>
                    {" "}
                    <span className="soft">{daySummary(counts)}</span> {seen?.(counts)}
                  </>
                )}
              </th>
            </tr>
            {rows.map((row) => (
              <Row key={row.id} row={row} {...props} />
            ))}
          </tbody>
        );
      })}
    </table>
  );
}

function Row({ row, tokens, open, openAt, doctors, pick, action, menu }: AgendaTableProps & { row: AgendaRow }) {
  const { payment } = row;
  const current = open === row.id;
  return (
    <tr className={classes("visit", current && "chosen")} data-visit={row.id}>
      {pick && <td className="first">{pick(row)}</td>}
      <td className="first">
        <TimeOfRow row={row} token={tokens?.[row.id]} />
      </td>
      <td className="max-desktop:w-full desktop:w-[99%] desktop:max-w-0 desktop:whitespace-normal">
        <AnyLink className="name" to={openAt(row.id)} aria-current={current ? "true" : undefined} preventScrollReset>
          <b>{row.patientName}</b>{" "}
          <span className="soft">
            {bookedPatientWord(row)}
            {row.reason && ` · ${row.reason}`}
          </span>
        </AnyLink>
      </td>
      {doctors && <td className="desktop:min-w-28 desktop:whitespace-normal">{row.doctorName}</td>}
      <td className="num">
        {row.records > 0 && (
          <span className="meta">
            <Meta icon="paperclip">
              <span className="sr-only">{m.appointments_documents_count({ count: row.records })}</span>{" "}
              <span aria-hidden="true">{row.records}</span>
            </Meta>
          </span>
        )}
      </td>
      <td className={classes("num pay", payment.open && "text-warn-strong font-bold")}>{payment.text}</td>
      <td className="first status">
        <StatusBadge status={row.status} missed={row.missed} />
      </td>
      {action && <td className="act">{action(row)}</td>}
      {menu && (
        <td className="max-desktop:ms-auto">
          <RowMenu name={row.patientName}>{menu(row)}</RowMenu>
        </td>
      )}
    </tr>
  );
}

/** The time of an appointment, and its token in today's queue. A booked token comes before its expected time. */
function TimeOfRow({ row, token }: { row: AgendaRow; token: RowToken | undefined }) {
  const number = token?.number ?? row.token;
  const title = number ? m.token_title({ number }) : null;
  const eta = token?.eta ? formatSpan(token.eta) : null;
  const [first, second] = row.token
    ? [title, eta ?? m.agenda_about({ time: formatTime(row.expectedTime ?? row.time) })]
    : [formatTime(row.time), [title, eta].filter(Boolean).join(", ")];
  return (
    <>
      <b className="num">{first}</b>{" "}
      {second && (
        <span className="num soft small block whitespace-normal desktop:w-38 desktop:leading-[1.25] desktop:whitespace-normal">
          {second}
        </span>
      )}
    </>
  );
}

/** The other actions of a row. Opens without scripts; only one is open, because they share a name. */
const RowMenu = ({ name, children }: { name: string; children: ReactNode }) => (
  <details className="row-menu" name="row-menu">
    <summary aria-label={m.agenda_more_of({ name })}>
      <Icon name="ellipsis" />
    </summary>
    <div>{children}</div>
  </details>
);
