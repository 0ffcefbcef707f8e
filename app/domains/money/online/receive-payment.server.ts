import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { payments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";
import { minus, type Paise, paise } from "#app/lib/money.ts";
import { publish } from "#app/realtime/channels.server.ts";
import type { KnownPayment } from "../events/state-of-events.ts";
import { receiveLines } from "../ledger/ledger.ts";
import { postTransfer } from "../ledger/post-transfer.server.ts";
import { bookRefund } from "../payments/book-refund.server.ts";
import { sumsOf } from "../payments/payment-line.ts";
import { dueOf } from "../payments/payment-status.ts";
import { issueReceipt } from "../receipts/issue-receipt.server.ts";
import type { LockedOrder } from "./locked-order.server.ts";

type Captured = KnownPayment & { amount: Paise };
const CAPTURED: readonly string[] = ["captured", "partly-refunded", "refunded"];
/** True when the provider has the money, also after a refund. */
export const isCaptured = (payment: KnownPayment): payment is Captured => CAPTURED.includes(payment.state) && payment.amount !== null;

/**
 * Records a captured payment once: payment, ledger entries and receipt. What was not due is refunded at once: everything when the appointment is
 * cancelled, otherwise what is over the amount due.
 */
export async function receivePayment(tx: Ctx, { visit, order }: LockedOrder, captured: Captured): Promise<void> {
  const [again] = await tx.db.select({ id: payments.id }).from(payments).where(eq(payments.providerPaymentId, captured.id));
  if (again) return;
  const sums = sumsOf(
    await tx.db
      .select({ amount: payments.amount, refunded: payments.refunded, corrected: payments.corrected })
      .from(payments)
      .where(eq(payments.appointmentId, visit.id)),
  );
  const { amount } = captured;
  const due = dueOf({ ...visit, ...sums });
  const isGone = visit.status === "cancelled";
  const id = randomUUID();
  const { merchantId, doctorId } = order;
  await tx.db.insert(payments).values({
    id,
    appointmentId: visit.id,
    doctorId,
    merchantId,
    method: "online",
    amount,
    orderId: order.id,
    providerPaymentId: captured.id,
    unseatable: isGone,
    idempotencyKey: captured.id,
    receivedAt: tx.now,
  });
  const about = { paymentId: id, merchantId, doctorId };
  const bearsDiscount = !isGone && due !== 0 && sums.received === sums.refunded;
  await postTransfer(tx, about, receiveLines("online", amount, bearsDiscount ? visit.discount : paise(0)));
  await issueReceipt(tx, { ...about, placeId: visit.placeId });
  await recordAudit(tx, {
    action: "record-payment",
    subjectType: "appointment",
    subjectId: visit.id,
    personId: visit.patientId,
    details: { method: "online", amount },
  });
  await recordEvent(tx, { kind: "payment.receive", subjectId: id, doctorId, data: { to: "captured" } });
  await publish(tx, visit.patientId, "appointmentChanged", { _id: visit.id });
  const over = due === null ? paise(0) : paise(Math.max(0, minus(amount, due)));
  if (over > 0)
    await bookRefund(tx, {
      paymentId: id,
      patientId: visit.patientId,
      method: "online",
      amount: over,
      reason: isGone ? "unseatable" : "duplicate",
      key: "not-due",
    });
}
