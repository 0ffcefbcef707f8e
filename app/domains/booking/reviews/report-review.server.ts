import { randomUUID } from "node:crypto";
import { reviewReports } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { getReportable } from "./queries.server.ts";
import type { ReportInput } from "./reviews.schema.ts";

/**
 * Reports a review as a patient (not its author) or the reviewed doctor. Idempotent: each user reports once.
 * @throws DomainError("not-found" | "too-many" | "unauthenticated")
 */
export async function reportReview(ctx: Ctx<Actor>, { id, reason, note }: ReportInput & { id: string }): Promise<void> {
  await getReportable(ctx, id);
  await spendLimits(ctx, [{ limit: "review-report", key: ctx.actor.userId }]);
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const reportId = randomUUID();
    const [made] = await tx.db
      .insert(reviewReports)
      .values({
        id: reportId,
        reviewId: id,
        reporterId: tx.actor.userId,
        reason,
        note: sealed(reviewReports.note, reportId, note || null),
        createdAt: tx.now,
      })
      .onConflictDoNothing({ target: [reviewReports.reviewId, reviewReports.reporterId] })
      .returning({ id: reviewReports.id });
    if (made) await recordChange(tx, "report-review", { subject: { review: id }, details: { reason } });
  });
}
