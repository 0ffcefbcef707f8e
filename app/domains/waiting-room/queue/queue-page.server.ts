import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, hospitals, memberships, placeDoctors, practices, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { hasPermission } from "#app/domains/places/members/permissions.ts";
import { ageAt } from "#app/lib/age.ts";
import { type DateKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { MemberRole, QueueSessionState } from "#app/lib/vocabulary.ts";
import { endOfEntry, reachOf } from "./end-of-entry.ts";
import { canTakeBack, endedByCall } from "./ended-by-call.ts";
import { requireQueue, sessionRow } from "./lock-session.server.ts";
import { canTell } from "./mark-messages.server.ts";
import { isSessionOf, type PlannedSession, planDay, readPlan } from "./plan-day.server.ts";
import { getNamedQueue, getPlainQueue, listSessions, type NamedEntry, type Queue } from "./queries.server.ts";
import { clockOf, type QueueRow, type QueueSessionView, type QueueView, type SessionTab } from "./queue-view.ts";
import { doctorExpectedAt, proposedStart } from "./session-start.ts";

/** Until then an evening's queue that is still open comes first. */
const NIGHT_ENDS = "06:00";
const isRunning = ({ state }: { state: QueueSessionState }) => state === "open" || state === "paused";

/** `planned`: the chosen queue with the tokens that are not stored yet; null if all are. Not for the browser: it has phones. */
export type QueuePageView = QueueView & { planned: Queue<NamedEntry> | null };

export type QueuePractice = { id: string; doctorId: string; doctor: string; place: string | null };

const facts = () => ({
  id: practices.id,
  doctorId: practices.doctorId,
  doctor: sql<string>`${inLanguage(doctors.fullName, doctors.translations, "name", language())}`,
  place: hospitals.name,
});

/** Returns the practices whose queues the actor runs: their own as a doctor, and those of the doctors they act for as a member. */
async function listQueuePractices(ctx: Ctx<Actor>, as: "doctor" | "member"): Promise<QueuePractice[]> {
  const own = ctx.db
    .select(facts())
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice));
  if (as === "doctor")
    return own.where(and(eq(practices.doctorId, ctx.actor.userId), eq(practices.state, "active"))).orderBy(asc(hospitals.name));
  const rows = await ctx.db
    .select({ ...facts(), role: memberships.role })
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
 * Returns the queues that the actor runs today, and one of them: the chosen one, or the one that is running. Tokens that the day's accepted
 * appointments have not been given yet are shown as planning would give them (`planQueue`), and `planned` is the queue with them.
 * @throws DomainError("not-found") for a session that is not theirs, "forbidden" to members who run no queue
 */
export async function getQueuePage(ctx: Ctx<Actor>, as: "doctor" | "member", chosen: string | null): Promise<QueuePageView> {
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
  const plan: PlannedSession[] = [];
  for (const { id } of own) plan.push(...(await readPlan(ctx, { practiceId: id, date: today })));
  const stored = await listSessions(
    ctx,
    own.map(({ id }) => id),
    today,
  );
  const sessions = [...stored, ...plan.flatMap(({ session, isNew }) => (isNew ? session : []))].sort(
    (a, b) => a.date.localeCompare(b.date) || a.startsAt.localeCompare(b.startsAt),
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
  if (!current) return { tabs, startable, today, session: null, planned: null };
  const planned = plan.find(({ session }) => session.id === current.id);
  const queue = await getNamedQueue(ctx, current.id, planned);
  const session = viewSession(ctx, queue, practiceOf(current.practiceId), as);
  return { tabs, startable, today, session, planned: planned ? queue : null };
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

function viewSession(
  ctx: Ctx<Actor>,
  queue: Queue<NamedEntry>,
  practice: QueuePractice,
  as: "doctor" | "member",
): NonNullable<QueueView["session"]> {
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
    slip: entry.code !== "",
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
    announcement: session.state === "planned" ? lastAnnouncement(queue) : null,
    doctorInAt: clockOf(session.doctorInAt),
    pausedAt: clockOf(session.pausedAt),
    closedAt: clockOf(session.closedAt),
    nextNumber: session.lastNumber + 1,
    current: current ? row(current) : null,
    undo: undoOf(queue, current, ctx.now),
    waiting: queue.waiting.map(row),
    expected: queue.expected.map(row),
    skipped: queue.skipped.map(row),
    over: queue.over.map(row),
  };
}

/** Whether the last call can be taken back, and who would be inside again. */
function undoOf(queue: Queue<NamedEntry>, current: NamedEntry | null | undefined, now: Date): { inside: number | null } | null {
  if (current?.state !== "called" || current.callNumber !== queue.session.calls) return null;
  if (!current.calledAt || !canTakeBack(current.calledAt, now)) return null;
  const ended = endedByCall(queue, current.id);
  return ended?.visit === "completed" ? null : { inside: ended?.number ?? null };
}

function lastAnnouncement({ session, ...queue }: Queue<NamedEntry>): QueueSessionView["announcement"] {
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

/**
 * Returns the practice and the day of a session that the actor runs, also of one that is shown and not stored yet.
 * @throws DomainError("not-found" | "forbidden")
 */
async function findDay(ctx: Ctx<Actor>, sessionId: string | undefined): Promise<{ practiceId: string; date: DateKey }> {
  const today = todayInIndia(ctx.now);
  const [stored] = isUuid(sessionId) ? await ctx.db.select(sessionRow).from(queueSessions).where(eq(queueSessions.id, sessionId)) : [];
  if (stored) {
    await requireQueue(ctx, stored.practiceId);
    return stored;
  }
  const own = await listQueuePractices(ctx, ctx.actor.role === "doctor" ? "doctor" : "member");
  const practice = own.find(({ id }) => isSessionOf({ practiceId: id, date: today }, sessionId ?? ""));
  if (!practice) throw new DomainError("not-found");
  return { practiceId: practice.id, date: today };
}

/**
 * Gives the accepted appointments of a session's day their tokens, as its page showed them. Every press of staff begins with it, because reading
 * a page stores nothing. Idempotent.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function planQueue(ctx: Ctx<Actor>, sessionId: string | undefined): Promise<void> {
  const { practiceId, date } = await findDay(ctx, sessionId);
  if (date === todayInIndia(ctx.now)) await planDay(ctx, { practiceId, date });
}

/** Returns what is printed for a patient at the desk. @throws DomainError("not-found" | "forbidden") */
export async function getSlip(ctx: Ctx<Actor>, sessionId: string, entryId: string) {
  const queue = await getPlainQueue(ctx, sessionId);
  await requireQueue(ctx, queue.session.practiceId);
  const entry = [...queue.expected, ...queue.waiting, ...queue.called, ...queue.skipped, ...queue.over].find(({ id }) => id === entryId);
  const [practice] = await ctx.db
    .select(facts())
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
  const day = await findDay(ctx, sessionId);
  const plan = await readPlan(ctx, day);
  const queue = await getNamedQueue(
    ctx,
    sessionId,
    plan.find(({ session }) => session.id === sessionId),
  );
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
