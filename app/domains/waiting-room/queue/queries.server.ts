import { and, asc, eq, inArray, or } from "drizzle-orm";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { IS_SIGNED } from "./is-signed.server.ts";
import { isWaiting } from "./is-waiting.ts";
import { type QueueSession, sessionRow } from "./lock-session.server.ts";
import { orderQueue, turnOf } from "./order.ts";
import type { PlannedEntry, PlannedSession } from "./plan-day.server.ts";
import { asOfNow } from "./session-end.ts";

/** Returns a session as it is now, without checking access. @throws DomainError("not-found") */
export async function findSession(ctx: Ctx, id: string | undefined): Promise<QueueSession> {
  const [row] = isUuid(id) ? await ctx.db.select(sessionRow).from(queueSessions).where(eq(queueSessions.id, id)) : [];
  if (!row) throw new DomainError("not-found");
  return asOfNow(row, ctx.now);
}

/** Returns the sessions of practices on a day as they are now, with those of the day before that are still running after midnight. Does not check access. */
export async function listSessions(
  ctx: Ctx,
  practiceIds: readonly string[],
  date: DateKey = todayInIndia(ctx.now),
): Promise<QueueSession[]> {
  if (!practiceIds.length) return [];
  const rows = await ctx.db
    .select(sessionRow)
    .from(queueSessions)
    .where(
      and(
        inArray(queueSessions.practiceId, [...practiceIds]),
        or(eq(queueSessions.date, date), and(eq(queueSessions.date, addDays(date, -1)), inArray(queueSessions.state, ["open", "paused"]))),
      ),
    )
    .orderBy(asc(queueSessions.date), asc(queueSessions.startsAt));
  return rows.map((row) => asOfNow(row, ctx.now));
}

const entryRow = {
  id: queueEntries.id,
  number: queueEntries.number,
  kind: queueEntries.kind,
  state: queueEntries.state,
  priority: queueEntries.priority,
  appointmentId: queueEntries.appointmentId,
  patientId: queueEntries.patientId,
  code: queueEntries.code,
  age: queueEntries.age,
  birthDate: queueEntries.birthDate,
  gender: queueEntries.gender,
  dueAt: queueEntries.dueAt,
  arrivedAt: queueEntries.arrivedAt,
  calledAt: queueEntries.calledAt,
  withDoctorAt: queueEntries.withDoctorAt,
  doneAt: queueEntries.doneAt,
  skippedAt: queueEntries.skippedAt,
  leftAt: queueEntries.leftAt,
  noShowAt: queueEntries.noShowAt,
  callNumber: queueEntries.callNumber,
  returnedAtCall: queueEntries.returnedAtCall,
  soonSmsAt: queueEntries.soonSmsAt,
  lateSmsAt: queueEntries.lateSmsAt,
  smsStopped: queueEntries.smsStopped,
};
type Row = Pick<typeof queueEntries.$inferSelect, keyof typeof entryRow>;
/** An entry without name and phone: what pages of patients and screens may read. */
export type PlainEntry = Row;
/** `visit`: the status of the appointment. `signed`: the prescription is signed. */
export type NamedEntry = Row & { name: string; phone: string; visit: AppointmentStatus | null; signed: boolean };

/** A session by the state of its entries. `waiting` is in the order of the calls. */
export type Queue<E extends Row> = {
  session: QueueSession;
  withDoctor: E | null;
  called: E[];
  waiting: E[];
  expected: E[];
  skipped: E[];
  over: E[];
};

const isLive = ({ state }: Row) => (LIVE_STATES as readonly string[]).includes(state);

function sorted<E extends Row>(session: QueueSession, stored: E[]): Queue<E> {
  // A session that ended by itself has entries that the sweep has not changed yet.
  const entries = session.state === "closed" ? stored.map((one) => (isLive(one) ? { ...one, state: "lapsed" as const } : one)) : stored;
  const by = (...states: Row["state"][]) => entries.filter(({ state }) => states.includes(state));
  return {
    session,
    withDoctor: by("with-doctor")[0] ?? null,
    called: by("called").sort((a, b) => (a.callNumber ?? 0) - (b.callNumber ?? 0)),
    waiting: orderQueue(entries.filter(isWaiting), turnOf(session.calls, entries)),
    expected: by("expected").sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || a.number - b.number),
    skipped: by("skipped"),
    over: by("done", "left", "no-show", "unseen", "lapsed"),
  };
}

/** Returns a session with its entries, without names. Does not check access. @throws DomainError("not-found") */
export async function getPlainQueue(ctx: Ctx, sessionId: string): Promise<Queue<PlainEntry>> {
  const session = await findSession(ctx, sessionId);
  const entries = await ctx.db
    .select(entryRow)
    .from(queueEntries)
    .where(eq(queueEntries.sessionId, session.id))
    .orderBy(queueEntries.number);
  return sorted(session, entries);
}

/**
 * Returns a session with names, for the staff who run it, and with what planning would add to it. The caller has checked access.
 * @throws DomainError("not-found")
 */
export async function getNamedQueue(ctx: Ctx, sessionId: string, planned?: PlannedSession): Promise<Queue<NamedEntry>> {
  const added = (planned?.added ?? []).map(asEntry);
  if (planned?.isNew) return sorted(planned.session, added);
  const session = planned?.session ?? (await findSession(ctx, sessionId));
  const entries = await ctx.db
    .select({
      ...entryRow,
      name: opened(queueEntries.name),
      phone: opened(queueEntries.phone),
      visit: appointments.status,
      signed: IS_SIGNED,
    })
    .from(queueEntries)
    .leftJoin(appointments, eq(appointments.id, queueEntries.appointmentId))
    .where(eq(queueEntries.sessionId, session.id))
    .orderBy(queueEntries.number);
  return sorted(session, [...entries, ...added]);
}

/** Returns a planned entry as it will be stored. It has no address yet. */
const asEntry = ({ time: _, ...entry }: PlannedEntry): NamedEntry => ({
  ...entry,
  ...{ kind: "booked", state: "expected", priority: "normal", code: "", visit: "accepted", signed: false, smsStopped: false },
  ...{ arrivedAt: null, calledAt: null, withDoctorAt: null, doneAt: null, skippedAt: null, leftAt: null, noShowAt: null },
  ...{ callNumber: null, returnedAtCall: null, soonSmsAt: null, lateSmsAt: null },
});
