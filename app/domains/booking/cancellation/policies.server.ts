import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { refundPolicies } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { PREPAY_MINUTES, REFUND_HOURS, type RefundHours } from "./refund-policy.ts";

/** Whose policy: null as the doctor, otherwise the place. */
type Of = { hospitalId: string | null };

/** A doctor and one of their practices: ids, or columns. Without a practice: the first one. */
type Bookable = { doctorId: string | SQLWrapper; practiceId: string | SQLWrapper | null };

/** SQL: who receives the money of a new appointment: the place, when its staff act for the doctor there, otherwise the doctor. */
const merchantOf = ({ doctorId, practiceId }: Bookable) => sql`coalesce(
    (select pd.hospital_id from place_doctors pd where pd.doctor_id = ${doctorId}::uuid and pd.state = 'active' and pd.hospital_id =
      coalesce((select p.hospital_id from practices p where p.id = ${practiceId}::uuid), (select d.hospital_id from doctors d where d.id = ${doctorId}::uuid))),
    ${doctorId}::uuid)`;

/** SQL: the hours of the refund policy that a new appointment of this doctor and practice gets. */
export const refundHoursAtBooking = (of: Bookable): SQL<number> =>
  sql`coalesce((select f.hours from refund_policies f where f.merchant_id = ${merchantOf(of)}), 24)`;

/** SQL: whether patients of this doctor and practice must pay online when they book. Always false without a payment provider. */
export const isPrepaid = ({ integrations }: Ctx, of: Bookable): SQL<boolean> =>
  integrations.payments
    ? sql<boolean>`coalesce((select f.prepay from refund_policies f where f.merchant_id = ${merchantOf(of)}), false)`
    : sql<boolean>`false`;

/** SQL: until when the patient must pay an appointment that they book now; null: no prepayment. */
export const prepayUntilAtBooking = (ctx: Ctx, of: Bookable): SQL<Date | null> =>
  sql`case when ${isPrepaid(ctx, of)} then ${new Date(ctx.now.getTime() + minutes(PREPAY_MINUTES)).toISOString()}::timestamptz end`;

/** Returns whether patients who book this doctor must pay online. Asks the database only with a payment provider. */
export async function requiresPrepayment(ctx: Ctx, of: Bookable | { doctorId: string; date: string; time: string }): Promise<boolean> {
  if (!ctx.integrations.payments) return false;
  const practiceId =
    "practiceId" in of
      ? of.practiceId
      : sql`(select s.practice_id from availability_slots s where s.doctor_id = ${of.doctorId} and s.date = ${of.date} and s.time = ${of.time})`;
  const [row] = await ctx.db.execute<{ prepaid: boolean }>(sql`select ${isPrepaid(ctx, { doctorId: of.doctorId, practiceId })} as prepaid`);
  return row?.prepaid ?? false;
}

/** Returns the refund hours and the prepayment that a new appointment of this doctor and practice gets. */
export async function getRulesAtBooking(ctx: Ctx, of: Bookable): Promise<{ refundHours: number; prepaid: boolean }> {
  const [row] = await ctx.db.execute<{ refundHours: number; prepaid: boolean }>(
    sql`select ${refundHoursAtBooking(of)} as "refundHours", ${isPrepaid(ctx, of)} as prepaid`,
  );
  return row!;
}

/** Returns the merchant whose money the actor sets rules for: the doctor, or the owner's place. @throws DomainError("not-found" | "forbidden") */
async function requireMerchant(ctx: Ctx<Actor>, { hospitalId }: Of): Promise<{ acting: Ctx<Actor>; merchantId: string }> {
  if (hospitalId !== null) return { acting: await requireActing(ctx, hospitalId, "manage-doctors"), merchantId: hospitalId };
  if (ctx.actor.role !== "doctor") throw new DomainError("forbidden");
  return { acting: ctx, merchantId: ctx.actor.userId };
}

/** `prepay`: patients must pay online when they book. */
export type PaymentRules = { hours: RefundHours; prepay: boolean };

/** Returns refund policy and prepayment of the acting doctor or of a place of the acting owner. @throws DomainError("not-found" | "forbidden") */
export async function getRefundPolicy(ctx: Ctx<Actor>, of: Of): Promise<PaymentRules> {
  const { merchantId } = await requireMerchant(ctx, of);
  const [row] = await ctx.db
    .select({ hours: refundPolicies.hours, prepay: refundPolicies.prepay })
    .from(refundPolicies)
    .where(eq(refundPolicies.merchantId, merchantId));
  return { hours: REFUND_HOURS.find((hours) => hours === row?.hours) ?? REFUND_HOURS[0], prepay: row?.prepay ?? false };
}

/**
 * Sets the refund policy for new appointments, and whether they are prepaid. Without `prepay`, as without a payment provider, that stays as it is.
 * Booked appointments keep the rules that the patient saw.
 * @throws DomainError("not-found" | "forbidden")
 */
export const setRefundPolicy = (ctx: Ctx<Actor>, input: Of & { hours: RefundHours; prepay?: boolean }): Promise<void> =>
  transact(ctx, async (open) => {
    const { acting: tx, merchantId } = await requireMerchant(open, input);
    const { hours } = input;
    const prepay = tx.integrations.payments ? input.prepay : undefined;
    const set = { hours, ...(prepay !== undefined && { prepay }), changedAt: tx.now };
    await tx.db
      .insert(refundPolicies)
      .values({ merchantId, ...set })
      .onConflictDoUpdate({ target: refundPolicies.merchantId, set });
    const what = prepay === undefined ? "set-refund-policy" : "set-prepayment";
    const details = { refundHours: hours, ...(prepay !== undefined && { prepay }) };
    if (input.hospitalId === null) await recordChange(tx, `${what}-of-doctor`, { people: { doctor: merchantId }, details });
    else await recordChange(tx, `${what}-of-place`, { subject: { hospital: merchantId }, details });
  });
