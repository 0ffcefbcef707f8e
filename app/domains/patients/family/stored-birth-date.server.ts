import { eq, sql } from "drizzle-orm";
import { familyMembers, patients } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { plainName } from "#app/lib/plain-name.ts";

/**
 * Returns the stored birth date of a patient whom the actor books, by name: of the profile or of a family member. `forWhom` chooses between
 * two of one name. null for "new", and where the name is not clear.
 */
export async function findStoredBirthDate(
  ctx: Ctx<Actor>,
  { name, forWhom }: { name: string; forWhom?: string | undefined },
): Promise<DateKey | null> {
  if (forWhom === "new") return null;
  const mine = ctx.actor.userId;
  const columns = { name: sql<string | null>`name`, birthDate: sql<DateKey | null>`date_of_birth::text` };
  const rows = await ctx.db
    .select({ id: sql<string>`'me'`, ...columns })
    .from(patients)
    .where(eq(patients.id, mine))
    .unionAll(
      ctx.db
        .select({ id: sql<string>`id::text`, ...columns })
        .from(familyMembers)
        .where(eq(familyMembers.patientId, mine)),
    );
  const same = rows.filter((row) => plainName(row.name) === plainName(name));
  const person = same.find(({ id }) => id === forWhom) ?? (same.length === 1 ? same[0] : undefined);
  return person?.birthDate ?? null;
}
