import { eq, type SQL, sql } from "drizzle-orm";
import { refundPolicies } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { REFUND_HOURS, type RefundHours } from "./refund-policy.ts";

/** Whose policy: null as the doctor, otherwise the place. */
type Of = { hospitalId: string | null };

/** SQL: the hours of the refund policy that a new appointment of this doctor and practice gets. */
export const refundHoursAtBooking = ({ doctorId, practiceId }: { doctorId: string; practiceId: string }): SQL<number> =>
  sql`coalesce((select f.hours from refund_policies f where f.merchant_id = coalesce(
    (select pd.hospital_id from place_doctors pd where pd.doctor_id = ${doctorId}::uuid and pd.state = 'active' and pd.hospital_id =
      coalesce((select p.hospital_id from practices p where p.id = ${practiceId}::uuid), (select d.hospital_id from doctors d where d.id = ${doctorId}::uuid))),
    ${doctorId}::uuid)), 24)`;

/** Returns the merchant whose money the actor sets rules for: the doctor, or the owner's place. @throws DomainError("not-found" | "forbidden") */
async function requireMerchant(ctx: Ctx<Actor>, { hospitalId }: Of): Promise<{ acting: Ctx<Actor>; merchantId: string }> {
  if (hospitalId !== null) return { acting: await requireActing(ctx, hospitalId, "manage-doctors"), merchantId: hospitalId };
  if (ctx.actor.role !== "doctor") throw new DomainError("forbidden");
  return { acting: ctx, merchantId: ctx.actor.userId };
}

/** Returns the hours of the refund policy of the acting doctor or of a place of the acting owner. @throws DomainError("not-found" | "forbidden") */
export async function getRefundPolicy(ctx: Ctx<Actor>, of: Of): Promise<RefundHours> {
  const { merchantId } = await requireMerchant(ctx, of);
  const [row] = await ctx.db.select({ hours: refundPolicies.hours }).from(refundPolicies).where(eq(refundPolicies.merchantId, merchantId));
  return REFUND_HOURS.find((hours) => hours === row?.hours) ?? REFUND_HOURS[0];
}

/**
 * Sets the refund policy for new appointments. Booked appointments keep the policy that the patient saw.
 * @throws DomainError("not-found" | "forbidden")
 */
export const setRefundPolicy = (ctx: Ctx<Actor>, input: Of & { hours: RefundHours }): Promise<void> =>
  transact(ctx, async (open) => {
    const { acting: tx, merchantId } = await requireMerchant(open, input);
    await tx.db
      .insert(refundPolicies)
      .values({ merchantId, hours: input.hours, changedAt: tx.now })
      .onConflictDoUpdate({ target: refundPolicies.merchantId, set: { hours: input.hours, changedAt: tx.now } });
    await recordAudit(tx, {
      action: "set-refund-policy",
      subjectType: input.hospitalId === null ? "doctor" : "hospital",
      subjectId: merchantId,
      details: { refundHours: input.hours },
    });
  });
