import { and, eq, inArray } from "drizzle-orm";
import { appointments, patients, reviews } from "#app/db/schema/index.ts";
import { emptiedValues } from "#app/db/schema/policy.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { addRating, lockRatings } from "#app/domains/directory/ratings.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { authorOf } from "./author.ts";
import { isEditable, REVIEW_ACTIONS } from "./review.state.ts";
import type { ReviewInput } from "./reviews.schema.ts";

type Visit = { doctorId: string; author: string | null };

/**
 * Creates or edits the acting patient's review of a completed visit. Idempotent. Updates the doctor's rating in the same
 * transaction.
 * @returns whether it is new
 * @throws DomainError("not-found"), "conflict" when the visit is not completed or the review can no longer be edited
 */
export function saveReview(ctx: Ctx<Actor>, { appointmentId, rating, words }: ReviewInput & { appointmentId: string }): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const visit = await ownVisit(tx, appointmentId);
    const { hospitalId, names } = await lockRatings(tx, visit.doctorId, (await ownReview(tx, appointmentId))?.id);
    // Locks the account after the doctor's row, in the same order as the deletion of an account.
    await requireOpenAccount(tx);
    // Read after locking: the doctor may have undone the completion.
    await ownVisit(tx, appointmentId);
    // Read after locking: includes a review written by a concurrent request.
    const old = await ownReview(tx, appointmentId);
    if (old) {
      await change(tx, old, { rating, words });
      return false;
    }
    const [made] = await tx.db
      .insert(reviews)
      .values({
        appointmentId,
        patientId: tx.actor.userId,
        doctorId: visit.doctorId,
        hospitalId,
        rating,
        words: words || null,
        createdAt: tx.now,
      })
      .returning({ id: reviews.id });
    await addRating(tx, { doctorId: visit.doctorId, hospitalId }, { sum: rating, count: 1 });
    const params = { ...doctorParams(names), author: authorOf(visit.author) ?? "", stars: String(rating) };
    await recordChange(tx, "review.write", {
      ...changeOf(tx, { id: made!.id, doctorId: visit.doctorId, hospitalId }, "shown", { rating }),
      notify: { doctor: { params, target: { page: "doctor-reviews" } } },
    });
    return true;
  });
}

type Review = typeof reviews.$inferSelect;

async function change(tx: Ctx<Actor>, old: Review, { rating, words }: ReviewInput): Promise<void> {
  if (!isEditable(tx.now, old) || old.rating === null) throw new DomainError("conflict", m.reviews_not_changeable());
  if (old.rating === rating && old.words === (words || null)) return;
  await tx.db
    .update(reviews)
    .set({ rating, words: words || null, editedAt: tx.now })
    .where(and(eq(reviews.id, old.id), inArray(reviews.status, [...REVIEW_ACTIONS.edit.from])));
  await addRating(tx, old, { sum: rating - old.rating, count: 0 });
  await recordChange(tx, "review.edit", changeOf(tx, old, REVIEW_ACTIONS.edit.to, { rating, before: old.rating }));
}

/** Deletes stars and text of the acting patient's review. Idempotent. @throws DomainError("not-found") */
export function withdrawReview(ctx: Ctx<Actor>, appointmentId: string): Promise<void> {
  return transact(ctx, async (tx) => {
    await ownVisit(tx, appointmentId);
    const known = await ownReview(tx, appointmentId);
    if (!known) throw new DomainError("not-found");
    await withdraw(tx, known);
  });
}

/** Deletes all reviews of a patient whose account is being deleted, in the transaction of `tx`. */
export async function withdrawAllReviews(tx: Ctx<Actor>): Promise<void> {
  const own = await tx.db.select().from(reviews).where(eq(reviews.patientId, tx.actor.userId)).orderBy(reviews.doctorId);
  for (const review of own) await withdraw(tx, review);
}

async function withdraw(tx: Ctx<Actor>, { id, doctorId }: Review): Promise<void> {
  await lockRatings(tx, doctorId, id);
  const [old] = await tx.db.select().from(reviews).where(eq(reviews.id, id));
  const rule = REVIEW_ACTIONS.withdraw;
  const [gone] = await tx.db
    .update(reviews)
    .set({ status: rule.to, ...emptiedValues(reviews) })
    .where(and(eq(reviews.id, id), eq(reviews.patientId, tx.actor.userId), inArray(reviews.status, [...rule.from])))
    .returning({ id: reviews.id });
  if (!gone || !old) return;
  if (old.status === "shown") await addRating(tx, old, { sum: -(old.rating ?? 0), count: -1 });
  await recordChange(tx, "review.withdraw", changeOf(tx, old, rule.to));
}

async function ownVisit(tx: Ctx<Actor>, id: string): Promise<Visit> {
  if (tx.actor.role !== "patient" || !isUuid(id)) throw new DomainError("not-found");
  const [row] = await tx.db
    .select({ doctorId: appointments.doctorId, status: appointments.status, author: patients.name })
    .from(appointments)
    .innerJoin(patients, eq(patients.id, appointments.patientId))
    .where(and(eq(appointments.id, id), eq(appointments.patientId, tx.actor.userId)));
  if (!row) throw new DomainError("not-found");
  if (row.status !== "completed") throw new DomainError("conflict", m.reviews_not_completed());
  return row;
}

async function ownReview(tx: Ctx<Actor>, appointmentId: string): Promise<Review | undefined> {
  const own = and(eq(reviews.appointmentId, appointmentId), eq(reviews.patientId, tx.actor.userId));
  const [row] = await tx.db.select().from(reviews).where(own);
  return row;
}

const changeOf = (
  tx: Ctx<Actor>,
  { id, doctorId, hospitalId }: Pick<Review, "id" | "doctorId" | "hospitalId">,
  to: Review["status"],
  details: Record<string, unknown> = {},
) => ({
  subject: { review: id },
  people: { patient: tx.actor.userId, doctor: doctorId },
  place: hospitalId,
  data: { to },
  details: { doctorId, ...details },
});
