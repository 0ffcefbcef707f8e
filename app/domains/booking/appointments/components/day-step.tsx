import { Press, PressButton } from "#app/domains/waiting-room/queue/components/press.tsx";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { type DayRow, dayStateOf, nextStepOf } from "../day-state.ts";
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

/** The one button of a row: its next step. Renders nothing where there is none. Presses are sent to the page itself (`submitVisitPress`). */
export function DayStep({ row, token, by, today, takeAt, main }: DayStepProps) {
  const look = main === "panel" ? ({ full: true } as const) : ({ size: "sm", ...(!main && { variant: "second" as const }) } as const);
  const press = (intent: "arrive" | "return" | "finish", label: string) => (
    <Press fields={{ visit: row.id }}>
      <PressButton intent={intent} about={row.patientName} {...look}>
        {label}
      </PressButton>
    </Press>
  );
  switch (nextStepOf(row, token, { by, today })) {
    case "accept":
      return <ActionButton appointment={row} action="accept" {...(!main && { variant: "second" })} bare />;
    case "complete":
      return <ActionButton appointment={row} action="complete" {...(!main && { variant: "second" })} bare />;
    case "check-in":
      return press(token?.state === "skipped" ? "return" : "arrive", m.queue_check_in());
    case "here-now":
      return press("return", m.agenda_here_now());
    case "back-again":
      return press("return", m.agenda_back_again());
    case "done":
      return press("finish", m.queue_finish());
    case "take":
      return (
        <LinkButton {...look} to={takeAt(row.id)} aria-label={`${m.agenda_take({ amount: row.due ?? "" })}: ${row.patientName}`}>
          {m.agenda_take({ amount: row.due ?? "" })}
        </LinkButton>
      );
    case null:
      return null;
  }
}

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
