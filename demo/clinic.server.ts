import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { memberships, placeDoctors, practiceHours, practices, queueEntries, queueSessions, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { newCode, personKeyOf } from "#app/domains/waiting-room/queue/add-entry.server.ts";
import { partOfStart } from "#app/domains/waiting-room/queue/parts.ts";
import { expectedTimeOf } from "#app/domains/waiting-room/queue/token-time.ts";
import { addDays, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { days } from "#app/lib/durations.ts";
import { addVisits } from "./demo.server.ts";
import { demoId } from "./ids.server.ts";
import { CLINIC_STAFF, DEMO_PASSWORD, DOCTORS, PATIENTS, TOKENS_OF_EVENING } from "./people.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";
import { DAYS_AHEAD, EVENING_SESSION, eveningPractice, fillEvenings } from "./slots.server.ts";
import { clinicVisits, tokenVisits, type Visit } from "./visits.ts";

/** Three doctors of the demo, the first of them doctor@demo.test. */
const CLINIC_DOCTORS = DOCTORS.slice(0, 3);
/** The second doctor's patients book an evening there and get a token. */
const TOKEN_DOCTOR = DOCTORS[1]!;

/**
 * Inserts the demo's clinic: an owner, a receptionist, three doctors who have accepted. Idempotent; does nothing without demo data.
 */
export async function seedDemoClinic(ctx: SeedCtx): Promise<void> {
  const isThere = async (db: Pick<SeedCtx["db"], "select">, id: string) =>
    (await db.select({ id: users.id }).from(users).where(eq(users.id, id))).length > 0;
  const owner = demoId("owner");
  const hospitalId = demoId(`hospital ${DOCTORS[0]!.hospital}`);
  if ((await isThere(ctx.db, owner)) || !(await isThere(ctx.db, demoId(`doctor ${DOCTORS[0]!.fullName}`)))) return;
  await locked(ctx, async (db) => {
    if (await isThere(db, owner)) return;
    const since = new Date(ctx.now.getTime() - days(60));
    const stamps = { createdAt: since, updatedAt: since };
    for (const { role, email, phone, staffName } of CLINIC_STAFF) {
      const passwordHash = await hashPassword(DEMO_PASSWORD);
      await db.insert(users).values({ id: demoId(role), role: "staff", email, phone, staffName, passwordHash, isDemo: true, ...stamps });
      await db
        .insert(memberships)
        .values({ id: demoId(`member ${role}`), hospitalId, userId: demoId(role), role, state: "active", acceptedAt: since, ...stamps });
    }
    await db.insert(placeDoctors).values(
      CLINIC_DOCTORS.map(({ fullName }) => ({
        id: demoId(`place ${fullName}`),
        hospitalId,
        doctorId: demoId(`doctor ${fullName}`),
        state: "active" as const,
        acceptedAt: since,
        ...stamps,
      })),
    );
  });
}

/**
 * Opens the evenings of the second and third doctor at the clinic, with visits of today, so that its desk shows a day of three doctors and a queue. Idempotent;
 * does nothing without the clinic.
 */
export async function seedClinicEvenings(ctx: SeedCtx): Promise<void> {
  const [, ...others] = CLINIC_DOCTORS;
  const isThere = async (db: Pick<SeedCtx["db"], "select">) =>
    (
      await db
        .select({ id: practices.id })
        .from(practices)
        .where(eq(practices.id, eveningPractice(others[0]!.fullName)))
    ).length > 0;
  const [owner] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, demoId("owner")));
  if (!owner || (await isThere(ctx.db))) return;
  await locked(ctx, async (db) => {
    if (await isThere(db)) return;
    const hospitalId = demoId(`hospital ${DOCTORS[0]!.hospital}`);
    const since = new Date(ctx.now.getTime() - days(60));
    await db.insert(practices).values(
      others.map(({ fullName }) => ({
        id: eveningPractice(fullName),
        doctorId: demoId(`doctor ${fullName}`),
        hospitalId,
        ...(fullName === TOKEN_DOCTOR.fullName && { mode: "tokens" as const, seatsPerSession: TOKENS_OF_EVENING }),
        createdAt: since,
        updatedAt: since,
      })),
    );
    await db.insert(practiceHours).values(
      [0, 1, 2, 3, 4, 5, 6]
        .filter((weekday) => !TOKEN_DOCTOR.pattern.off.includes(weekday))
        .map((weekday) => ({
          practiceId: eveningPractice(TOKEN_DOCTOR.fullName),
          doctorId: demoId(`doctor ${TOKEN_DOCTOR.fullName}`),
          weekday,
          from: EVENING_SESSION.time,
          until: EVENING_SESSION.until,
        })),
    );
    const today = todayInIndia(ctx.now);
    await fillEvenings(db, today, addDays(today, DAYS_AHEAD));
    await addVisits(db, clinicVisits(today, ctx.now), ctx, { practiceOf: eveningPractice, key: "clinic" });
    await addSession(db, tokenVisits(today, ctx.now), ctx);
  });
}

/** Inserts a session of the second doctor with the tokens of its bookings. */
async function addSession(db: Tx, visits: Visit[], ctx: SeedCtx): Promise<void> {
  const { fullName } = TOKEN_DOCTOR;
  const { time, until, minutes, seats } = EVENING_SESSION;
  const { date } = visits[0]!;
  const id = demoId(`session ${fullName}`);
  const stamps = { createdAt: ctx.now, updatedAt: ctx.now };
  await db.insert(queueSessions).values({
    id,
    practiceId: eveningPractice(fullName),
    doctorId: demoId(`doctor ${fullName}`),
    date,
    part: partOfStart(time),
    startsAt: time,
    endsAt: until,
    lastNumber: visits.length,
    seats,
    ...stamps,
  });
  const expectedOf = (n: number) => expectedTimeOf(EVENING_SESSION, n + 1);
  const tokenOf = (n: number) => ({ queueSessionId: id, token: n + 1, expectedTime: expectedOf(n), minutes });
  const ids = await addVisits(db, visits, ctx, { practiceOf: eveningPractice, key: "tokens", tokenOf });
  await db.insert(queueEntries).values(
    visits.map((visit, n) => {
      const { name, phone, age, gender } = PATIENTS.find((patient) => patient.name === visit.patient)!;
      const entry = demoId(`entry ${n}`);
      return {
        id: entry,
        sessionId: id,
        number: n + 1,
        kind: "booked" as const,
        state: "expected" as const,
        appointmentId: ids[n]!,
        patientId: demoId(`patient ${name}`),
        name: sealed(queueEntries.name, entry, name, ctx.keys),
        phone: sealed(queueEntries.phone, entry, phone, ctx.keys),
        personKey: personKeyOf(phone, name, ctx.keys),
        age,
        gender,
        code: newCode(),
        dueAt: instantInIndia(date, expectedOf(n)),
        ...stamps,
      };
    }),
  );
}

/** The words that start a booking by SMS or WhatsApp (/dev/phone). */
const KEYWORDS = { RAO: "Dr. Venkat Rao Nimmagadda", HEART: CLINIC_DOCTORS[0]!.fullName };
/** Gives two doctors of the demo their keywords. Idempotent. */
export async function seedKeywords({ db }: SeedCtx): Promise<void> {
  for (const [keyword, fullName] of Object.entries(KEYWORDS))
    await db
      .update(practices)
      .set({ keyword })
      .where(
        and(
          eq(practices.id, demoId(`doctor ${fullName}`)),
          isNull(practices.keyword),
          sql`not exists (select from practices p where p.keyword = ${keyword})`,
        ),
      );
}
