import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { payments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { minus, type Paise, paise } from "#app/lib/money.ts";
import type { KnownPayment } from "../events/state-of-events.ts";
import { platformFeeLines, receiveLines } from "../ledger/ledger.ts";
import { postTransfer } from "../ledger/post-transfer.server.ts";
import { issueInvoice } from "../platform-fee/issue-document.server.ts";
import { issueReceipt } from "../receipts/issue-receipt.server.ts";
import type { LockedOrder } from "./locked-order.server.ts";

type Captured = KnownPayment & { amount: Paise };
const CAPTURED: readonly string[] = ["captured", "partly-refunded", "refunded"];
/** True when the provider has the money, also after a refund. */
export const isCaptured = (payment: KnownPayment): payment is Captured => CAPTURED.includes(payment.state) && payment.amount !== null;

/**
 * Records a captured payment once: payment, ledger entries, receipt and the invoice of its platform fee. Returns its id, or null when it was recorded
 * before. The caller then returns what was not due (return-owed.server.ts).
 */
export async function receivePayment(tx: Ctx, { visit, order }: LockedOrder, captured: Captured): Promise<string | null> {
  const ofProvider = eq(payments.providerPaymentId, captured.id);
  const [again] = await tx.db.select({ bankReference: payments.bankReference }).from(payments).where(ofProvider);
  if (again) {
    // The bank may give its reference later than the money.
    if (captured.reference && !again.bankReference)
      await tx.db.update(payments).set({ bankReference: captured.reference }).where(ofProvider);
    return null;
  }
  // The clinic's part first, as in a refund.
  const platformFee = paise(Math.min(order.platformFee, Math.max(0, captured.amount - order.amount)));
  const amount = minus(captured.amount, platformFee);
  const id = randomUUID();
  const { merchantId, doctorId } = order;
  await tx.db.insert(payments).values({
    id,
    appointmentId: visit.id,
    doctorId,
    merchantId,
    method: "online",
    amount,
    platformFee,
    orderId: order.id,
    providerPaymentId: captured.id,
    bankReference: captured.reference,
    unseatable: visit.status === "cancelled",
    idempotencyKey: captured.id,
    receivedAt: tx.now,
  });
  const about = { paymentId: id, merchantId, doctorId };
  await postTransfer(tx, about, [...receiveLines("online", amount, paise(0)), ...platformFeeLines(platformFee)]);
  await issueReceipt(tx, { ...about, placeId: visit.placeId });
  if (platformFee > 0) await issueInvoice(tx, { paymentId: id, amount: platformFee, terms: order.platformFeeTerms! });
  await recordChange(tx, "payment.receive", {
    subject: { payment: id, appointment: visit.id },
    people: { patient: visit.patientId, doctor: doctorId },
    data: { to: "captured" },
    details: { method: "online", amount, ...(platformFee > 0 && { platformFee }) },
  });
  return id;
}
