import { WalkInBadge } from "#app/domains/booking/appointments/components/day-badge.tsx";
import { WalkInLeaves, WalkInStep } from "#app/domains/booking/appointments/components/day-step.tsx";
import { isInClinic } from "#app/domains/booking/appointments/day-state.ts";
import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import type { WalkInRow } from "#app/domains/waiting-room/token-page/walk-in-row.ts";
import { formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { classes } from "#app/ui/class-names.ts";
import { Line, LineCell, LineLink } from "#app/ui/staff/lines.tsx";
import { RowMenu } from "#app/ui/staff/row-menu.tsx";
import { DoctorCell, NameCell, StateCell, StepCell, TimeCell, TokenCell } from "./agenda-cells.tsx";
import type { AgendaTableProps } from "./agenda-table.tsx";

type WalkInLineProps = Pick<AgendaTableProps, "today" | "queueAt" | "beside" | "doctors" | "pick" | "action" | "menu"> & { row: WalkInRow };
/** The row of a patient without an appointment. Today its name leads to the queue. */
export function WalkInLine({ row, today, queueAt, beside, doctors, pick, action, menu }: WalkInLineProps) {
  const name = row.patientName || m.queue_walk_in();
  const about = [ageAndSexWord(row.age, row.gender), m.queue_walk_in()].filter(Boolean).join(" · ");
  const named = { ...row, patientName: name };
  return (
    <Line data-visit={row.id}>
      {pick && <LineCell first />}
      <TimeCell beside={beside}>
        <b className={classes("num text-base", beside && "desktop:whitespace-normal")}>{formatTime(row.time)}</b>
      </TimeCell>
      <TokenCell number={row.token.number} />
      <NameCell>
        {queueAt && row.date === today ? (
          <LineLink to={queueAt(row.sessionId)} name={name}>
            {about}
          </LineLink>
        ) : (
          <>
            <b className="text-base">{name}</b> <span className="text-ink-soft">{about}</span>
          </>
        )}
      </NameCell>
      {doctors && <DoctorCell beside={beside}>{row.doctorName}</DoctorCell>}
      <StateCell beside={beside}>
        <WalkInBadge token={row.token} />
      </StateCell>
      {action && (
        <StepCell beside={beside}>
          <WalkInStep row={named} today={today} />
        </StepCell>
      )}
      {menu && (
        <LineCell className="max-desktop:ml-auto">
          {isInClinic(row.token) && (
            <RowMenu label={m.agenda_more_of({ name })}>
              <WalkInLeaves row={named} />
            </RowMenu>
          )}
        </LineCell>
      )}
    </Line>
  );
}
