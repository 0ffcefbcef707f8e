import { and, eq, sql } from "drizzle-orm";
import { doctors, favourites, hospitals } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Favourite } from "./favourite.ts";

/** Adds a favourite. Idempotent. @throws DomainError("not-found") without a public page, "unauthenticated" */
export async function addFavourite(ctx: Ctx<Actor>, { kind, id }: Favourite): Promise<void> {
  const [shown] =
    kind === "doctor"
      ? await ctx.db
          .select({ id: doctors.id })
          .from(doctors)
          .where(and(eq(doctors.id, id), listedDoctor(doctors)))
      : await ctx.db
          .select({ id: hospitals.id })
          .from(hospitals)
          .where(and(eq(hospitals.id, id), listedHospital(hospitals)));
  if (!shown) throw new DomainError("not-found");
  // The first of concurrent requests inserts the row. The unique index ignores the others.
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    await tx.db
      .insert(favourites)
      .values({ patientId: tx.actor.userId, ...(kind === "doctor" ? { doctorId: id } : { hospitalId: id }), createdAt: tx.now })
      .onConflictDoNothing();
  });
}

/** Removes a favourite of the patient. Idempotent. */
export async function removeFavourite(ctx: Ctx<Actor>, { kind, id }: Favourite): Promise<void> {
  const of = kind === "doctor" ? favourites.doctorId : favourites.hospitalId;
  await ctx.db.delete(favourites).where(and(eq(favourites.patientId, ctx.actor.userId), eq(of, sql`${id}::uuid`)));
}
