import { and, eq } from "drizzle-orm";
import { doctorNames } from "#app/db/in-language.server.ts";
import { doctors, reviews } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { mayReply } from "./review.state.ts";
import type { ReplyInput } from "./reviews.schema.ts";

/**
 * Publishes, changes or removes the acting doctor's reply to a visible review. Idempotent. Notifies the author of the first reply.
 * @returns whether the review has a reply now
 * @throws DomainError("not-found"), "conflict" when an administrator hid the reply
 */
export function replyToReview(ctx: Ctx<Actor>, { id, intent, reply }: ReplyInput & { id: string }): Promise<boolean> {
  if (!isUuid(id)) throw new DomainError("not-found");
  return transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const own = and(eq(reviews.id, id), eq(reviews.doctorId, tx.actor.userId), eq(reviews.status, "shown"));
    const [old] = await tx.db.select().from(reviews).where(own).for("no key update");
    if (!old) throw new DomainError("not-found");
    const wanted = intent === "save" ? (reply ?? "") : null;
    if (old.reply === wanted) return wanted !== null;
    if (wanted !== null && !mayReply(old)) throw new DomainError("conflict", m.reviews_reply_is_hidden());
    await tx.db
      .update(reviews)
      .set({ reply: wanted, repliedAt: wanted === null ? null : tx.now })
      .where(eq(reviews.id, id));
    const change = { subject: { review: id }, people: { patient: old.patientId }, details: { doctorId: old.doctorId } };
    if (wanted === null) {
      await recordChange(tx, "remove-review-reply", change);
      return false;
    }
    const [doctor] = await tx.db.select(doctorNames).from(doctors).where(eq(doctors.id, old.doctorId));
    const notice = { params: doctorParams(doctor), target: { page: "patient-review", id: old.appointmentId } } as const;
    await recordChange(tx, "reply-to-review", { ...change, notify: { patient: old.reply === null ? notice : null } });
    return true;
  });
}
