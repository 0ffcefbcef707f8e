import { eq, inArray } from "drizzle-orm";
import { familyMembers, patients } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { plainName } from "#app/lib/plain-name.ts";

/** A person of an account, by the name of the visit. Null: a patient without an account. */
type OfName = { patientId: string | null; name: string };

/** Returns the persons of an account with a name: its owner and family members. */
async function listOfName(ctx: Ctx, { patientId, name }: OfName) {
  if (patientId === null) return [];
  const [[owner], members] = await Promise.all([
    ctx.db
      .select({ name: patients.name, on: opened(patients.noAllergiesOn) })
      .from(patients)
      .where(eq(patients.id, patientId)),
    ctx.db
      .select({ id: familyMembers.id, name: familyMembers.name, on: opened(familyMembers.noAllergiesOn) })
      .from(familyMembers)
      .where(eq(familyMembers.patientId, patientId)),
  ]);
  if (!owner) return [];
  const by = owner.name ?? name;
  return [{ id: null, ...owner }, ...members].filter((one) => plainName(one.name) === plainName(name)).map((one) => ({ ...one, by }));
}

/** Returns who said in the account of a patient, and when, that they have no known allergy. null: not said, or two persons have the name. */
export async function findNoAllergies(ctx: Ctx, of: OfName): Promise<{ by: string; on: DateKey } | null> {
  const [person, ...others] = await listOfName(ctx, of);
  return person?.on && others.length === 0 ? { by: person.by, on: person.on } : null;
}

/** Ends what the account of a patient said: a doctor has written an allergy. */
export async function removeNoAllergies(tx: Ctx, of: OfName): Promise<void> {
  const said = (await listOfName(tx, of)).filter(({ on }) => on);
  const ids = said.flatMap(({ id }) => (id === null ? [] : [id]));
  if (of.patientId && said.length > ids.length)
    await tx.db.update(patients).set({ noAllergiesOn: null }).where(eq(patients.id, of.patientId));
  if (ids.length) await tx.db.update(familyMembers).set({ noAllergiesOn: null }).where(inArray(familyMembers.id, ids));
}
