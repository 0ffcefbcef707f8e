import { and, eq, inArray, or, type SQL } from "drizzle-orm";
import { doctors, practices, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { asOfNow } from "./session-end.ts";

/** What queries select of a session. */
export const sessionRow = {
  id: queueSessions.id,
  practiceId: queueSessions.practiceId,
  doctorId: queueSessions.doctorId,
  date: queueSessions.date,
  part: queueSessions.part,
  state: queueSessions.state,
  startsAt: queueSessions.startsAt,
  endsAt: queueSessions.endsAt,
  calls: queueSessions.calls,
  lastNumber: queueSessions.lastNumber,
  seats: queueSessions.seats,
  lateMinutes: queueSessions.lateMinutes,
  toldLateMinutes: queueSessions.toldLateMinutes,
  doctorInAt: queueSessions.doctorInAt,
  pausedAt: queueSessions.pausedAt,
  closedAt: queueSessions.closedAt,
};
type Row = typeof queueSessions.$inferSelect;
export type QueueSession = Pick<Row, keyof typeof sessionRow>;

/** Locks a session until the end of the transaction: its commands run one after the other. Returns it as it is now. @throws DomainError("not-found") */
export const lockSession = async (tx: Ctx, sessionId: string | undefined): Promise<QueueSession> =>
  asOfNow(await lockStoredSession(tx, sessionId), tx.now);

/** Locks a session as lockSession does, and returns it as it is stored: one that ended by itself can still be planned. @throws DomainError("not-found") */
export async function lockStoredSession(tx: Ctx, sessionId: string | undefined): Promise<QueueSession> {
  if (!isUuid(sessionId)) throw new DomainError("not-found");
  const [row] = await tx.db.select(sessionRow).from(queueSessions).where(eq(queueSessions.id, sessionId)).for("no key update");
  if (!row) throw new DomainError("not-found");
  return row;
}

/**
 * Locks the sessions of these appointments in the order of their ids, before a command changes several of them: without it two commands could
 * wait for each other. `patientId`: also the sessions in which this patient has a token without an appointment.
 */
export async function lockSessionsOf(tx: Ctx, appointmentIds: readonly string[], patientId?: string): Promise<void> {
  const of = patientId === undefined ? undefined : eq(queueEntries.patientId, patientId);
  const entries = tx.db
    .select({ id: queueEntries.sessionId })
    .from(queueEntries)
    .where(and(or(inArray(queueEntries.appointmentId, [...appointmentIds]), of), inArray(queueEntries.state, [...LIVE_STATES])));
  await lockWhere(tx, inArray(queueSessions.id, entries));
}

/** Locks these sessions in the order of their ids. */
export const lockSessionsById = (tx: Ctx, ids: string[]): Promise<unknown> => lockWhere(tx, inArray(queueSessions.id, ids));

async function lockWhere(tx: Ctx, which: SQL): Promise<void> {
  await tx.db.select({ id: queueSessions.id }).from(queueSessions).where(which).orderBy(queueSessions.id).for("no key update");
}

/**
 * Checks that the actor runs the queues of a practice: its doctor, or a member of its place with "run-queue". Returns their context; that of a
 * member names place and doctor.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function requireQueue<A extends Actor>(ctx: Ctx<A>, practiceId: string | undefined): Promise<Ctx<A>> {
  if (!isUuid(practiceId)) throw new DomainError("not-found");
  const [practice] = await ctx.db
    .select({ doctorId: practices.doctorId, hospitalId: placeOfPractice, state: practices.state })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .where(eq(practices.id, practiceId));
  if (!practice) throw new DomainError("not-found");
  if (ctx.actor.role === "doctor" && ctx.actor.userId === practice.doctorId) return ctx;
  if (practice.state !== "active" || !practice.hospitalId) throw new DomainError("not-found");
  return (await requireActing(ctx, practice.hospitalId, "run-queue", practice.doctorId)) as unknown as Ctx<A>;
}

/** Checks access as requireQueue does, then locks the session. Every command of staff starts with it. @throws DomainError("not-found" | "forbidden") */
export async function lockOwnSession<A extends Actor>(
  outer: Ctx<A>,
  sessionId: string | undefined,
): Promise<{ tx: Ctx<A>; session: QueueSession }> {
  const session = await lockSession(outer, sessionId);
  return { tx: await requireQueue(outer, session.practiceId), session };
}
