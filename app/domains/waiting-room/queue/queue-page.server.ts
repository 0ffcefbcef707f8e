import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { doctors, hospitals, memberships, placeDoctors, practices, queueEntries } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { hasPermission } from "#app/domains/places/members/permissions.ts";
import { ageAt } from "#app/lib/age.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { MemberRole, QueueSessionState } from "#app/lib/vocabulary.ts";
import { endOfEntry, reachOf } from "./end-of-entry.ts";
import { placeOfPractice, requireQueue } from "./lock-session.server.ts";
import { canTell } from "./mark-messages.server.ts";
import { planDay } from "./plan-day.server.ts";
import { getNamedQueue, getPlainQueue, listSessions, type NamedEntry, type Queue } from "./queries.server.ts";
import { clockOf, type QueueRow, type QueueSessionView, type QueueView, type SessionTab } from "./queue-view.ts";
import { doctorExpectedAt, proposedStart } from "./session-start.ts";

/** Until then an evening's queue that is still open comes first. */
const NIGHT_ENDS = "06:00";
const isRunning = ({ state }: { state: QueueSessionState }) => state === "open" || state === "paused";

export type QueuePractice = { id: string; doctorId: string; doctor: string; place: string | null };

const facts = { id: practices.id, doctorId: practices.doctorId, doctor: doctors.fullName, place: hospitals.name };

/** Returns the practices whose queues the actor runs: their own as a doctor, and those of the doctors they act for as a member. */
async function listQueuePractices(ctx: Ctx<Actor>, as: "doctor" | "member"): Promise<QueuePractice[]> {
  const own = ctx.db
    .select(facts)
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice));
  if (as === "doctor")
    return own.where(and(eq(practices.doctorId, ctx.actor.userId), eq(practices.state, "active"))).orderBy(asc(hospitals.name));
  const rows = await ctx.db
    .select({ ...facts, role: memberships.role })
    .from(memberships)
    .innerJoin(placeDoctors, and(eq(placeDoctors.hospitalId, memberships.hospitalId), eq(placeDoctors.state, "active")))
    .innerJoin(doctors, and(eq(doctors.id, placeDoctors.doctorId), listedDoctor(doctors)))
    .innerJoin(practices, and(eq(practices.doctorId, doctors.id), eq(practices.state, "active")))
    .innerJoin(hospitals, and(eq(hospitals.id, memberships.hospitalId), listedHospital(hospitals)))
    .where(
      and(
        eq(memberships.userId, ctx.actor.userId),
        eq(memberships.state, "active"),
        eq(memberships.hospitalId, placeOfPractice),
        sql`(cardinality(${memberships.doctorIds}) = 0 or ${doctors.id} = any(${memberships.doctorIds}))`,
      ),
    )
    .orderBy(asc(doctors.fullName), asc(doctors.id));
  return rows.filter(({ role }) => hasPermission(role as MemberRole, "run-queue")).map(({ role: _, ...practice }) => practice);
}

/**
 * Returns the queues that the actor runs today, and one of them: the chosen one, or the one that is running. Gives the accepted appointments of today
 * their tokens first.
 * @throws DomainError("not-found") for a session that is not theirs, "forbidden" to members who run no queue
 */
export async function getQueuePage(ctx: Ctx<Actor>, as: "doctor" | "member", chosen: string | null): Promise<QueueView> {
  const own = await listQueuePractices(ctx, as);
  if (as === "member" && !own.length) {
    const [member] = await ctx.db
      .select({ role: memberships.role })
      .from(memberships)
      .where(
        and(eq(memberships.userId, ctx.actor.userId), eq(memberships.state, "active"), inArray(memberships.role, ["owner", "reception"])),
      )
      .limit(1);
    if (!member) throw new DomainError("forbidden");
  }
  const today = todayInIndia(ctx.now);
  for (const { id } of own) await planDay(ctx, { practiceId: id, date: today });
  const sessions = await listSessions(
    ctx,
    own.map(({ id }) => id),
    today,
  );
  const waiting = await countWaiting(
    ctx,
    sessions.map(({ id }) => id),
  );
  const practiceOf = (id: string) => own.find((practice) => practice.id === id)!;
  const tabs: SessionTab[] = sessions.map(({ id, practiceId, part, state, date }) => ({
    id,
    doctor: practiceOf(practiceId).doctor,
    part,
    state,
    date,
    waiting: waiting.get(id) ?? 0,
  }));
  const current = chosen
    ? sessions.find(({ id }) => id === chosen)
    : (sessions.find((session) => isRunning(session) && session.date === today) ??
      (timeInIndia(ctx.now) < NIGHT_ENDS ? sessions.find(isRunning) : undefined) ??
      sessions.find(({ state }) => state === "planned") ??
      sessions.find(isRunning) ??
      sessions.at(-1));
  if (chosen && !current) throw new DomainError("not-found");
  // A practice without a session that can still run: its doctor came without booked patients.
  const startable = own
    .filter(({ id }) => !sessions.some((session) => session.practiceId === id && session.date === today && session.state !== "closed"))
    .map(({ id, doctor, place }) => ({ id, doctor, place }));
  return { tabs, startable, today, session: current ? await readSession(ctx, current.id, practiceOf(current.practiceId), as) : null };
}

