import { and, asc, eq } from "drizzle-orm";
import { familyMembers } from "#app/db/schema/index.ts";
import { type OpenedRow, openedColumns } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { ageOf, exactAgeOf, type FamilyMember } from "./family.ts";

export const familyRow = openedColumns(familyMembers);
export type FamilyRow = OpenedRow<typeof familyMembers>;

const memberOf = (ctx: Ctx, row: FamilyRow): FamilyMember => ({
  id: row.id,
  name: row.name,
  relation: row.relation,
  gender: row.gender,
  bloodGroup: row.bloodGroup,
  noAllergies: row.noAllergiesOn !== null,
  dateOfBirth: row.dateOfBirth,
  age: ageOf(row, todayInIndia(ctx.now)),
  exactAge: exactAgeOf(row, todayInIndia(ctx.now)),
});

/** Returns the acting patient's family members in the order they were added. */
export async function listFamily(ctx: Ctx<Actor>): Promise<FamilyMember[]> {
  const rows = await ctx.db
    .select(familyRow)
    .from(familyMembers)
    .where(eq(familyMembers.patientId, ctx.actor.userId))
    .orderBy(asc(familyMembers.createdAt), asc(familyMembers.id));
  return rows.map((row) => memberOf(ctx, row));
}

/** Returns a family member; null for another patient's. */
export async function findFamilyMember(ctx: Ctx<Actor>, id: string | undefined): Promise<FamilyMember | null> {
  if (!isUuid(id)) return null;
  const [row] = await ctx.db
    .select(familyRow)
    .from(familyMembers)
    .where(and(eq(familyMembers.id, id), eq(familyMembers.patientId, ctx.actor.userId)));
  return row ? memberOf(ctx, row) : null;
}

/** Returns a family member for their page. @throws DomainError("not-found") */
export async function getFamilyMember(ctx: Ctx<Actor>, id: string | undefined): Promise<FamilyMember> {
  const member = await findFamilyMember(ctx, id);
  if (!member) throw new DomainError("not-found");
  return member;
}
