import { and, eq, exists, inArray, ne, type SQL, sql } from "drizzle-orm";
import { auditLog, doctors } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { ownHospitals } from "./ownership.server.ts";

/** As long as somebody who has opened a case is taken to be still looking at it. */
const LOOKING_MINUTES = 15;

/**
 * The case that waits for the acting person after this one, and how many there are but this one: oldest first and then from
 * the beginning, those that a colleague is looking at last.
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
      // The same button pressed twice cannot decide a case without decisions: there is nothing to approve or send back.
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

/** Colleagues of the same role who have opened this case a short while ago: two must not decide without knowing of each other. */
export async function alsoLooking(ctx: Ctx<Actor>, doctorId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectDistinct({ id: auditLog.actorId, name: nameOf("audit_log.actor_id") })
    .from(auditLog)
    .where(lookingAt(ctx, doctorId))
    .limit(5);
  return rows.map((row) => row.name ?? "");
}

/** Rows of the log that say: somebody else of this role has opened the case a short while ago. */
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
