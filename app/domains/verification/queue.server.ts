import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { auditLog, doctors } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "../context.server.ts";
import { nameOf } from "../users/names.server.ts";
import type { CaseFile } from "./case-file.ts";
import { ownHospitals } from "./ownership.server.ts";

/** As long as somebody who has opened a case is taken to be still looking at it. */
const LOOKING_MINUTES = 15;

/** The case that waits for the acting reviewer after this one, oldest first and then from the beginning, and how many there are but this one. */
export async function nextWaitingCase(ctx: Ctx<Actor>, { id, submittedAt }: Pick<CaseFile, "id" | "submittedAt">) {
  const later = sql`(${doctors.submittedAt}, ${doctors.id}) > (${(submittedAt ?? ctx.now).toISOString()}::timestamptz, ${id}::uuid)`;
  const [next] = await ctx.db
    .select({ id: doctors.id, total: sql<number>`(count(*) over ())::int` })
    .from(doctors)
    .where(
      and(eq(doctors.registrationStatus, "under review by hospital"), inArray(doctors.hospitalId, ownHospitals(ctx)), ne(doctors.id, id)),
    )
    .orderBy(sql`${later} desc nulls last`, sql`${doctors.submittedAt} asc nulls last`, doctors.id)
    .limit(1);
  return next ?? null;
}

/** Colleagues of the same role who have opened this case a short while ago: two must not decide without knowing of each other. */
export async function alsoLooking(ctx: Ctx<Actor>, doctorId: string): Promise<string[]> {
  const since = new Date(ctx.now.getTime() - LOOKING_MINUTES * 60_000).toISOString();
  const rows = await ctx.db
    .selectDistinct({ id: auditLog.actorId, name: nameOf("audit_log.actor_id") })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectType, "doctor"),
        eq(auditLog.subjectId, doctorId),
        eq(auditLog.action, "read-case"),
        eq(auditLog.actorRole, ctx.actor.role),
        ne(auditLog.actorId, ctx.actor.userId),
        sql`${auditLog.at} > ${since}::timestamptz`,
      ),
    )
    .limit(5);
  return rows.map((row) => row.name ?? "");
}
