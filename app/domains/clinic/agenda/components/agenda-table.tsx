import { Fragment, type ReactNode } from "react";
import { DayBadge } from "#app/domains/booking/appointments/components/day-badge.tsx";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import type { WalkInRow } from "#app/domains/waiting-room/token-page/walk-in-row.ts";
import { addDays, formatSpan, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Beat } from "#app/ui/logo.tsx";
import { Line, LineCell, LineLink, Lines, LinesBody, LinesHead } from "#app/ui/staff/lines.tsx";
import { RowMenu } from "#app/ui/staff/row-menu.tsx";
import { type AgendaRow, byDay, type DayCounts, inTimeOrder, startOf } from "../agenda.ts";
import { dayHeading, daySummary } from "../words.ts";
import { DoctorCell, NameCell, StateCell, StepCell, TimeCell, TokenCell } from "./agenda-cells.tsx";
import { WalkInLine } from "./walk-in-line.tsx";

export type AgendaTableProps = {
  rows: AgendaRow[];
  /** Patients without an appointment in the queues of one day, and the page of a queue. */
  walkIns?: WalkInRow[];
  queueAt?: (sessionId: string) => string;
  days?: DayCounts[];
  today: string;
  /** The time in India: a line divides today's rows at it. */
  now?: string;
  /** Where the patients of today are, by appointment. */
  tokens?: Record<string, DayToken>;
  /** The appointment in the panel. */
  open?: string | null;
  /** A panel is beside the table: columns are as narrow as their words, in each language. */
  beside?: boolean;
  /** The URL that opens an appointment in the panel. */
  openAt: (id: string) => string;
  /** Also names the doctor of each row. */
  doctors?: boolean;
  /** The page that changes the time of an appointment; null where it cannot be changed any more. */
  moveTo?: (row: AgendaRow) => string | null;
  /** The checkbox of a row. */
  pick?: (row: AgendaRow) => ReactNode;
  /** The next step of a row, and the others in its menu. */
  action?: (row: AgendaRow) => ReactNode;
  menu?: (row: AgendaRow) => ReactNode;
  /** The link to appointments of a day that are done and paid. */
  folded?: (day: DayCounts) => ReactNode;
};

/** Appointments by day, with the walk-ins of one day among them. */
export function AgendaTable(props: AgendaTableProps) {
  const { rows, walkIns = [], days = [], today, now, doctors, pick, action, menu, folded } = props;
  const tomorrow = addDays(today, 1);
  const width = 4 + [doctors, pick, action, menu].filter(Boolean).length;
  const hidden = (label: string) => (
    <LinesHead scope="col">
      <span className="sr-only">{label}</span>
    </LinesHead>
  );
  return (
    <Lines
      head={
        <>
          {pick && hidden(m.agenda_pick())}
          <LinesHead scope="col">{m.agenda_time()}</LinesHead>
          <LinesHead scope="col">{m.agenda_token()}</LinesHead>
          <LinesHead scope="col">{m.appointments_patient()}</LinesHead>
          {doctors && <LinesHead scope="col">{m.appointments_doctor()}</LinesHead>}
          <LinesHead scope="col">{m.appointments_status()}</LinesHead>
          {action && <LinesHead scope="col">{m.appointments_next_step()}</LinesHead>}
          {menu && hidden(m.agenda_more())}
        </>
      }
    >
      {withDayOf(walkIns, byDay(rows)).map(({ date, rows }) => {
        const lines = inTimeOrder(
          rows,
          walkIns.filter((one) => one.date === date),
        );
        const counts = days.find((day) => day.date === date);
        // Before the first row that is later than now.
        const next = date === today && now ? lines.findIndex((row) => startOf(row) > now) : -1;
        return (
          <LinesBody key={date}>
            <tr className="max-desktop:block">
              <LinesHead colSpan={width} scope="rowgroup">
                <b className="text-base">{dayHeading(date, today, tomorrow)}</b>
                {counts && (
                  <>
                    {" "}
                    <span className="text-ink-soft">{daySummary(counts)}</span> {folded?.(counts)}
                  </>
                )}
              </LinesHead>
            </tr>
            {lines.map((row, i) => (
              <Fragment key={row.id}>
                {now && i === next && i > 0 && <NowLine now={now} width={width} />}
                {"sessionId" in row ? <WalkInLine row={row} {...props} /> : <Row row={row} {...props} />}
              </Fragment>
            ))}
          </LinesBody>
        );
      })}
    </Lines>
  );
}

