import { randomUUID } from "node:crypto";
import { and, count, eq, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { familyMembers } from "#app/db/schema/index.ts";
import { sealedValues } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Relation } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { FamilyForm } from "./family.schema.ts";
import { ageOf, type FamilyMember, MAX_FAMILY } from "./family.ts";
import { type FamilyRow, familyRow } from "./queries.server.ts";

/**
 * Adds a family member of the acting patient. Idempotent for the same form.
 * @throws DomainError("conflict" when the name and relation exist with other details, or the list is full)
 */
export function addFamilyMember(ctx: Ctx<Actor>, input: FamilyForm): Promise<void> {
  return transact(ctx, async (tx) => {
    const known = await findSame(tx, input);
    if (known) {
      if (isAsWished(tx, known, input)) return;
      throw knownAlready(input.name);
    }
    await insertMember(tx, input, { ...valuesOf(tx, input) });
  });
}

/**
 * Stores the patient of a booking as a family member. Updates an existing one, but never replaces a birth date with an age.
 * @throws DomainError("conflict") when the list is full
 */
export function rememberFamilyMember(
  ctx: Ctx<Actor>,
  input: Pick<FamilyForm, "name" | "age" | "gender" | "bloodGroup" | "dateOfBirth"> & { relation: Relation },
): Promise<void> {
  const person: FamilyForm = {
    ...input,
    name: input.name.replace(/\s+/g, " ").trim(),
    bloodGroup: input.bloodGroup,
  };
  return transact(ctx, async (tx) => {
    const known = await findSame(tx, person);
    if (!known) return insertMember(tx, person, valuesOf(tx, person));
    const age = known.dateOfBirth === null ? ageValues(tx, person, known) : {};
    await tx.db
      .update(familyMembers)
      .set(
        sealedValues(familyMembers, known.id, {
          gender: person.gender,
          bloodGroup: person.bloodGroup ?? known.bloodGroup,
          ...age,
          updatedAt: tx.now,
        }),
      )
      .where(eq(familyMembers.id, known.id));
  });
}

/** Edits a family member of the acting patient. @throws DomainError("not-found" | "conflict") */
export async function editFamilyMember(ctx: Ctx<Actor>, id: string, input: FamilyForm): Promise<void> {
  if (!isUuid(id)) throw new DomainError("not-found");
  try {
    await transact(ctx, async (tx) => {
      await requireOpenAccount(tx);
      const mine = and(eq(familyMembers.id, id), eq(familyMembers.patientId, tx.actor.userId));
      const [known] = await tx.db.select(familyRow).from(familyMembers).where(mine).for("update");
      if (!known) throw new DomainError("not-found");
      const values = valuesOf(tx, input, known);
      await tx.db
        .update(familyMembers)
        .set({ ...sealedValues(familyMembers, id, values), updatedAt: tx.now })
        .where(mine);
    });
  } catch (error) {
    if (violatedConstraint(error) === "family_members_person") throw knownAlready(input.name);
    throw error;
  }
}

/**
 * Removes a family member of the acting patient and returns the name.
 * @param before ends what waits for them, in the same transaction: this module does not import bookings
 * @throws DomainError("not-found")
 */
export async function removeFamilyMember(
  ctx: Ctx<Actor>,
  id: string,
  before: (tx: Ctx<Actor>, memberId: string) => Promise<void>,
): Promise<Pick<FamilyMember, "name">> {
  if (!isUuid(id)) throw new DomainError("not-found");
  return transact(ctx, async (tx) => {
    await before(tx, id);
    const [gone] = await tx.db
      .delete(familyMembers)
      .where(and(eq(familyMembers.id, id), eq(familyMembers.patientId, tx.actor.userId)))
      .returning({ name: familyMembers.name });
    if (!gone) throw new DomainError("not-found");
    return gone;
  });
}

const knownAlready = (name: string) => new DomainError("conflict", undefined, { fields: { name: [m.family_known({ name })] } });

/**
 * Locks the list, to serialize its changes: it never exceeds its limit or contains duplicates. Returns the member with this name
 * and relation, or null.
 */
async function findSame(tx: Ctx<Actor>, person: Pick<FamilyForm, "name" | "relation">): Promise<FamilyRow | null> {
  await requireOpenAccount(tx);
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`family:${tx.actor.userId}`}, 0))`);
  const [row] = await tx.db
    .select(familyRow)
    .from(familyMembers)
    .where(
      and(
        eq(familyMembers.patientId, tx.actor.userId),
        sql`lower(${familyMembers.name}) = lower(${person.name})`,
        eq(familyMembers.relation, person.relation),
      ),
    );
  return row ?? null;
}

async function insertMember(tx: Ctx<Actor>, person: FamilyForm, values: ReturnType<typeof valuesOf>): Promise<void> {
  const patientId = tx.actor.userId;
  const [row] = await tx.db.select({ n: count() }).from(familyMembers).where(eq(familyMembers.patientId, patientId));
  if ((row?.n ?? 0) >= MAX_FAMILY) throw new DomainError("conflict", m.family_full({ count: String(MAX_FAMILY) }));
  const id = randomUUID();
  await tx.db
    .insert(familyMembers)
    .values({ ...sealedValues(familyMembers, id, values), id, name: person.name, patientId, createdAt: tx.now, updatedAt: tx.now });
}

const valuesOf = (tx: Ctx, person: FamilyForm, known?: FamilyRow) => ({
  name: person.name,
  relation: person.relation,
  gender: person.gender,
  bloodGroup: person.bloodGroup ?? null,
  noAllergiesOn: person.noAllergies === false ? null : (known?.noAllergiesOn ?? (person.noAllergies ? todayInIndia(tx.now) : null)),
  ...ageValues(tx, person, known),
});

/** A typed age is stored with today's date, unless it equals the calculated age. */
function ageValues(tx: Ctx, person: Pick<FamilyForm, "dateOfBirth" | "age">, known?: FamilyRow) {
  if (person.dateOfBirth !== undefined) return { dateOfBirth: person.dateOfBirth, age: null, ageOn: null };
  const today = todayInIndia(tx.now);
  const age = person.age ?? 0;
  if (known && known.dateOfBirth === null && ageOf(known, today) === age) return { dateOfBirth: null, age: known.age, ageOn: known.ageOn };
  return { dateOfBirth: null, age, ageOn: today };
}

function isAsWished(tx: Ctx, known: FamilyRow, person: FamilyForm): boolean {
  const wished = valuesOf(tx, person, known);
  return (Object.keys(wished) as (keyof typeof wished)[]).every((key) => key === "name" || known[key] === wished[key]);
}
