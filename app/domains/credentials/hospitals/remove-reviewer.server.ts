import { and, eq } from "drizzle-orm";
import { hospitalReviewers } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";

/** Removes a reviewer from a hospital. Their account and past decisions stay. @throws DomainError("not-found" | "forbidden") */
export async function removeReviewer(ctx: Ctx<Actor>, input: { hospitalId: string; userId: string }): Promise<void> {
  requireAdmin(ctx);
  const { hospitalId, userId } = input;
  if (!isUuid(hospitalId) || !isUuid(userId)) throw new DomainError("not-found");
  return transact(ctx, async (tx) => {
    const [gone] = await tx.db
      .delete(hospitalReviewers)
      .where(and(eq(hospitalReviewers.hospitalId, hospitalId), eq(hospitalReviewers.userId, userId)))
      .returning({ userId: hospitalReviewers.userId });
    if (!gone) throw new DomainError("not-found");
    await recordChange(tx, "remove-reviewer", {
      subject: { hospital: hospitalId },
      people: { user: userId },
      details: { reviewer: userId },
    });
  });
}
