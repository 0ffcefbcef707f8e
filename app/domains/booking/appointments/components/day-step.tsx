import { Press, PressButton } from "#app/domains/waiting-room/queue/components/press.tsx";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import type { WalkInRow } from "#app/domains/waiting-room/token-page/walk-in-row.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { type DayRow, dayStateOf, type NextStep, nextStepOf } from "../day-state.ts";
import { type Actionable, ActionButton } from "./appointment-actions.tsx";

type Row = Actionable & DayRow;
/** `takeAt`: the page that takes the payment of an appointment. */
type DayStepProps = {
  row: Row;
  token: DayToken | undefined;
  by: "doctor" | "desk";
  today: DateKey;
  takeAt: (id: string) => string;
  /** Filled, as the one main action: of a panel, or of the current row. */
  main?: "panel" | "row";
};

/** The press that is a next step; null for the steps that have pages. */
function pressOf(step: NextStep | null, token: DayToken | undefined) {
  switch (step) {
    case "check-in":
      return { intent: token?.state === "skipped" ? "return" : "arrive", label: m.queue_check_in() };
    case "here-now":
      return { intent: "return", label: m.agenda_here_now() };
    case "back-again":
      return { intent: "return", label: m.agenda_back_again() };
    case "done":
      return { intent: "finish", label: m.queue_finish() };
    default:
      return null;
  }
}

/** The one button of a row: its next step. Renders nothing where there is none. Presses are sent to the page itself (`submitVisitPress`). */
export function DayStep({ row, token, by, today, takeAt, main }: DayStepProps) {
  const look = main === "panel" ? ({ full: true } as const) : ({ size: "sm", ...(!main && { variant: "second" as const }) } as const);
  const step = nextStepOf(row, token, { by, today });
  const press = pressOf(step, token);
  if (press)
    return (
      <Press fields={{ visit: row.id }}>
        <PressButton intent={press.intent} about={row.patientName} {...look}>
          {press.label}
        </PressButton>
      </Press>
    );
  switch (step) {
    case "accept":
      return <ActionButton appointment={row} action="accept" {...(!main && { variant: "second" })} bare />;
    case "complete":
      return <ActionButton appointment={row} action="complete" {...(!main && { variant: "second" })} bare />;
    case "take":
      return (
        <LinkButton {...look} to={takeAt(row.id)} aria-label={`${m.agenda_take({ amount: row.due ?? "" })}: ${row.patientName}`}>
          {m.agenda_take({ amount: row.due ?? "" })}
        </LinkButton>
      );
    default:
      return null;
  }
}

/** The next step of a patient without an appointment, who waits, is called and pays in the queue. Renders nothing where there is none. */
export function WalkInStep({ row, today }: { row: WalkInRow; today: DateKey }) {
  const press = pressOf(nextStepOf({ status: "accepted", date: row.date, actions: [] }, row.token, { by: "desk", today }), row.token);
  return (
    press && (
      <Press fields={{ entry: row.id }}>
        <PressButton intent={press.intent} variant="second" size="sm" about={row.patientName}>
          {press.label}
        </PressButton>
      </Press>
    )
  );
}

/** The other press of a patient without an appointment who is in the clinic. */
export const WalkInLeaves = ({ row }: { row: WalkInRow }) => (
  <Press fields={{ entry: row.id }}>
    <PressButton intent="leave" variant="quiet" size="sm" full about={row.patientName}>
      {m.queue_leave()}
    </PressButton>
  </Press>
);

/** What a row does in the queue of today besides its next step: the patient is here after all, or goes. */
export function DayMenu({ row, token, by, today }: Omit<DayStepProps, "takeAt" | "main">) {
  const state = dayStateOf(row, token);
  const queued = row.date === today && !token?.closed;
  const isHere = state === "here" || state === "called" || state === "skipped";
  if (!queued || !(isHere || state === "accepted")) return null;
  const press = (intent: "arrive" | "leave", label: string) => (
    <PressButton intent={intent} variant="quiet" size="sm" full about={row.patientName}>
      {label}
    </PressButton>
  );
  return (
    <Press fields={{ visit: row.id }}>
      {state === "accepted" && nextStepOf(row, token, { by, today }) === "complete" && press("arrive", m.queue_check_in())}
      {press("leave", isHere ? m.queue_leave() : m.queue_not_coming())}
    </Press>
  );
}
