import { type DateKey, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import type { Translations } from "#app/lib/translations.ts";
import type { QueueEntryState, QueueSessionState } from "#app/lib/vocabulary.ts";
import { clockRange, exactWait, type History, type Range, rounded } from "../estimate/estimate.ts";
import { aheadOf, entriesOf } from "../queue/ahead.ts";
import { canEntry } from "../queue/entry.state.ts";
import type { PlainEntry, Queue } from "../queue/queries.server.ts";
import { doctorExpectedAt } from "../queue/session-start.ts";

export type Snapshot = {
  queue: Queue<PlainEntry>;
  practice: { doctor: string; doctorTexts: Translations; place: string | null; placeTexts: Translations | null; phone: string | null };
  history: History;
  /** The planned start. */
  startsAt: Date;
};

/** Minutes to the clinic, until the patient chooses. */
export const TRAVEL = { default: 20, choices: [10, 20, 30, 45, 60, 90] } as const;
/** A patient can say "I have arrived" this long before the booked time. */
export const EARLIEST_ARRIVAL = hours(2);

export type TokenView = {
  number: number;
  state: QueueEntryState;
  session: QueueSessionState;
  nowSeeing: number | null;
  ahead: number;
  /** Of those ahead. */
  emergencies: number;
  /** When the patient is called, as every page and message shows it. null: none is shown in this state. */
  expected: { from: Date; until: Date } | null;
  /** The same in minutes from now. */
  range: Range | null;
  /** No patient has checked in yet, so the range is wide. */
  early: boolean;
  /** "10:40"; null: at the clinic already, or it is time to go. */
  leaveAt: string | null;
  goNow: boolean;
  travel: number;
  /** Announced, or how late the doctor began. */
  lateMinutes: number;
  /** When a late doctor is expected, as announced, or came. null: not late. */
  doctorAt: TimeKey | null;
  calledAt: string | null;
  endedAt: string | null;
  may: { arrive: boolean; return: boolean; leave: boolean };
  /** null: no SMS can come any more. */
  sms: "on" | "stopped" | null;
  checkedAt: string;
  today: DateKey;
};

const between = (from: Date, until: Date) => (until.getTime() - from.getTime()) / minutes(1);
/** Returns what the page of a token shows at `now`; null when the entry is not in the session. */
export function viewToken(snapshot: Snapshot, entryId: string, now: Date, travel: number = TRAVEL.default): TokenView | null {
  const { queue, history, startsAt } = snapshot;
  const { session } = queue;
  const all = entriesOf(queue);
  const own = all.find(({ id }) => id === entryId);
  if (!own) return null;
  const clock = (at: Date | null) => at && timeInIndia(at);
  const current = queue.called.at(-1) ?? queue.withDoctor;
  const live = session.state !== "closed" && (own.state === "expected" || own.state === "arrived");
  const before = live ? aheadOf(queue, own, now) : { waiting: [], expected: [] };
  const ahead = [...before.waiting, ...before.expected];
  const calls = current?.withDoctorAt ?? current?.calledAt ?? null;
  const early = !all.some(({ arrivedAt }) => arrivedAt);
  const range =
    live && session.state !== "paused"
      ? exactWait({
          early,
          history,
          today: all.flatMap(({ state, doneAt, withDoctorAt, calledAt }) => {
            const from = withDoctorAt ?? calledAt;
            return state === "done" && from && doneAt ? [between(from, doneAt)] : [];
          }),
          inside: calls && between(calls, now),
          waiting: before.waiting.length,
          expected: before.expected.map(({ dueAt }) => between(dueAt, now)),
          start: session.doctorInAt ? null : { late: between(startsAt, now), announced: session.lateMinutes },
        })
      : null;
  // A patient at home need not come before the booked time.
  const untilDue = own.state === "expected" ? between(now, own.dueAt) : 0;
  const shown = range && untilDue > range.low ? { low: untilDue, high: untilDue + range.high - range.low } : range;
  const expected = shown && clockRange(shown, now, session.doctorInAt ? null : doctorExpectedAt(session));
  const leave = expected && own.state === "expected" ? new Date(expected.from.getTime() - minutes(travel)) : null;
  const started = session.doctorInAt ? Math.round(between(startsAt, session.doctorInAt) / 5) * 5 : 0;
  const lateMinutes = session.doctorInAt ? (started >= 15 ? started : 0) : session.lateMinutes;
  // An entry can have moments of earlier ends: it came back since.
  const ended = { done: own.doneAt, left: own.leftAt, "no-show": own.noShowAt, unseen: session.closedAt }[own.state as string] ?? null;
  return {
    number: own.number,
    state: own.state,
    session: session.state,
    nowSeeing: current?.number ?? null,
    ahead: ahead.length,
    emergencies: ahead.filter(({ priority }) => priority === "emergency").length,
    expected,
    range: shown && rounded(shown),
    early: expected !== null && early,
    leaveAt: leave && leave > now ? timeInIndia(leave) : null,
    goNow: leave !== null && leave <= now,
    travel,
    lateMinutes,
    doctorAt: lateMinutes ? timeInIndia(session.doctorInAt ?? doctorExpectedAt(session)) : null,
    calledAt: clock(own.calledAt),
    endedAt: clock(ended),
    may: mayPress(own, session, now),
    sms:
      session.state !== "closed" && (own.state === "expected" || own.state === "arrived" || own.state === "skipped")
        ? own.smsStopped
          ? "stopped"
          : "on"
        : null,
    checkedAt: timeInIndia(now),
    today: todayInIndia(now),
  };
}

type Pressed = Pick<PlainEntry, "state" | "dueAt" | "kind">;
/** Returns which buttons the patient has. "I have arrived" is for the day of the session, from two hours before the booked time. */
export function mayPress(entry: Pressed, session: { state: QueueSessionState; date: string }, now: Date): TokenView["may"] {
  const running = session.state !== "closed";
  const soon = session.date <= todayInIndia(now) && now.getTime() >= entry.dueAt.getTime() - EARLIEST_ARRIVAL;
  return {
    arrive: running && soon && canEntry("arrive", entry.state),
    return: running && entry.state === "skipped",
    leave: running && canEntry("leave", entry.state) && entry.state !== "called",
  };
}
