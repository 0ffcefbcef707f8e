import { eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { doctorNames } from "#app/db/in-language.server.ts";
import { doctors, hospitals, reviews } from "#app/db/schema/index.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { DoctorNames } from "#app/lib/translations.ts";
import { type Ctx, transact } from "../context.server.ts";

/** Doctor and hospital that a review counts for. */
export type Rated = { doctorId: string; hospitalId: string | null };

/**
 * Locks the doctor's row and then the hospital's, before the review is read, to serialize changes of the doctor's reviews until
 * the commit.
 * @param reviewId an existing review: its hospital may differ from the doctor's current one
 * @returns the hospital at which the doctor works now
 */
export async function lockRatings(
  tx: Ctx,
  doctorId: string,
  reviewId?: string,
): Promise<{ hospitalId: string | null; names: DoctorNames }> {
  const [doctor] = await tx.db
    .select({ hospitalId: doctors.hospitalId, ...doctorNames })
    .from(doctors)
    .where(eq(doctors.id, doctorId))
    .for("no key update");
  const [review] = reviewId ? await tx.db.select({ hospitalId: reviews.hospitalId }).from(reviews).where(eq(reviews.id, reviewId)) : [];
  const hospitalId = review ? review.hospitalId : (doctor?.hospitalId ?? null);
  if (hospitalId) await tx.db.select({ id: hospitals.id }).from(hospitals).where(eq(hospitals.id, hospitalId)).for("no key update");
  return { hospitalId: doctor?.hospitalId ?? null, names: { name: doctor?.name ?? "", translations: doctor?.translations ?? {} } };
}

/** Adds to the rating of a doctor and a hospital, in the transaction that changes the review. */
export async function addRating(tx: Ctx, { doctorId, hospitalId }: Rated, by: { sum: number; count: number }): Promise<void> {
  for (const [table, id] of [
    [doctors, doctorId],
    [hospitals, hospitalId],
  ] as const)
    if (id)
      await tx.db
        .update(table)
        .set({ ratingSum: sql`${table.ratingSum} + ${by.sum}`, ratingCount: sql`${table.ratingCount} + ${by.count}` })
        .where(eq(table.id, id));
}

/** Moves the reviews of a hospital to the one that it is merged into. The merging command has locked both rows. */
export async function moveReviews(tx: Ctx, from: string, into: string): Promise<void> {
  await tx.db.update(reviews).set({ hospitalId: into }).where(eq(reviews.hospitalId, from));
  await repair(tx.db, [from, into]);
}

export type WrongRating = { kind: "doctor" | "hospital"; id: string; sum: number; count: number; realSum: number; realCount: number };

/** Returns doctors and hospitals whose columns differ from the sum of their visible reviews. Should be empty. */
export async function findWrongRatings(ctx: Ctx): Promise<WrongRating[]> {
  const of = (kind: "doctor" | "hospital") => sql`
    select ${sql.raw(`'${kind}'`)} as kind, t.id, t.rating_sum as sum, t.rating_count as count,
      coalesce(r.sum, 0)::int as "realSum", coalesce(r.count, 0)::int as "realCount"
    from ${sql.raw(`${kind}s`)} t
    left join (select ${sql.raw(`${kind}_id`)} as id, sum(rating) as sum, count(*) as count from reviews where status = 'shown' group by 1) r
      on r.id = t.id
    where (t.rating_sum, t.rating_count) is distinct from (coalesce(r.sum, 0), coalesce(r.count, 0))`;
  return (await ctx.db.execute(sql`${of("doctor")} union all ${of("hospital")}`)) as unknown as WrongRating[];
}

/** Recalculates all sums from the reviews if one is wrong. Blocks reviews meanwhile. @returns the number of wrong ones */
export async function repairRatings(ctx: Ctx): Promise<number> {
  if ((await findWrongRatings(ctx)).length === 0) return 0;
  return transact(ctx, async (tx) => {
    await tx.db.execute(sql`lock table reviews in share row exclusive mode`);
    const wrong = await findWrongRatings(tx);
    if (wrong.length) {
      await repair(tx.db);
      await recordChange(tx, "repair-ratings", {});
    }
    return wrong.length;
  });
}

/** Calculates the columns from the reviews: of these hospitals, or of all hospitals and doctors. */
export async function repair(db: Db, hospitalIds?: string[]): Promise<void> {
  const shown = (column: "doctor_id" | "hospital_id", of: string) =>
    sql`coalesce((select sum(r.rating)::int from reviews r where r.${sql.raw(column)} = ${sql.raw(of)} and r.status = 'shown'), 0)`;
  const number = (column: "doctor_id" | "hospital_id", of: string) =>
    sql`(select count(*)::int from reviews r where r.${sql.raw(column)} = ${sql.raw(of)} and r.status = 'shown')`;
  await db
    .update(hospitals)
    .set({ ratingSum: shown("hospital_id", "hospitals.id"), ratingCount: number("hospital_id", "hospitals.id") })
    .where(hospitalIds && inArray(hospitals.id, hospitalIds));
  if (hospitalIds) return;
  await db.update(doctors).set({ ratingSum: shown("doctor_id", "doctors.id"), ratingCount: number("doctor_id", "doctors.id") });
}
