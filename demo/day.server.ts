import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import {
  appointments,
  inboundMessages,
  messageThreads,
  queueEntries,
  queueSessions,
  users,
  waitlistEntries,
  waitlistOffers,
} from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { newCode, personKeyOf } from "#app/domains/waiting-room/queue/add-entry.server.ts";
import { partOfStart } from "#app/domains/waiting-room/queue/parts.ts";
import { addDays, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { addVisits } from "./demo.server.ts";
import { demoId } from "./ids.server.ts";
import { DOCTORS, demoPhone, PATIENTS } from "./people.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";
import { eveningPractice } from "./slots.server.ts";
import type { Visit } from "./visits.ts";

const [FIRST, , THIRD] = DOCTORS.map(({ fullName }) => fullName);
/** The third doctor, whose queue at the first doctor's clinic is under way. */
const [OF_FIRST, OF_QUEUE] = [demoId(`doctor ${FIRST}`), demoId(`doctor ${THIRD}`)];
const SESSION = demoId("session of the day");
/** Patients without an account. */
const WALK_INS = [
  ["Lingamma Boya", 62, "female"],
  ["Charan Mekala", 24, "male"],
  ["Bujji Naidu", 41, "male"],
  ["Saraswathi Chintala", 35, "female"],
  ["Imtiyaz Ahmed", 50, "male"],
  ["Nookaratnam Pilla", 70, "female"],
] as const;
const patientOf = (n: number) => PATIENTS[n]!;
const idOf = (n: number) => demoId(`patient ${patientOf(n).name}`);

/**
 * Inserts what a newcomer should find whatever the hour: at the clinic a queue under way, a completed visit that is not paid and a message to
 * answer, for the demo patient an offer from the waitlist. Idempotent; does nothing without the clinic.
 */
export async function seedDemoDay(ctx: SeedCtx): Promise<void> {
  const isThere = async (db: Pick<SeedCtx["db"], "$count">) => (await db.$count(queueSessions, eq(queueSessions.id, SESSION))) > 0;
  if ((await isThere(ctx.db)) || !(await ctx.db.$count(users, eq(users.id, demoId("owner"))))) return;
  await locked(ctx, async (db) => {
    if (await isThere(db)) return;
    await addQueue(db, ctx);
    await addUnpaidVisit(db, ctx);
    await addMessage(db, ctx);
    await addOffer(db, ctx);
  });
}

/** The time in India some minutes before or after now, on the same day. */
function timeNear({ now }: SeedCtx, offset: number): TimeKey {
  const at = new Date(now.getTime() + minutes(offset));
  const [today, day] = [todayInIndia(now), todayInIndia(at)];
  return day === today ? timeInIndia(at) : day < today ? "00:00" : "23:59";
}

/** Two patients were seen, one is inside, three wait. */
async function addQueue(db: Tx, ctx: SeedCtx): Promise<void> {
  const { now, keys } = ctx;
  const ago = (n: number) => new Date(now.getTime() - minutes(n));
  const startsAt = timeNear(ctx, -70);
  await db.insert(queueSessions).values({
    id: SESSION,
    practiceId: eveningPractice(THIRD!),
    doctorId: OF_QUEUE,
    date: todayInIndia(now),
    part: partOfStart(startsAt),
    state: "open",
    startsAt,
    endsAt: timeNear(ctx, 120),
    lastNumber: WALK_INS.length,
    calls: 3,
    doctorInAt: ago(60),
    createdAt: ago(70),
    updatedAt: now,
  });
  const turn = (from: number, until?: number) => ({
    calledAt: ago(from),
    withDoctorAt: ago(from - 1),
    ...(until === undefined ? { state: "with-doctor" as const } : { state: "done" as const, doneAt: ago(until) }),
  });
  const turns = [turn(59, 42), turn(41, 15), turn(14)];
  await db.insert(queueEntries).values(
    WALK_INS.map(([name, age, gender], n) => {
      const phone = demoPhone(301 + n);
      const id = demoId(`entry of the day ${n}`);
      const arrivedAt = ago(68 - n * 9);
      return {
        id,
        sessionId: SESSION,
        number: n + 1,
        kind: "walk-in" as const,
        state: "arrived" as const,
        ...(turns[n] && { ...turns[n], callNumber: n + 1 }),
        name: sealed(queueEntries.name, id, name, keys),
        phone: sealed(queueEntries.phone, id, phone, keys),
        personKey: personKeyOf(phone, name, keys),
        age,
        gender,
        code: newCode(),
        dueAt: arrivedAt,
        arrivedAt,
        createdAt: arrivedAt,
        updatedAt: now,
      };
    }),
  );
}

/** A visit of today that is completed, to be paid at the clinic. */
async function addUnpaidVisit(db: Tx, ctx: SeedCtx): Promise<void> {
  // Not among the visits of the evening (visits.ts).
  const near = timeNear(ctx, -60);
  const time = near >= "17:30" && near < "19:30" ? "17:00" : `${near.slice(0, 2)}:${near.slice(3) < "30" ? "00" : "30"}`;
  const visit: Visit = {
    doctor: THIRD!,
    patient: "Kanaka Durga Pinnamaneni",
    date: todayInIndia(ctx.now),
    time,
    status: "completed",
    cancelledBy: null,
    reason: "Tooth filling",
    records: [],
  };
  const [id] = await addVisits(db, [visit], ctx, { practiceOf: eveningPractice, key: "day" });
  await db.update(appointments).set({ paymentMethod: "clinic" }).where(eq(appointments.id, id!));
}

async function addMessage(db: Tx, { now, keys }: SeedCtx): Promise<void> {
  const at = new Date(now.getTime() - minutes(12));
  const { phone } = patientOf(11);
  const threadId = demoId("message thread");
  const hospitalId = demoId(`hospital ${DOCTORS[0]!.hospital}`);
  await db.insert(messageThreads).values({
    id: threadId,
    channel: "sms",
    phone,
    patientId: idOf(11),
    language: "en",
    doctorId: OF_FIRST,
    hospitalId,
    answerer: "waiting",
    waitingSince: at,
    lastInAt: at,
    createdAt: at,
  });
  const [provider, providerId] = ["demo", "1"];
  const text = "Can I bring my mother along tomorrow, and is there parking?";
  await db.insert(inboundMessages).values({
    provider,
    providerId,
    threadId,
    kind: "text",
    content: sealed(inboundMessages.content, [provider, providerId], text, keys),
    hospitalId,
    sentAt: at,
    receivedAt: at,
    answeredAt: at,
  });
}

/** The demo patient is offered a time of the third doctor that has become free, for nearly two hours. */
async function addOffer(db: Tx, { now }: SeedCtx): Promise<void> {
  const { name, phone, age, gender } = patientOf(0);
  const [entryId, today] = [demoId("waitlist entry"), todayInIndia(now)];
  const since = new Date(now.getTime() - hours(20));
  const of = { doctorId: OF_QUEUE, practiceId: eveningPractice(THIRD!) };
  await db.insert(waitlistEntries).values({
    id: entryId,
    patientId: idOf(0),
    ...of,
    patientName: name,
    patientPhone: phone,
    patientAge: age,
    patientGender: gender,
    fromDate: today,
    untilDate: addDays(today, 7),
    state: "offered",
    createdAt: since,
    updatedAt: now,
  });
  const slot = await freeSlot(db, of.practiceId, today);
  if (!slot) return;
  await db.insert(waitlistOffers).values({
    id: demoId("waitlist offer"),
    entryId,
    ...of,
    ...slot,
    sendAt: new Date(now.getTime() - minutes(10)),
    endsAt: new Date(now.getTime() + minutes(110)),
    notifiedAt: new Date(now.getTime() - minutes(10)),
    createdAt: new Date(now.getTime() - minutes(10)),
  });
}

/** The last free time of the coming days at a practice. */
async function freeSlot(db: Tx, practiceId: string, today: string) {
  const [slot] = await db.execute<{ date: string; time: string }>(sql`
    select s.date::text, to_char(s.time, 'HH24:MI') as time from availability_slots s
    where s.practice_id = ${practiceId} and s.date > ${addDays(today, 1)} and not exists (select from appointments a
      where a.doctor_id = s.doctor_id and a.date = s.date and a.time = s.time and a.status <> 'cancelled')
    order by s.date, s.time desc limit 1`);
  return slot ?? null;
}
