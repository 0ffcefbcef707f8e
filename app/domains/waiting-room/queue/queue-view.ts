import type { Age } from "#app/lib/age.ts";
import { type DateKey, type TimeKey, timeInIndia } from "#app/lib/dates.ts";
import type { Gender, QueueEntryState, QueueKind, QueueSessionState } from "#app/lib/vocabulary.ts";
import type { QueuePart } from "./parts.ts";

/** A patient on the pages of staff. Times are those of India, "HH:mm". */
export type QueueRow = {
  id: string;
  number: number;
  name: string;
  /** On the day of the session. */
  age: Age | null;
  gender: Gender | null;
  kind: QueueKind;
  state: QueueEntryState;
  emergency: boolean;
  due: TimeKey;
  arrived: TimeKey | null;
  called: TimeKey | null;
  entered: TimeKey | null;
  /** The appointment, on the doctor's page. */
  visit: string | null;
  /** The doctor has not accepted the appointment yet. */
  request: boolean;
  /** The token has an address to print. Not before it is stored. */
  slip: boolean;
  /** Done, and its appointment is still accepted. */
  toComplete: boolean;
  /** Done, and may return to the queue: marked by mistake. */
  toUndo: boolean;
};

/** A patient of a phone with the typed name, to choose from. `number`: their token in this session. */
export type SameName = { name: string; number: number | null };

export type SessionTab = { id: string; doctor: string; part: QueuePart; state: QueueSessionState; date: DateKey; waiting: number };

/** What the pages of a queue show. `startable`: practices without a session that can still run today. */
export type QueueView = {
  tabs: SessionTab[];
  startable: { id: string; doctor: string; place: string | null }[];
  today: DateKey;
  session: {
    id: string;
    doctor: string;
    place: string | null;
    date: DateKey;
    part: QueuePart;
    state: QueueSessionState;
    startsAt: TimeKey;
    endsAt: TimeKey;
    lateMinutes: number;
    /** Before the doctor is in: when the doctor is expected, the time that the form proposes, and how many patients get an SMS of it. */
    start: { expected: TimeKey; proposed: TimeKey; tells: number } | null;
    /** The last announcement of a late doctor, until the doctor is in: who was at home with a phone, and without one. null: none was sent. */
    announcement: { at: TimeKey; expected: TimeKey; sms: number; unreachable: number } | null;
    doctorInAt: TimeKey | null;
    pausedAt: TimeKey | null;
    closedAt: TimeKey | null;
    nextNumber: number;
    current: QueueRow | null;
    /** The current patient is called and not in yet: the call can be taken back. `inside`: the token whose visit it ended. */
    undo: { inside: number | null } | null;
    waiting: QueueRow[];
    expected: QueueRow[];
    skipped: QueueRow[];
    over: QueueRow[];
  } | null;
};
export type QueueSessionView = NonNullable<QueueView["session"]>;

/** Returns the time in India of an instant. */
export function clockOf(at: Date): TimeKey;
export function clockOf(at: Date | null): TimeKey | null;
export function clockOf(at: Date | null): TimeKey | null {
  return at && timeInIndia(at);
}
