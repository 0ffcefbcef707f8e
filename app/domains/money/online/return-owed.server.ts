import { desc, eq, sql } from "drizzle-orm";
import { payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { minus, paise } from "#app/lib/money.ts";
import type { RefundReason } from "#app/lib/vocabulary.ts";
import { createRefund } from "../payments/create-refund.server.ts";
import { returnPlatformFees } from "../payments/return-fees.server.ts";
import { settleDiscount } from "../payments/settle-discount.server.ts";
import type { LockedVisit } from "./locked-order.server.ts";

/**
 * Refunds what was paid online and is not due. Of a cancelled appointment: everything that came after the cancellation, and the rest if the policy
 * owes it. Otherwise: what is over the price, the last payment first. Also platform fees that are not due any more. It depends on what the ledger
 * has now, so it is safe to repeat. The caller has locked the appointment.
 */
export async function returnOwed(tx: Ctx, visit: LockedVisit): Promise<void> {
  const paid = await tx.db
    .select({
      id: payments.id,
      method: payments.method,
      amount: payments.amount,
      refunded: payments.refunded,
      corrected: payments.corrected,
      unseatable: payments.unseatable,
      refunds: sql<number>`(select count(*) from ${refunds} r where r.payment_id = payments.id)::int`,
      byDashboard: sql<number>`(select coalesce(sum(r.amount), 0) from ${refunds} r join ${providerRefunds} pr on pr.refund_id = r.id
        where r.payment_id = payments.id and r.reason = 'dashboard' and pr.state <> 'withdrawn')::float8`,
    })
    .from(payments)
    .where(eq(payments.appointmentId, visit.id))
    .orderBy(desc(payments.receivedAt), desc(payments.id));
  const isGone = visit.status === "cancelled";
  const price = visit.fee === null ? null : visit.fee - visit.discount;
  const came = paid.reduce((sum, one) => sum + one.amount - one.corrected - one.byDashboard, 0);
  let over = price === null ? 0 : Math.max(0, came - price);
  for (const payment of paid) {
    const left = minus(payment.amount, payment.refunded);
    if (payment.method !== "online" || left === 0) continue;
    const owed = isGone ? (payment.unseatable || visit.refundOwed !== false ? left : 0) : Math.min(left, over);
    if (owed === 0) continue;
    over -= owed;
    const reason: RefundReason = isGone ? (payment.unseatable ? "unseatable" : "cancelled") : "duplicate";
    const key = `${reason}.${payment.refunds}`;
    await createRefund(tx, { paymentId: payment.id, patientId: visit.patientId, method: "online", amount: paise(owed), reason, key });
  }
  await settleDiscount(tx, visit);
  await returnPlatformFees(tx, visit);
}
