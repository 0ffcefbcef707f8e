import { eq } from "drizzle-orm";
import { memberships, placeDoctors, practices, users } from "#app/db/schema/index.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { days } from "#app/lib/durations.ts";
import { addVisits } from "./demo.server.ts";
import { demoId } from "./ids.server.ts";
import { CLINIC_STAFF, DEMO_PASSWORD, DOCTORS } from "./people.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";
import { DAYS_AHEAD, eveningPractice, fillEvenings } from "./slots.server.ts";
import { clinicVisits } from "./visits.ts";

/** Three doctors of the demo, the first of them doctor@demo.test. */
const CLINIC_DOCTORS = DOCTORS.slice(0, 3);

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
 * Opens the evenings of the second and third doctor at the clinic, with visits of today, so that its desk shows a day of three doctors. Idempotent;
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
        createdAt: since,
        updatedAt: since,
      })),
    );
    const today = todayInIndia(ctx.now);
    await fillEvenings(db, today, addDays(today, DAYS_AHEAD));
    await addVisits(db, clinicVisits(today, ctx.now), ctx, { practiceOf: eveningPractice, key: "clinic" });
  });
}
