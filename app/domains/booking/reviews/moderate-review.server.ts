import { and, eq, inArray, isNull } from "drizzle-orm";
import { reviewReports, reviews } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { addRating, lockRatings } from "#app/domains/directory/ratings.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { isReplyShown, mayShowReply, REVIEW_ACTIONS } from "./review.state.ts";
import type { ModerateInput } from "./reviews.schema.ts";
import { reviewStatusWord } from "./words.ts";

/**
 * Hides a review or its reply with a reason, shows it again, or leaves it visible, as an administrator. Closes open reports, updates the
 * averages and notifies the author.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function moderateReview(ctx: Ctx<Actor>, { id, intent, reason }: ModerateInput & { id: string }): Promise<void> {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (!isUuid(id)) throw new DomainError("not-found");
  if (intent === "hide-reply" || intent === "show-reply") return moderateReply(ctx, id, intent, reason ?? "");
  await transact(ctx, async (tx) => {
    const [known] = await tx.db.select({ doctorId: reviews.doctorId }).from(reviews).where(eq(reviews.id, id));
    if (!known) throw new DomainError("not-found");
    const { names } = await lockRatings(tx, known.doctorId, id);
    const rule = REVIEW_ACTIONS[intent];
    const [row] = await tx.db
      .update(reviews)
      .set({
        status: rule.to,
        hiddenReason: intent === "hide" ? (reason ?? "") : null,
        decidedBy: tx.actor.userId,
        decidedAt: tx.now,
      })
      .where(and(eq(reviews.id, id), inArray(reviews.status, [...rule.from])))
      .returning();
    if (!row) {
      const [now] = await tx.db.select({ status: reviews.status }).from(reviews).where(eq(reviews.id, id));
      const status = reviewStatusWord(now?.status ?? "withdrawn").toLowerCase();
      throw new DomainError("conflict", m.reviews_wrong_state({ status }));
    }
    const rating = row.rating ?? 0;
    if (intent === "hide") await addRating(tx, row, { sum: -rating, count: -1 });
    if (intent === "show") await addRating(tx, row, { sum: rating, count: 1 });
    const closed = await closeReports(tx, id);
    const notice = {
      params: { ...doctorParams(names), ...(intent === "hide" && { note: reason ?? "" }) },
      target: { page: "patient-review", id: row.appointmentId },
    } as const;
    await recordChange(tx, `review.${intent}`, {
      subject: { review: id },
      people: { patient: row.patientId, doctor: row.doctorId },
      place: row.hospitalId,
      data: { to: rule.to },
      details: { doctorId: row.doctorId, reports: closed, ...(reason ? { reason } : {}) },
      notify: { patient: intent === "keep" ? null : notice },
    });
  });
}

/** Closes the open reports of a review. Returns how many. */
async function closeReports(tx: Ctx, id: string): Promise<number> {
  const closed = await tx.db
    .update(reviewReports)
    .set({ decidedAt: tx.now })
    .where(and(eq(reviewReports.reviewId, id), isNull(reviewReports.decidedAt)))
    .returning({ id: reviewReports.id });
  return closed.length;
}

/** Hides the doctor's reply with a reason and notifies the doctor, or shows it again. Closes open reports. */
async function moderateReply(ctx: Ctx<Actor>, id: string, intent: "hide-reply" | "show-reply", reason: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const [old] = await tx.db.select().from(reviews).where(eq(reviews.id, id)).for("no key update");
    if (!old) throw new DomainError("not-found");
    const allowed = intent === "hide-reply" ? isReplyShown(old) : mayShowReply(old);
    if (!allowed) throw new DomainError("conflict", m.reviews_reply_changed());
    const hidden = intent === "hide-reply";
    await tx.db
      .update(reviews)
      .set({ replyHiddenReason: hidden ? reason : null })
      .where(eq(reviews.id, id));
    await recordChange(tx, hidden ? "hide-review-reply" : "show-review-reply", {
      subject: { review: id },
      people: { doctor: old.doctorId },
      details: { doctorId: old.doctorId, reports: await closeReports(tx, id), ...(hidden && { reason }) },
      notify: { doctor: hidden ? { params: { note: reason }, target: { page: "doctor-reviews" } } : null },
    });
  });
}
