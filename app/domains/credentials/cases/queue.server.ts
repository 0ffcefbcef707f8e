import { and, eq, exists, inArray, ne, type SQL, sql } from "drizzle-orm";
import { auditLog, doctors } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { ownHospitals } from "./ownership.server.ts";

/** Minutes after opening a case in which a user counts as looking at it. */
const LOOKING_MINUTES = 15;

/**
 * Returns the next waiting case for the actor after this one, and the number of others: oldest first, then from the start. Cases
 * opened by a colleague come last.
 */
export async function nextWaitingCase(
  ctx: Ctx<Actor>,
  doctorId: string,
): Promise<{ id: string; total: number; untouched: boolean } | null> {
  const { role } = ctx.actor;
  const later = sql`(doctors.submitted_at, doctors.id) > (select this.submitted_at, this.id from doctors this where this.id = ${doctorId})`;
  const taken = exists(ctx.db.select({ one: sql`1` }).from(auditLog).where(lookingAt(ctx, sql`doctors.id::text`)));
  const [next] = await ctx.db
    .select({
      id: doctors.id,
      total: sql<number>`(count(*) over ())::int`,
      // A second press of the same button must not decide the next case: untouched documents prevent approval and rejection.
      untouched: sql<boolean>`not exists (select 1 from doctor_documents d where d.doctor_id = doctors.id and d.decision <> 'undecided')`,
    })
    .from(doctors)
    .where(
      and(
        eq(doctors.registrationStatus, role === "admin" ? "pending admin approval" : "under review by hospital"),
        role === "admin" ? undefined : inArray(doctors.hospitalId, ownHospitals(ctx)),
        ne(doctors.id, doctorId),
      ),
    )
    .orderBy(taken, sql`${later} desc nulls last`, sql`doctors.submitted_at asc nulls last`, doctors.id)
    .limit(1);
  return next ?? null;
}

/** Returns colleagues of the same role who opened this case recently, to prevent duplicate decisions. */
export async function alsoLooking(ctx: Ctx<Actor>, doctorId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectDistinct({ id: auditLog.actorId, name: nameOf("audit_log.actor_id") })
    .from(auditLog)
    .where(lookingAt(ctx, doctorId))
    .limit(5);
  return rows.map((row) => row.name ?? "");
}

/** Returns the condition for audit rows of another user of this role opening the case recently. */
function lookingAt(ctx: Ctx<Actor>, doctorId: string | SQL): SQL | undefined {
  const since = new Date(ctx.now.getTime() - LOOKING_MINUTES * 60_000).toISOString();
  return and(
    eq(auditLog.subjectType, "doctor"),
    eq(auditLog.subjectId, doctorId),
    eq(auditLog.action, "read-case"),
    eq(auditLog.actorRole, ctx.actor.role),
    ne(auditLog.actorId, ctx.actor.userId),
    sql`${auditLog.at} > ${since}::timestamptz`,
  );
}
