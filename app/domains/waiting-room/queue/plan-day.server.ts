import { and, asc, eq, inArray, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import { appointments, doctors, practiceHours, practices, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import { type DateKey, instantInIndia, type TimeKey, weekdayOf } from "#app/lib/dates.ts";
import { uuidOf } from "#app/lib/ids.server.ts";
import { PARTS_OF_DAY } from "#app/lib/vocabulary.ts";
import { env } from "#app/runtime/env.server.ts";
import { addEntry, type NewEntry, personKeyOf } from "./add-entry.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { lockSession, type QueueSession, sessionRow } from "./lock-session.server.ts";
import { type PlannedPart, partOfTime, partsOf } from "./parts.ts";
import { queueChanged } from "./queue-changed.server.ts";
import { asOfNow } from "./session-end.ts";

type Day = { practiceId: string; date: DateKey };
const clock = (time: string): TimeKey => time.slice(0, 5);

/** SQL: the doctor of a practice. Times and appointments are found by doctor and date: no index begins with the practice. */
const doctorOf = (practiceId: string) => sql`(select p.doctor_id from practices p where p.id = ${practiceId})`;

/**
 * The id that planning gives. A page that is read before the day is planned shows it, and the first press finds what planning stored under it.
 * A keyed hash: whoever knows an id may listen to the changes of its session.
 */
const plannedId = (...of: string[]) => uuidOf(hmac(of.join("|"), env().encryptionKeys.at(-1)!, "queue-id"));
const sessionIdOf = ({ practiceId, date }: Day, part: PlannedPart["part"]) => plannedId("session", practiceId, date, part);
const entryIdOf = (sessionId: string, appointmentId: string, dueAt: Date) =>
  plannedId("entry", sessionId, appointmentId, dueAt.toISOString());

/** True if this is the id that planning gives a session of this day. */
export const isSessionOf = (day: Day, sessionId: string): boolean => PARTS_OF_DAY.some((part) => sessionIdOf(day, part) === sessionId);

/**
 * Returns the ids of the sessions of a day: of those that are stored, and those that planning will give the others, so that an open agenda hears of a
 * queue's first change too. `hospitalId`: only practices at this place. The caller has checked access.
 */
export async function listSessionIds(
  ctx: Ctx,
  { doctorIds, hospitalId }: { doctorIds: readonly string[]; hospitalId?: string | undefined },
  date: DateKey,
): Promise<string[]> {
  if (!doctorIds.length) return [];
  const rows = await ctx.db
    .select({ practiceId: practices.id, id: queueSessions.id, part: queueSessions.part })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(queueSessions, and(eq(queueSessions.practiceId, practices.id), eq(queueSessions.date, date)))
    .where(
      and(
        inArray(practices.doctorId, [...doctorIds]),
        eq(practices.state, "active"),
        hospitalId === undefined ? undefined : eq(placeOfPractice, hospitalId),
      ),
    );
  return [...Map.groupBy(rows, ({ practiceId }) => practiceId)].flatMap(([practiceId, stored]) =>
    PARTS_OF_DAY.map((part) => stored.find((row) => row.part === part)?.id ?? sessionIdOf({ practiceId, date }, part)),
  );
}

/**
 * Returns the sessions that a practice has on a day: by its weekly hours, and where it has none by its times and appointments.
 */
export async function findParts(ctx: Ctx, { practiceId, date }: Day): Promise<PlannedPart[]> {
  const hours = await ctx.db
    .select({ from: practiceHours.from, until: practiceHours.until })
    .from(practiceHours)
    .where(and(eq(practiceHours.practiceId, practiceId), eq(practiceHours.weekday, weekdayOf(date))));
  const times = await ctx.db.execute<{ from: string; until: string }>(sql`
    select to_char(t.time, 'HH24:MI') as "from", to_char(least(t.time::interval + make_interval(mins => t.minutes), interval '23:59'), 'HH24:MI') as "until" from (
      select time, minutes::int as minutes from availability_slots
        where doctor_id = ${doctorOf(practiceId)} and practice_id = ${practiceId} and date = ${date}
      union select time, minutes::int from appointments
        where doctor_id = ${doctorOf(practiceId)} and practice_id = ${practiceId} and date = ${date} and status <> 'cancelled') t`);
  return partsOf([...hours.map(({ from, until }) => ({ from: clock(from), until: clock(until) })), ...times]);
}

/** Returns the session of a part of a day, creates it as planned, and locks it. Idempotent. */
export const ensureSession = async (tx: Ctx, of: Day & { part: PlannedPart }): Promise<QueueSession> =>
  lockSession(tx, await ensureSessionId(tx, of));

/** Returns the id of the session of a part of a day, and creates it as planned. Idempotent. */
export async function ensureSessionId(tx: Ctx, { practiceId, date, part }: Day & { part: PlannedPart }): Promise<string> {
  const [practice] = await tx.db.select({ doctorId: practices.doctorId }).from(practices).where(eq(practices.id, practiceId));
  const [made] = await tx.db
    .insert(queueSessions)
    .values({
      id: sessionIdOf({ practiceId, date }, part.part),
      practiceId,
      doctorId: practice!.doctorId,
      date,
      part: part.part,
      startsAt: part.from,
      endsAt: part.until,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    .onConflictDoNothing()
    .returning({ id: queueSessions.id });
  if (made) {
    await recordChange(tx, "queue-session.plan", {
      subject: { "queue-session": made.id },
      people: { doctor: practice!.doctorId },
      data: { to: "planned", date },
    });
    return made.id;
  }
  const [row] = await tx.db
    .select({ id: queueSessions.id })
    .from(queueSessions)
    .where(and(eq(queueSessions.practiceId, practiceId), eq(queueSessions.date, date), eq(queueSessions.part, part.part)));
  return row!.id;
}

/**
 * Accepted appointments of the day without an entry in it. An entry that ended when the appointment was moved does not count: its time was
 * another one. An appointment with a token has had its entry since it was booked.
 */
const withoutEntry = (ctx: Ctx, { practiceId, date }: Day) =>
  and(
    eq(appointments.doctorId, doctorOf(practiceId)),
    eq(appointments.practiceId, practiceId),
    eq(appointments.date, date),
    eq(appointments.status, "accepted"),
    notExists(
      ctx.db
        .select({ id: queueEntries.id })
        .from(queueEntries)
        .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
        .where(
          and(
            eq(queueEntries.appointmentId, appointments.id),
            eq(queueSessions.practiceId, practiceId),
            eq(queueSessions.date, date),
            or(
              ne(queueEntries.kind, "booked"),
              eq(queueEntries.sessionId, appointments.queueSessionId),
              inArray(queueEntries.state, [...LIVE_STATES]),
              sql`${queueEntries.dueAt} = (${appointments.date} + ${appointments.time}) at time zone 'Asia/Kolkata'`,
            ),
          ),
        ),
    ),
  );

/** Returns appointments in the order in which they get their tokens. */
const listUnplanned = (ctx: Ctx, where: SQL | undefined) =>
  ctx.db
    .select({
      id: appointments.id,
      patientId: appointments.patientId,
      name: appointments.patientName,
      phone: appointments.patientPhone,
      age: appointments.patientAge,
      birthDate: appointments.patientBirthDate,
      gender: appointments.patientGender,
      time: appointments.time,
    })
    .from(appointments)
    .where(where)
    .orderBy(asc(appointments.time), asc(appointments.createdAt), asc(appointments.id));

/** An entry that planning would add. */
export type PlannedEntry = Awaited<ReturnType<typeof listUnplanned>>[number] & { appointmentId: string; number: number; dueAt: Date };
/** A session as planning would leave it. `isNew`: it is not stored yet. `added`: the entries that are not. */
export type PlannedSession = { session: QueueSession; isNew: boolean; added: PlannedEntry[] };

/**
 * Returns what `planDay` would write now, and writes nothing: pages that are read before the first press show it. Empty when all is stored. The caller
 * has checked access.
 */
export const readPlan = async (ctx: Ctx, day: Day): Promise<PlannedSession[]> => comparePlan(ctx, day, await findParts(ctx, day));

async function comparePlan(ctx: Ctx, day: Day, parts: readonly PlannedPart[]): Promise<PlannedSession[]> {
  if (!parts.length) return [];
  const [rows, stored] = await Promise.all([
    listUnplanned(ctx, withoutEntry(ctx, day)),
    ctx.db
      .select(sessionRow)
      .from(queueSessions)
      .where(and(eq(queueSessions.practiceId, day.practiceId), eq(queueSessions.date, day.date))),
  ]);
  if (!rows.length && parts.every(({ part }) => stored.some((session) => session.part === part))) return [];
  const [practice] = await ctx.db.select({ doctorId: practices.doctorId }).from(practices).where(eq(practices.id, day.practiceId));
  const plan: PlannedSession[] = [];
  for (const part of parts) {
    const known = stored.find((session) => session.part === part.part);
    const session = asOfNow(known ?? newSession(day, practice!.doctorId, part), ctx.now);
    const due = session.state === "closed" ? [] : rows.filter(({ time }) => partOfTime(parts, clock(time)) === part);
    const people = known && due.length ? await listPeople(ctx, session.id) : new Map<string, boolean>();
    const added: PlannedEntry[] = [];
    let isLinked = false;
    for (const { id: appointmentId, ...patient } of due) {
      const person = personKeyOf(patient.phone, patient.name);
      // A walk-in who has booked keeps the token.
      isLinked ||= people.get(person) === false;
      if (people.has(person)) continue;
      people.set(person, true);
      const dueAt = instantInIndia(day.date, clock(patient.time));
      const number = session.lastNumber + added.length + 1;
      added.push({ ...patient, id: entryIdOf(session.id, appointmentId, dueAt), appointmentId, number, dueAt });
    }
    if (!known || added.length || isLinked)
      plan.push({ session: { ...session, lastNumber: session.lastNumber + added.length }, isNew: !known, added });
  }
  return plan;
}

const newSession = (day: Day, doctorId: string, { part, from, until }: PlannedPart): QueueSession => ({
  ...{ id: sessionIdOf(day, part), ...day, doctorId, part, state: "planned", startsAt: from, endsAt: until },
  ...{ calls: 0, lastNumber: 0, seats: null, lateMinutes: 0, toldLateMinutes: null, doctorInAt: null, pausedAt: null, closedAt: null },
});

/** Returns the keys of the patients who are in a session, and whether each has an appointment in it. */
async function listPeople(ctx: Ctx, sessionId: string): Promise<Map<string, boolean>> {
  const rows = await ctx.db
    .select({ key: queueEntries.personKey, appointmentId: queueEntries.appointmentId })
    .from(queueEntries)
    .where(and(eq(queueEntries.sessionId, sessionId), inArray(queueEntries.state, [...LIVE_STATES])));
  return new Map(rows.flatMap(({ key, appointmentId }) => (key === null ? [] : [[key, appointmentId !== null] as const])));
}

/**
 * Creates the sessions of a practice's day, and gives each accepted appointment a token in the order of time. Writes nothing when all have one. A
 * closed session gets no more entries. Idempotent. The caller has checked access.
 */
export async function planDay(ctx: Ctx, day: Day): Promise<void> {
  const parts = await findParts(ctx, day);
  if (!(await comparePlan(ctx, day, parts)).length) return;
  // One transaction for each session: a command that cancels appointments of several sessions locks them in another order.
  for (const part of parts) await transact(ctx, (tx) => planPart(tx, day, parts, part));
}

/** Plans one session of the day: `part` is one of `parts`. Locks no other session. */
async function planPart(tx: Ctx, day: Day, parts: readonly PlannedPart[], part: PlannedPart): Promise<void> {
  // Before the session, and in the order of their ids, as all commands (`lockVisits`): a cancellation at the same moment is either seen
  // here or sees the new token.
  const locked = await tx.db
    .select({ id: appointments.id })
    .from(appointments)
    .where(withoutEntry(tx, day))
    .orderBy(asc(appointments.id))
    .for("share");
  const known = await tx.db.$count(
    queueSessions,
    and(eq(queueSessions.practiceId, day.practiceId), eq(queueSessions.date, day.date), eq(queueSessions.part, part.part)),
  );
  const session = await ensureSession(tx, { ...day, part });
  let changed = known === 0;
  // Read after locking the session, so that two requests give one token. An appointment accepted meanwhile gets it by the next request.
  const rows = await listUnplanned(
    tx,
    and(
      withoutEntry(tx, day),
      inArray(
        appointments.id,
        locked.map(({ id }) => id),
      ),
    ),
  );
  for (const { id, time, ...patient } of rows) {
    if (partOfTime(parts, clock(time)) !== part || session.state === "closed") continue;
    const dueAt = instantInIndia(day.date, clock(time));
    const added = await addBooked(tx, session, { ...patient, id: entryIdOf(session.id, id, dueAt), appointmentId: id, dueAt });
    changed ||= added;
  }
  // Open pages load again on this message: without a change it would never end.
  if (changed) await queueChanged(tx, session);
}

type Booked = Pick<NewEntry, "id" | "name" | "phone" | "age" | "birthDate" | "gender" | "dueAt"> & {
  appointmentId: string;
  patientId: string;
};
/**
 * Gives an appointment its token. A patient who walked in before keeps the first token, and one with two appointments in a session has one.
 * Returns false if nothing was written.
 */
async function addBooked(tx: Ctx, session: QueueSession, booked: Booked): Promise<boolean> {
  const [known] = await tx.db
    .select({ id: queueEntries.id, appointmentId: queueEntries.appointmentId })
    .from(queueEntries)
    .where(
      and(
        eq(queueEntries.sessionId, session.id),
        eq(queueEntries.personKey, personKeyOf(booked.phone, booked.name)),
        inArray(queueEntries.state, [...LIVE_STATES]),
      ),
    );
  if (!known) await addEntry(tx, { ...booked, session, kind: "booked", state: "expected" });
  else if (known.appointmentId) return false;
  else
    await tx.db
      .update(queueEntries)
      .set({ appointmentId: booked.appointmentId, patientId: booked.patientId, updatedAt: tx.now })
      .where(eq(queueEntries.id, known.id));
  return true;
}
