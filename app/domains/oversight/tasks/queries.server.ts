import { eq, sql } from "drizzle-orm";
import { doctors, profileChanges, reviews, supportThreads } from "#app/db/schema/index.ts";
import { isReported } from "#app/domains/booking/reviews/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { isWaitingChange } from "#app/domains/credentials/profile-changes/change-queries.server.ts";
import { isOpenThread } from "#app/domains/platform/support/inbox.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";

export type Tasks = { cases: number; changes: number; reviews: number; support: number };

/** Counts what waits for an administrator, in one statement. @throws DomainError("forbidden") */
export async function countTasks(ctx: Ctx<Actor>): Promise<Tasks> {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  const [row] = await ctx.db
    .select({
      cases: ctx.db.$count(doctors, eq(doctors.registrationStatus, "pending admin approval")),
      changes: ctx.db.$count(profileChanges, isWaitingChange),
      reviews: ctx.db.$count(reviews, isReported),
      support: ctx.db.$count(supportThreads, isOpenThread),
    })
    .from(sql`(select 1) as one`);
  return row ?? { cases: 0, changes: 0, reviews: 0, support: 0 };
}
