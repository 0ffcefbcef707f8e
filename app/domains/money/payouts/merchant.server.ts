import { eq } from "drizzle-orm";
import { doctors, hospitals, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { KnownMerchant } from "./payouts.ts";

/** Whose payout account: null as the doctor, otherwise the place. */
export type PayoutOf = { hospitalId: string | null };

/** Returns the merchant that the actor may set the payout account of: the doctor, or the owner's place. @throws DomainError("not-found" | "forbidden") */
export async function requirePayoutMerchant(
  ctx: Ctx<Actor>,
  { hospitalId }: PayoutOf,
): Promise<{ acting: Ctx<Actor>; merchantId: string }> {
  if (hospitalId !== null) return { acting: await requireActing(ctx, hospitalId, "manage-staff"), merchantId: hospitalId };
  if (ctx.actor.role !== "doctor") throw new DomainError("forbidden");
  return { acting: ctx, merchantId: ctx.actor.userId };
}

/** Returns name and address of the acting doctor or of the place. The phone is that of the acting user. */
export async function getKnownMerchant(ctx: Ctx<Actor>, { hospitalId }: PayoutOf): Promise<KnownMerchant> {
  const [user] = await ctx.db.select({ email: users.email, phone: users.phone }).from(users).where(eq(users.id, ctx.actor.userId));
  const place = {
    name: hospitals.name,
    address: hospitals.address,
    city: hospitals.city,
    state: hospitals.state,
    pinCode: hospitals.pinCode,
    email: hospitals.email,
  };
  const [row] =
    hospitalId === null
      ? await ctx.db
          .select({ ...place, name: doctors.fullName })
          .from(doctors)
          .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
          .where(eq(doctors.id, ctx.actor.userId))
      : await ctx.db.select(place).from(hospitals).where(eq(hospitals.id, hospitalId));
  return {
    name: row?.name ?? "",
    // The provider has one account for each email: an owner may be a doctor with an own account.
    email: (hospitalId === null ? null : row?.email) || user?.email || "",
    phone: user?.phone ?? "",
    street: row?.address ?? "",
    city: row?.city ?? "",
    state: row?.state ?? "",
    pinCode: row?.pinCode ?? "",
  };
}
