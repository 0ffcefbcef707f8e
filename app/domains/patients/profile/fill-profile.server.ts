import { and, eq, isNull, sql } from "drizzle-orm";
import { familyMembers, patients, users } from "#app/db/schema/index.ts";
import { auditedNames } from "#app/db/schema/policy.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { plainName } from "#app/lib/plain-name.ts";
import type { Gender } from "#app/lib/vocabulary.ts";

type Typed = { name: string; gender: Gender; dateOfBirth?: DateKey | undefined };
type Known = { name: string | null; gender: Gender | null; dateOfBirth: DateKey | null };

/**
 * Returns the acting patient's profile if it lacks something that they typed. null: it is complete, or what they typed is about another person:
 * another name or phone than the account's, or the name of a family member.
 */
export async function findProfileToFill(ctx: Ctx<Actor>, typed: Typed & { phone: string }): Promise<Known | null> {
  const [account] = await ctx.db
    .select({ phone: users.phone, known: { name: patients.name, gender: patients.gender, dateOfBirth: patients.dateOfBirth } })
    .from(patients)
    .innerJoin(users, eq(users.id, patients.id))
    .where(eq(patients.id, ctx.actor.userId));
  if (!account || missing(account.known, typed).length === 0) return null;
  const { phone, known } = account;
  const isTyped = (name: string) => plainName(name) === plainName(typed.name);
  if (phone !== typed.phone || (known.name !== null && !isTyped(known.name))) return null;
  const family = await ctx.db.select({ name: familyMembers.name }).from(familyMembers).where(eq(familyMembers.patientId, ctx.actor.userId));
  return family.some(({ name }) => isTyped(name)) ? null : known;
}

/**
 * Fills what the profile `known` lacks with what the acting patient typed for themselves. Changes no value that is there, also if it was
 * entered meanwhile.
 */
export async function fillProfile(tx: Ctx<Actor>, known: Known, typed: Typed): Promise<void> {
  const names = missing(known, typed);
  const [filled] = await tx.db
    .update(patients)
    .set({ ...Object.fromEntries(names.map((name) => [name, typed[name]])), updatedAt: tx.now })
    .where(
      and(
        eq(patients.id, tx.actor.userId),
        known.name === null ? undefined : eq(patients.name, known.name),
        ...names.map((name) => isNull(patients[name])),
      ),
    )
    .returning({ id: sql`1` });
  if (filled)
    await recordChange(tx, "edit-profile", { people: { user: tx.actor.userId }, details: { changed: auditedNames(patients, names) } });
}

const missing = (known: Known, typed: Typed) =>
  (["name", "gender", "dateOfBirth"] as const).filter((name) => known[name] === null && typed[name] !== undefined);
