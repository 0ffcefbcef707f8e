import { and, desc, eq, gte, inArray, ne, type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, auditLog, doctors, encounters, recordPermissions } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { isLive } from "../encounters/permission.server.ts";
import { findPerson, listPeople } from "../records/people.server.ts";
import type { ShownPermission } from "./permission.ts";

/** Most doctors in the list of choices. */
const MOST_DOCTORS = 100;

const doctorName = () => inLanguage(doctors.fullName, doctors.translations, "name", language());

/** SQL: doctors whom the account booked or visited, except cancelled appointments. */
const doctorsOf = (patientId: string): SQL => sql`(
  select ${appointments.doctorId} from ${appointments} where ${appointments.patientId} = ${patientId} and ${ne(appointments.status, "cancelled")}
  union select ${encounters.doctorId} from ${encounters} where ${encounters.patientId} = ${patientId})`;

/** Returns the verified doctors of the acting patient, by name. */
export const listDoctorsToAllow = (ctx: Ctx<Actor>): Promise<{ id: string; name: string }[]> =>
  ctx.db
    .select({ id: doctors.id, name: doctorName() })
    .from(doctors)
    .where(and(eq(doctors.registrationStatus, "verified"), inArray(doctors.id, doctorsOf(ctx.actor.userId))))
    .orderBy(doctorName(), doctors.id)
    .limit(MOST_DOCTORS);

/**
 * Allows a doctor of the acting patient to see all records of one person of the account until a day. A permission that exists gets the new day.
 * @param input.person the id of `listPeople`
 * @throws DomainError("invalid" | "forbidden" | "unauthenticated")
 */
export async function allowRecords(ctx: Ctx<Actor>, input: { person: string; doctorId: string; until: DateKey }): Promise<void> {
  if (ctx.actor.role !== "patient") throw new DomainError("forbidden");
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const person = findPerson(await listPeople(tx, userId), input.person);
    if (!person) throw new DomainError("invalid", m.records_person_gone());
    const [doctor] = await tx.db
      .select({ id: doctors.id })
      .from(doctors)
      .where(and(eq(doctors.id, input.doctorId), eq(doctors.registrationStatus, "verified"), inArray(doctors.id, doctorsOf(userId))));
    if (!doctor) throw new DomainError("invalid", undefined, { fields: { doctor: [m.sharing_doctor_missing()] } });
    const of = and(
      eq(recordPermissions.patientId, userId),
      eq(recordPermissions.personKey, person.key),
      eq(recordPermissions.doctorId, doctor.id),
    );
    const id = crypto.randomUUID();
    const changes = { allowedAt: tx.now, until: input.until, endedAt: null };
    const [added] = await tx.db
      .insert(recordPermissions)
      .values({
        id,
        patientId: userId,
        doctorId: doctor.id,
        personKey: person.key,
        personName: sealed(recordPermissions.personName, id, person.name),
        ...changes,
      })
      .onConflictDoNothing()
      .returning({ id: recordPermissions.id });
    const [row] = added ? [added] : await tx.db.update(recordPermissions).set(changes).where(of).returning({ id: recordPermissions.id });
    if (!row) throw new DomainError("conflict");
    const details = { doctorId: doctor.id, until: input.until };
    await recordChange(tx, "allow-records", { subject: { "record-permission": row.id }, people: { patient: userId }, details });
  });
}

/** Ends a permission of the acting patient: the doctor's next request finds no records. Idempotent. @throws DomainError("not-found") */
export async function endPermission(ctx: Ctx<Actor>, id: string | undefined): Promise<void> {
  if (ctx.actor.role !== "patient" || !isUuid(id)) throw new DomainError("not-found");
  const { userId } = ctx.actor;
  const own = and(eq(recordPermissions.id, id), eq(recordPermissions.patientId, userId));
  await transact(ctx, async (tx) => {
    const [ended] = await tx.db
      .update(recordPermissions)
      .set({ endedAt: tx.now })
      .where(and(own, isLive(tx)))
      .returning({ doctorId: recordPermissions.doctorId });
    if (!ended) {
      if (await tx.db.$count(recordPermissions, own)) return;
      throw new DomainError("not-found");
    }
    const details = { doctorId: ended.doctorId };
    await recordChange(tx, "end-record-permission", { subject: { "record-permission": id }, people: { patient: userId }, details });
  });
}

/** Returns the permissions of a person of the acting patient, valid ones first, with how many times each was used since it was given. */
export async function listPermissions(ctx: Ctx<Actor>, person: { key: string }): Promise<ShownPermission[]> {
  const { userId } = ctx.actor;
  const openings = ctx.db
    .select({
      subjectId: auditLog.subjectId,
      actorId: auditLog.actorId,
      at: auditLog.at,
    })
    .from(auditLog)
    .where(and(eq(auditLog.personId, userId), eq(auditLog.subjectType, "record-permission"), sql`${auditLog.action} like 'read-%'`))
    .as("openings");
  const rows = await ctx.db
    .select({
      id: recordPermissions.id,
      doctorId: recordPermissions.doctorId,
      doctor: doctorName(),
      until: recordPermissions.until,
      endedAt: recordPermissions.endedAt,
      opened: sql<number>`count(${openings.at})::int`,
      lastOpenedAt: sql<string | null>`max(${openings.at})`,
    })
    .from(recordPermissions)
    .innerJoin(doctors, eq(doctors.id, recordPermissions.doctorId))
    .leftJoin(openings, and(sql`${openings.subjectId} = ${recordPermissions.id}::text`, gte(openings.at, recordPermissions.allowedAt)))
    .where(and(eq(recordPermissions.patientId, userId), eq(recordPermissions.personKey, person.key)))
    .groupBy(recordPermissions.id, doctors.id)
    .orderBy(desc(recordPermissions.allowedAt));
  const today = todayInIndia(ctx.now);
  const shown = rows.map(
    ({ endedAt, lastOpenedAt, ...row }): ShownPermission => ({
      ...row,
      endedOn: endedAt ? todayInIndia(endedAt) : row.until < today ? row.until : null,
      lastOpenedAt: lastOpenedAt === null ? null : new Date(lastOpenedAt),
    }),
  );
  return [...shown.filter((one) => one.endedOn === null), ...shown.filter((one) => one.endedOn !== null)];
}

/** Returns the doctors who may see all records of a person of the acting patient now. */
export const listAllowedDoctors = (ctx: Ctx<Actor>, person: { key: string }): Promise<{ id: string; name: string }[]> =>
  ctx.db
    .select({ id: doctors.id, name: doctorName() })
    .from(recordPermissions)
    .innerJoin(doctors, eq(doctors.id, recordPermissions.doctorId))
    .where(and(eq(recordPermissions.patientId, ctx.actor.userId), eq(recordPermissions.personKey, person.key), isLive(ctx)))
    .orderBy(doctorName(), doctors.id);
