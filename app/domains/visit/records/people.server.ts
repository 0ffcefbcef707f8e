import { and, desc, eq, isNotNull, max } from "drizzle-orm";
import { appointments, encounters, ownRecords, patients } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { listFamily } from "#app/domains/patients/family/queries.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { RecordPerson } from "./timeline.ts";

/** Most other names of an account: people who were booked for once. */
const MOST_OTHERS = 20;

/**
 * Returns the people whose records an account has: its owner, the family members, and others whom the account booked for. One name is one
 * person, as in the visits of a doctor, so that records of two people are never mixed.
 */
export async function listPeople(ctx: Ctx, patientId: string): Promise<RecordPerson[]> {
  const key = (name: string) => personKeyOf(ctx, patientId, name);
  const of = { ...ctx, actor: { userId: patientId, role: "patient" as const } };
  const [[owner], family, others] = await Promise.all([
    ctx.db.select({ name: patients.name }).from(patients).where(eq(patients.id, patientId)),
    listFamily(of),
    listNames(ctx, patientId),
  ]);
  const people = new Map<string, RecordPerson>();
  const ownName = owner?.name ?? "";
  people.set(await key(ownName), { id: "me", key: await key(ownName), name: ownName, relation: null });
  for (const { id, name, relation } of family) {
    const personKey = await key(name);
    if (!people.has(personKey)) people.set(personKey, { id, key: personKey, name, relation });
  }
  for (const name of others) {
    const personKey = await key(name);
    if (!people.has(personKey)) people.set(personKey, { id: personKey, key: personKey, name, relation: null });
  }
  return [...people.values()].slice(0, 1 + family.length + MOST_OTHERS);
}

/** Returns the names in an account's appointments, visits and documents, the latest first. */
async function listNames(ctx: Ctx, patientId: string): Promise<string[]> {
  const [booked, seen, stored] = await Promise.all([
    ctx.db
      .select({ name: appointments.patientName })
      .from(appointments)
      .where(eq(appointments.patientId, patientId))
      .groupBy(appointments.patientName)
      .orderBy(desc(max(appointments.date)))
      .limit(100),
    ctx.db
      .selectDistinctOn([encounters.personKey], { patient: opened(encounters.patient) })
      .from(encounters)
      .where(and(eq(encounters.patientId, patientId), isNotNull(encounters.queueEntryId)))
      .limit(100),
    ctx.db
      .selectDistinctOn([ownRecords.personKey], { name: opened(ownRecords.personName) })
      .from(ownRecords)
      .where(eq(ownRecords.patientId, patientId))
      .limit(100),
  ]);
  return [...booked.map(({ name }) => name), ...seen.map(({ patient }) => patient.name), ...stored.map(({ name }) => name)].filter(Boolean);
}

/** Returns the person of an id: "me", a family member, or another name of the account. Without an id the owner; null: unknown. */
export function findPerson(people: RecordPerson[], id: string | null): RecordPerson | null {
  return people.find((person) => person.id === (id ?? "me")) ?? null;
}

/** True for the ids that a document can be added for. */
export const isOwnPerson = ({ id }: RecordPerson): boolean => id === "me" || isUuid(id);
