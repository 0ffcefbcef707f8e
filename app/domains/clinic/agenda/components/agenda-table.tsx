import type { ReactNode } from "react";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import type { RowToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { addDays, formatSpan, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { classes } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Meta, MetaLine } from "#app/ui/pieces.tsx";
import { Line, LineCell, LineLink, Lines, LinesBody, LinesHead } from "#app/ui/staff/lines.tsx";
import { RowMenu } from "#app/ui/staff/row-menu.tsx";
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

/** The payment makes room for the panel, except on the widest screens. */
const HIDDEN_BESIDE_PANEL = "panel:max-[90rem]:hidden";

/** Appointments by day. */
export function AgendaTable(props: AgendaTableProps) {
  const { rows, days = [], today, open, doctors, pick, action, menu, seen } = props;
  const tomorrow = addDays(today, 1);
  const width = 5 + [doctors, pick, action, menu].filter(Boolean).length;
  return (
    <Lines
      head={
        <>
          {pick && (
            <LinesHead scope="col">
              <span className="sr-only">{m.agenda_pick()}</span>
            </LinesHead>
          )}
          <LinesHead scope="col">{m.agenda_time()}</LinesHead>
          <LinesHead scope="col">{m.appointments_patient()}</LinesHead>
          {doctors && <LinesHead scope="col">{m.appointments_doctor()}</LinesHead>}
          <LinesHead scope="col">
            <span className="sr-only">{m.appointments_documents()}</span>
            <Icon name="paperclip" small />
          </LinesHead>
          <LinesHead scope="col" className={open ? HIDDEN_BESIDE_PANEL : undefined}>
            {m.agenda_payment()}
          </LinesHead>
          <LinesHead scope="col">{m.appointments_status()}</LinesHead>
          {action && (
            <LinesHead scope="col">
              <span className="sr-only">{m.appointments_next_step()}</span>
            </LinesHead>
          )}
          {menu && (
            <LinesHead scope="col">
              <span className="sr-only">{m.agenda_more()}</span>
            </LinesHead>
          )}
        </>
      }
    >
      {byDay(rows).map(({ date, rows }) => {
        const counts = days.find((day) => day.date === date);
        return (
          <LinesBody key={date}>
            <tr className="max-desktop:block">
              <LinesHead colSpan={width} scope="rowgroup">
                <b className="text-base">{dayHeading(date, today, tomorrow)}</b>
                {counts && (
                  <>
                    {" "}
                    <span className="text-ink-soft">{daySummary(counts)}</span> {seen?.(counts)}
                  </>
                )}
              </LinesHead>
            </tr>
            {rows.map((row) => (
              <Row key={row.id} row={row} {...props} />
            ))}
          </LinesBody>
        );
      })}
    </Lines>
  );
}

function Row({ row, tokens, open, openAt, doctors, pick, action, menu }: AgendaTableProps & { row: AgendaRow }) {
  const { payment } = row;
  const current = open === row.id;
  return (
    <Line chosen={current} data-visit={row.id}>
      {pick && <LineCell first>{pick(row)}</LineCell>}
      <LineCell first>
        <TimeOfRow row={row} token={tokens?.[row.id]} />
      </LineCell>
      <LineCell fills>
        <LineLink to={openAt(row.id)} name={row.patientName} current={current}>
          {bookedPatientWord(row)}
          {row.reason && ` · ${row.reason}`}
        </LineLink>
      </LineCell>
      {doctors && (
        <LineCell wraps className="desktop:min-w-28">
          {row.doctorName}
        </LineCell>
      )}
      <LineCell className="num">
        {row.records > 0 && (
          <MetaLine as="span">
            <Meta icon="paperclip">
              <span className="sr-only">{m.appointments_documents_count({ count: row.records })}</span>{" "}
              <span aria-hidden="true">{row.records}</span>
            </Meta>
          </MetaLine>
        )}
      </LineCell>
      <LineCell
        wraps
        className={classes(
          "num desktop:min-w-28 desktop:whitespace-normal",
          open && HIDDEN_BESIDE_PANEL,
          payment.open && "font-bold text-warn-strong",
        )}
      >
        {payment.text}
      </LineCell>
      <LineCell first className="mb-4 max-desktop:ml-auto">
        <StatusBadge status={row.status} missed={row.missed} />
      </LineCell>
      {action && (
        <LineCell className="desktop:text-right max-desktop:grow max-desktop:basis-28 max-desktop:[&_.btn]:w-full">{action(row)}</LineCell>
      )}
      {menu && (
        <LineCell className="max-desktop:ml-auto">
          <RowMenu label={m.agenda_more_of({ name: row.patientName })}>{menu(row)}</RowMenu>
        </LineCell>
      )}
    </Line>
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
      <b className="num text-base">{first}</b>{" "}
      {second && <span className="num text-sm text-ink-soft block whitespace-normal desktop:w-38 desktop:leading-[1.25]">{second}</span>}
    </>
  );
}