async function countWaiting(ctx: Ctx, ids: string[]): Promise<Map<string, number>> {
  if (!ids.length) return new Map();
  const rows = await ctx.db
    .select({ id: queueEntries.sessionId, count: sql<number>`count(*)::int` })
    .from(queueEntries)
    .where(and(inArray(queueEntries.sessionId, ids), eq(queueEntries.state, "arrived")))
    .groupBy(queueEntries.sessionId);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

async function readSession(
  ctx: Ctx<Actor>,
  id: string,
  practice: QueuePractice,
  as: "doctor" | "member",
): Promise<NonNullable<QueueView["session"]>> {
  const queue = await getNamedQueue(ctx, id);
  const { session } = queue;
  const row = (entry: NamedEntry): QueueRow => ({
    id: entry.id,
    number: entry.number,
    name: entry.name,
    age: entry.age === null ? null : ageAt(entry.age, entry.birthDate, session.date),
    gender: entry.gender,
    kind: entry.kind,
    state: entry.state,
    emergency: entry.priority === "emergency",
    due: clockOf(entry.dueAt),
    arrived: clockOf(entry.arrivedAt),
    called: clockOf(entry.calledAt),
    entered: clockOf(entry.withDoctorAt),
    visit: as === "doctor" ? entry.appointmentId : null,
    toComplete: as === "doctor" && entry.visit === "accepted",
    request: entry.visit === "pending",
    toUndo: entry.state === "done" && (entry.appointmentId === null || entry.visit === "accepted"),
  });
  const current = queue.called.at(-1) ?? queue.withDoctor;
  return {
    id: session.id,
    doctor: practice.doctor,
    place: practice.place,
    date: session.date,
    part: session.part,
    state: session.state,
    startsAt: session.startsAt.slice(0, 5),
    endsAt: session.endsAt.slice(0, 5),
    lateMinutes: session.lateMinutes,
    start:
      session.state === "planned"
        ? {
            expected: timeInIndia(doctorExpectedAt(session)),
            proposed: timeInIndia(proposedStart(session, ctx.now)),
            tells: canTell(session, ctx.now) ? queue.expected.filter(({ smsStopped, phone }) => !smsStopped && phone).length : 0,
          }
        : null,
    told: session.state === "planned" ? toldOf(queue) : null,
    doctorInAt: clockOf(session.doctorInAt),
    pausedAt: clockOf(session.pausedAt),
    closedAt: clockOf(session.closedAt),
    nextNumber: session.lastNumber + 1,
    current: current ? row(current) : null,
    waiting: queue.waiting.map(row),
    expected: queue.expected.map(row),
    skipped: queue.skipped.map(row),
    over: queue.over.map(row),
  };
}

function toldOf({ session, ...queue }: Queue<NamedEntry>): QueueSessionView["told"] {
  const lateMinutes = session.toldLateMinutes;
  const sent = [...queue.waiting, ...queue.expected, ...queue.skipped, ...queue.over].filter(({ lateSmsAt }) => lateSmsAt);
  if (lateMinutes === null || !sent.length) return null;
  const at = Math.max(...sent.map(({ lateSmsAt }) => lateSmsAt!.getTime()));
  const last = sent.filter(({ lateSmsAt }) => lateSmsAt!.getTime() === at);
  const sms = last.filter(({ phone }) => phone).length;
  return {
    at: timeInIndia(new Date(at)),
    expected: timeInIndia(doctorExpectedAt({ ...session, lateMinutes })),
    sms,
    unreachable: last.length - sms,
  };
}

/** Returns what is printed for a patient at the desk. @throws DomainError("not-found" | "forbidden") */
export async function getSlip(ctx: Ctx<Actor>, sessionId: string, entryId: string) {
  const queue = await getPlainQueue(ctx, sessionId);
  await requireQueue(ctx, queue.session.practiceId);
  const entry = [...queue.expected, ...queue.waiting, ...queue.called, ...queue.skipped, ...queue.over].find(({ id }) => id === entryId);
  const [practice] = await ctx.db
    .select(facts)
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(eq(practices.id, queue.session.practiceId));
  if (!entry || !practice) throw new DomainError("not-found");
  const { date, part } = queue.session;
  return { number: entry.number, code: entry.code, doctor: practice.doctor, place: practice.place, date, part };
}

/**
 * Returns what is still open in a session and how it ends, for the page that asks before closing it. `unseen` are patients whose turn did not come.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function getQueueSession(ctx: Ctx<Actor>, sessionId: string) {
  const queue = await getNamedQueue(ctx, sessionId);
  await requireQueue(ctx, queue.session.practiceId);
  const { state, date, part } = queue.session;
  const entries = [...queue.called, ...(queue.withDoctor ? [queue.withDoctor] : []), ...queue.waiting, ...queue.skipped, ...queue.expected];
  const ends = entries
    .sort((a, b) => a.number - b.number)
    .map((entry) => ({ ...entry, end: endOfEntry(entry, queue.session, ctx.now, "staff") }));
  const named = ({ id, number, name }: NamedEntry) => ({ id, number, name });
  return {
    session: { state, date, part },
    now: clockOf(ctx.now),
    unseen: ends
      .filter(({ end }) => end === "unseen")
      .map((entry) => ({
        ...named(entry),
        age: entry.age === null ? null : ageAt(entry.age, entry.birthDate, date),
        gender: entry.gender,
        isHere: entry.state !== "expected",
        since: clockOf(entry.state === "expected" ? entry.dueAt : (entry.arrivedAt ?? entry.dueAt)),
        reach: reachOf(entry),
      })),
    inside: ends.filter(({ end }) => end === "finish" || end === "complete").map(named),
    missed: ends.filter(({ end }) => end === "miss").map(named),
    seen: queue.over.filter(({ state }) => state === "done").length,
  };
}
