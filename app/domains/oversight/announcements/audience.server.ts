import { type SQL, sql } from "drizzle-orm";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { Audience } from "#app/lib/vocabulary.ts";

const verified = (more: SQL) =>
  sql`exists (select from doctors d where d.id = u.id and ${listedDoctor({ registrationStatus: sql`d.registration_status` })} and ${more})`;

/** SQL: the user `u` belongs to the audience. Never the accounts of callers that no patient has claimed. */
export function inAudience({ audience, hospitalId }: { audience: Audience; hospitalId: string | null }): SQL {
  const of: Record<Audience, SQL> = {
    patients: sql`u.role = 'patient' and exists (select from patients p where p.id = u.id and p.unclaimed_since is null)`,
    doctors: sql`u.role = 'doctor' and ${verified(sql`true`)}`,
    reviewers: sql`u.role = 'reviewer'`,
    staff: sql`u.role = 'staff'`,
    members: sql`exists (select from memberships m where m.user_id = u.id and m.hospital_id = ${hospitalId} and m.state = 'active')`,
    "place-doctors": verified(sql`(d.hospital_id = ${hospitalId} or exists (select from practices pr
      where pr.doctor_id = d.id and pr.hospital_id = ${hospitalId} and pr.state = 'active'))`),
  };
  return sql`u.status = 'active' and ${of[audience]}`;
}

/** Counts the users of an audience. */
export async function countAudience(ctx: Ctx, of: { audience: Audience; hospitalId: string | null }): Promise<number> {
  const [row] = await ctx.db.execute<{ n: number }>(sql`select count(*)::int as n from users u where ${inAudience(of)}`);
  return row?.n ?? 0;
}
