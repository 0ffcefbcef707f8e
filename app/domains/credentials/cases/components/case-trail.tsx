import { formatDay, formatTime, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { IconName } from "#app/ui/icon.tsx";
import { TrailStep } from "#app/ui/staff/trail.tsx";
import type { CaseEvent, CaseFile } from "../case-file.ts";
import type { VerificationAction } from "../verification.state.ts";
import { documentWord } from "../words.ts";

const EVENTS: Record<VerificationAction, { word: () => string; icon: IconName; bad?: true }> = {
  submit: { word: () => m.cases_event_submit(), icon: "circle-check" },
  "hospital-approve": { word: () => m.cases_event_hospital_approve(), icon: "circle-check" },
  "hospital-reject": { word: () => m.cases_event_hospital_reject(), icon: "circle-x", bad: true },
  approve: { word: () => m.cases_event_approve(), icon: "badge-check" },
  reject: { word: () => m.cases_event_reject(), icon: "circle-x", bad: true },
  revise: { word: () => m.cases_event_revise(), icon: "refresh-cw" },
  return: { word: () => m.cases_event_return(), icon: "circle-x", bad: true },
  suspend: { word: () => m.cases_event_suspend(), icon: "lock", bad: true },
  reinstate: { word: () => m.cases_event_reinstate(), icon: "circle-check" },
};
const eventOf = (action: string) => EVENTS[action as VerificationAction] ?? { word: () => m.cases_event_other(), icon: "info" as const };
/** "Hospital review: approved" */
export const eventWord = (action: string) => eventOf(action).word();

const ROLE = {
  reviewer: () => m.cases_role_reviewer(),
  admin: () => m.cases_role_admin(),
  doctor: () => m.cases_role_doctor(),
  patient: () => "",
  staff: () => "",
};
/** Returns the name of the event's user, or the role. */
export const actorWord = (event: { by: string | null; byRole: keyof typeof ROLE }) => event.by || ROLE[event.byRole]();

export const instantWords = (at: Date) => `${formatDay(todayInIndia(at))}, ${formatTime(timeInIndia(at))}`;

/** The events of a case in order, and the next steps. `decisions`: one for each document, when the page has newer ones than the case. */
export function CaseTrail({
  file,
  viewer,
  decisions = file.documents.map((d) => d.decision),
}: {
  file: Pick<CaseFile, "events" | "status" | "documents">;
  viewer: { id: string; role: string };
  decisions?: string[];
}) {
  const { events, status } = file;
  const steps: { word: string; now: boolean }[] = [];
  if (status === "under review by hospital")
    steps.push(
      { word: viewer.role === "reviewer" ? m.cases_step_hospital_you() : m.cases_step_hospital(), now: true },
      { word: m.cases_step_admin(), now: false },
    );
  if (status === "pending admin approval")
    steps.push({ word: viewer.role === "admin" ? m.cases_step_admin_you() : m.cases_step_admin(), now: true });
  if (!events.length && !steps.length) return <p className="text-sm text-ink-soft">{m.cases_no_history()}</p>;
  return (
    <ol>
      {events.map((event) => (
        <Happened key={event.id} event={event} mine={event.byId === viewer.id} />
      ))}
      {steps.map(({ word, now }) => (
        <TrailStep key={word} state={now ? "now" : "todo"} icon={now ? "circle-alert" : "clock"}>
          <b>{word}</b>
          <p className="text-sm text-ink-soft">{now ? countWords(decisions) : m.cases_step_waits()}</p>
        </TrailStep>
      ))}
    </ol>
  );
}

function Happened({ event, mine }: { event: CaseEvent; mine: boolean }) {
  const look = eventOf(event.action);
  return (
    <TrailStep state={look.bad ? "bad" : "done"} icon={look.icon}>
      <b>{look.word()}</b>
      <p className="text-sm text-ink-soft">
        {/* The doctor's name is at the top of the page. */}
        {event.byRole !== "doctor" && `${actorWord(event)}${mine ? ` (${m.cases_you()})` : ""}, `}
        {instantWords(event.at)}
      </p>
      {event.reasons.map(({ kind, reason }) => (
        <p key={kind + reason} className="mt-1.5 ps-3 border-s-3 border-s-line whitespace-pre-line text-sm">
          {documentWord(kind)}: {reason}
        </p>
      ))}
      {event.note && <p className="mt-1.5 ps-3 border-s-3 border-s-line whitespace-pre-line text-sm">{event.note}</p>}
    </TrailStep>
  );
}

function countWords(decisions: string[]): string {
  const count = String(decisions.length);
  const again = decisions.filter((d) => d === "ask-again").length;
  const open = decisions.filter((d) => d !== "ask-again" && d !== "matches").length;
  if (again && open) return m.cases_step_count_both({ count, again: String(again), open: String(open) });
  if (again) return m.cases_step_count_again({ count, again: String(again) });
  return open ? m.cases_step_count_open({ count, open: String(open) }) : m.cases_step_count({ count });
}
