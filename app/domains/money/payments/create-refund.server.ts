import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { ledgerEntries, paymentOrders, payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { minus, type Paise, paise, plus } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import type { ReceivedBy, RefundReason } from "#app/lib/vocabulary.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { overRefundLines, platformFeeRefundLines, refundLines } from "../ledger/ledger.ts";
import { postTransfer } from "../ledger/post-transfer.server.ts";
import { issueForRefund } from "../platform-fee/issue-document.server.ts";
import { notifyMoney } from "../refunds/notify-money.server.ts";
import { PAYMENT_ACTIONS, refundAction } from "./payment.state.ts";

type Booked = {
  paymentId: string;
  /** The patient of the appointment. */
  patientId: string;
  method: ReceivedBy;
  /** What the clinic returns. */
  amount: Paise;
  /** What of the platform fee is returned with it; by default all of it when nothing of the clinic's part is left, if the provider returns it. */
  platformFee?: Paise;
  /** The part of `amount` above what is left of the payment: the provider has returned it nevertheless. */
  over?: Paise;
  reason: RefundReason;
  /** A second call with it changes nothing. */
  key: string;
  /** The provider's id of a refund that it has made already, in its dashboard. */
  providerRefundId?: string;
};

/**
 * Makes a refund, the one command that does; `decideRefund` (booking/cancellation) decides whether a cancellation gives one. Writes the refund, ledger
 * entries, the credit note of a platform fee and, with the method `online`, what the provider has to send. The caller has locked the appointment and
 * checked that at least `amount` less `over` is left. After a refund in another way the caller returns the platform fee (return-fees.server.ts).
 * Returns the refund's id, or null for a key seen before.
 */
export async function createRefund(tx: Ctx, of: Booked): Promise<string | null> {
  const { paymentId, method, amount, reason } = of;
  const [again] = await tx.db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), eq(refunds.idempotencyKey, of.key)));
  if (again) return null;
  const [payment] = await tx.db.select().from(payments).where(eq(payments.id, paymentId));
  if (!payment) throw new Error(`no payment ${paymentId}`);
  const over = of.over ?? paise(0);
  const booked = minus(amount, over);
  const refunded = plus(payment.refunded, booked);
  const action = refundAction(minus(payment.amount, refunded));
  const { from, to } = PAYMENT_ACTIONS[action];
  const feeLeft = minus(payment.platformFee, payment.platformFeeRefunded);
  const platformFee = of.platformFee ?? (method === "online" && refunded === payment.amount ? feeLeft : paise(0));
  const id = randomUUID();
  await tx.db.insert(refunds).values({ id, paymentId, method, amount, platformFee, reason, idempotencyKey: of.key, refundedAt: tx.now });
  // Money that was never due stays out of what the appointment received.
  const isCorrected = reason === "mistake" || reason === "duplicate";
  await tx.db
    .update(payments)
    .set({
      refunded,
      corrected: isCorrected ? plus(payment.corrected, booked) : payment.corrected,
      platformFeeRefunded: plus(payment.platformFeeRefunded, platformFee),
      // A refund of the platform fee alone changes nothing of the clinic's part.
      state: amount === 0 ? payment.state : to,
    })
    .where(and(eq(payments.id, paymentId), booked === 0 ? undefined : inArray(payments.state, [...from])));
  const about = { paymentId, merchantId: payment.merchantId, doctorId: payment.doctorId, refundId: id };
  await postTransfer(tx, about, [
    ...refundLines(method, booked, await discountToReturn(tx, payment.appointmentId)),
    ...overRefundLines(method, over),
    ...platformFeeRefundLines(platformFee),
  ]);
  if (platformFee > 0) await issueForRefund(tx, { kind: "credit-note", paymentId, refundId: id, amount: platformFee });
  if (method === "online") await requestFromProvider(tx, id, payment, of.providerRefundId);
  // Of money that came too late the patient is notified with the payment (apply-order.server.ts).
  if (method === "online" && !of.providerRefundId && reason !== "unseatable")
    await notifyMoney(tx, "refund-started", payment.appointmentId, { amount: withPlatformFee({ amount, platformFee }) });
  await recordChange(tx, "refund-payment", {
    subject: { appointment: payment.appointmentId },
    people: { patient: of.patientId },
    details: { method, amount, refundReason: reason, ...(platformFee > 0 && { platformFee }) },
  });
  const changed = { subject: { payment: paymentId }, people: { doctor: payment.doctorId }, data: { to } };
  if (amount > 0) await recordChange(tx, `payment.${action}`, changed);
  return id;
}

async function requestFromProvider(
  tx: Ctx,
  refundId: string,
  payment: { orderId: string | null; doctorId: string },
  providerRefundId: string | undefined,
) {
  const [order] = await tx.db
    .select({ provider: paymentOrders.provider })
    .from(paymentOrders)
    .where(eq(paymentOrders.id, payment.orderId ?? ""));
  const sentAt = providerRefundId ? tx.now : null;
  await tx.db.insert(providerRefunds).values({
    refundId,
    provider: order!.provider,
    providerRefundId: providerRefundId ?? null,
    requestedAt: tx.now,
    nextTryAt: tx.now,
    sentAt,
  });
  const requested = { subject: { "provider-refund": refundId }, people: { doctor: payment.doctorId } };
  await recordChange(tx, "provider-refund.request", { ...requested, data: { to: "pending" } });
  if (sentAt) return;
  await enqueue(tx, "payment-refund", { refundId });
}

/** Returns the discount that Nadi bore for an appointment, if nothing of its fee stays paid; otherwise 0. */
async function discountToReturn(tx: Ctx, appointmentId: string): Promise<Paise> {
  const [of] = await tx.db
    .select({
      left: sql<Paise>`coalesce(sum(${payments.amount} - ${payments.refunded}), 0)::float8`,
      discount: sql<Paise>`coalesce((select sum(e.amount) from ${ledgerEntries} e where e.account = 'discount'
        and e.payment_id in (select p.id from payments p where p.appointment_id = ${appointmentId})), 0)::float8`,
    })
    .from(payments)
    .where(eq(payments.appointmentId, appointmentId));
  return of!.left === 0 ? of!.discount : paise(0);
}
