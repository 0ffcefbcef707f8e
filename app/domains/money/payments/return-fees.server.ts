import { and, asc, eq, gt, sql } from "drizzle-orm";
import { payments, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { minus, paise } from "#app/lib/money.ts";
import { createRefund } from "./create-refund.server.ts";

/**
 * Returns platform fees that are not due: of payments of which the clinic has nothing any more, and all but the first of an appointment. Safe to repeat.
 * The caller has locked the appointment and has just booked what the clinic returned.
 */
export async function returnPlatformFees(tx: Ctx, visit: { id: string; patientId: string }): Promise<void> {
  const paid = await tx.db
    .select({
      id: payments.id,
      left: sql<number>`(${payments.amount} - ${payments.refunded})::float8`,
      platformFee: payments.platformFee,
      platformFeeRefunded: payments.platformFeeRefunded,
      refunds: sql<number>`(select count(*) from ${refunds} r where r.payment_id = payments.id)::int`,
    })
    .from(payments)
    .where(and(eq(payments.appointmentId, visit.id), gt(payments.platformFee, payments.platformFeeRefunded)))
    .orderBy(asc(payments.receivedAt), asc(payments.id));
  const kept = paid.find(({ left }) => left > 0);
  for (const payment of paid) {
    if (payment === kept) continue;
    await createRefund(tx, {
      paymentId: payment.id,
      patientId: visit.patientId,
      method: "online",
      amount: paise(0),
      platformFee: minus(payment.platformFee, payment.platformFeeRefunded),
      reason: "platform-fee",
      key: `platform-fee.${payment.refunds}`,
    });
  }
}