/** Adds the day of walk-ins where it has no appointment. */
const withDayOf = ([first]: readonly WalkInRow[], days: ReturnType<typeof byDay<AgendaRow>>) =>
  !first || days.some(({ date }) => date === first.date)
    ? days
    : [...days, { date: first.date, rows: [] }].sort((a, b) => a.date.localeCompare(b.date));

const NowLine = ({ now, width }: { now: string; width: number }) => (
  <tr className="max-desktop:mt-3 max-desktop:block">
    <td colSpan={width} className="max-desktop:block desktop:border-b desktop:border-line">
      <span className="flex items-center gap-2 overflow-hidden px-1.5 font-bold">
        <span className="num whitespace-nowrap">{m.agenda_now({ time: formatTime(now) })}</span> <Beat className="grow" />
      </span>
    </td>
  </tr>
);

function Row({ row, tokens, open, beside, openAt, moveTo, doctors, pick, action, menu }: AgendaTableProps & { row: AgendaRow }) {
  const current = open === row.id;
  const token = tokens?.[row.id];
  const number = token?.number ?? row.token;
  const about = [bookedPatientWord(row), row.reason, row.records > 0 && m.appointments_documents_count({ count: row.records })];
  return (
    <Line chosen={current} data-visit={row.id}>
      {pick && (
        <LineCell first {...(beside && { className: "desktop:px-0" })}>
          {pick(row)}
        </LineCell>
      )}
      <TimeCell beside={beside}>
        <TimeOfRow row={row} token={token} to={moveTo?.(row) ?? null} wraps={beside} />
      </TimeCell>
      <TokenCell number={number} />
      <NameCell>
        <LineLink to={openAt(row.id)} name={row.patientName} current={current}>
          {about.filter(Boolean).join(" · ")}
        </LineLink>
      </NameCell>
      {doctors && <DoctorCell beside={beside}>{row.doctorName}</DoctorCell>}
      <StateCell beside={beside}>
        <DayBadge row={{ ...row, due: row.payment.due }} token={token} />
      </StateCell>
      {action && <StepCell beside={beside}>{action(row)}</StepCell>}
      {menu && (
        <LineCell className="max-desktop:ml-auto">
          <RowMenu label={m.agenda_more_of({ name: row.patientName })}>{menu(row)}</RowMenu>
        </LineCell>
      )}
    </Line>
  );
}

/** Characters of the longest time that stays on one line: "మధ్యాహ్నం 12:30 –". That of dawn in Telugu, "తెల్లవారుజామున 4:30", does not fit. */
const ONE_LINE = 18;
/** A time, or two with a line break between them where a column is narrow: "సాయంత్రం 6:30 –", "రాత్రి 7:00". */
const Unbroken = ({ time }: { time: string }) =>
  time.split(/(?<=–) /).map((part, i) => (
    <Fragment key={part}>
      {i > 0 && " "}
      <span className={classes(part.length <= ONE_LINE && "whitespace-nowrap")}>{part}</span>
    </Fragment>
  ));

type TimeOfRowProps = { row: AgendaRow; token: DayToken | undefined; to: string | null; wraps: boolean | undefined };
/** The time of an appointment, which leads to other times. One that was booked with a token has the time at which it is expected. */
function TimeOfRow({ row, token, to, wraps }: TimeOfRowProps) {
  const whiteSpace = wraps && "desktop:whitespace-normal";
  const time = row.token
    ? token?.eta
      ? formatSpan(token.eta)
      : m.agenda_about({ time: formatTime(row.expectedTime ?? row.time) })
    : formatTime(row.time);
  const words = row.token && !token?.eta ? time : <Unbroken time={time} />;
  if (!to) return <b className={classes("num text-base", whiteSpace)}>{words}</b>;
  return (
    <AnyLink
      className={classes("num inline-flex min-h-target-min items-center text-base font-bold text-inherit decoration-dotted", whiteSpace)}
      to={to}
      aria-label={m.agenda_time_of({ time, change: m.proposals_link(), name: row.patientName })}
    >
      <span>{words}</span>
    </AnyLink>
  );
}
