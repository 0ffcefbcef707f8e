import { and, eq, inArray, sql } from "drizzle-orm";
import { ledgerEntries, payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { minus, type Paise, paise } from "#app/lib/money.ts";
import { platformFeeLines, withdrawLines } from "../ledger/ledger.ts";
import { postTransfer } from "../ledger/post-transfer.server.ts";
import { issueForRefund } from "../platform-fee/issue-document.server.ts";
import { PROVIDER_REFUND_ACTIONS } from "../refunds/provider-refund.state.ts";
import { PAYMENT_ACTIONS } from "./payment.state.ts";

/**
 * Books back a refund of the provider that returned nothing: it was not sent, or it failed. What it was booked for is refunded in another way, or owed
 * again (return-owed.server.ts). Its platform fee is invoiced again, because a credit note stays. The caller has locked the appointment. Without its
 * provider's id a message about it changes nothing any more.
 */
export async function withdrawRefund(tx: Ctx, refundId: string): Promise<void> {
  const { from, to } = PROVIDER_REFUND_ACTIONS.withdraw;
  const [withdrawn] = await tx.db
    .update(providerRefunds)
    .set({ state: to, settledAt: tx.now, providerRefundId: null })
    .where(and(eq(providerRefunds.refundId, refundId), inArray(providerRefunds.state, [...from])))
    .returning({ id: providerRefunds.refundId });
  if (!withdrawn) return;
  const [refund] = await tx.db.select().from(refunds).where(eq(refunds.id, refundId));
  const { paymentId, method, amount, platformFee, reason } = refund!;
  const [payment] = await tx.db.select().from(payments).where(eq(payments.id, paymentId));
  const { merchantId, doctorId } = payment!;
  const [ledger] = await tx.db
    .select({ over: sql<Paise>`coalesce(sum(${ledgerEntries.amount}), 0)::float8` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.refundId, refundId), eq(ledgerEntries.account, "over-refund")));
  const over = paise(ledger!.over);
  const booked = minus(amount, over);
  await postTransfer(tx, { paymentId, merchantId, doctorId, refundId }, [
    ...withdrawLines(method, booked, over),
    ...platformFeeLines(platformFee),
  ]);
  if (platformFee > 0) {
    await tx.db
      .update(payments)
      .set({ platformFeeRefunded: minus(payment!.platformFeeRefunded, platformFee) })
      .where(eq(payments.id, paymentId));
    await issueForRefund(tx, { kind: "invoice", paymentId, refundId, amount: platformFee });
  }
  const people = { doctor: doctorId };
  await recordChange(tx, "provider-refund.withdraw", { subject: { "provider-refund": refundId }, people, data: { to } });
  if (booked === 0) return;
  const refunded = minus(payment!.refunded, booked);
  const action = refunded === 0 ? "restore" : "restore-part";
  const rule = PAYMENT_ACTIONS[action];
  await tx.db
    .update(payments)
    .set({ refunded, state: rule.to, ...(reason === "duplicate" && { corrected: minus(payment!.corrected, booked) }) })
    .where(and(eq(payments.id, paymentId), inArray(payments.state, [...rule.from])));
  await recordChange(tx, `payment.${action}`, { subject: { payment: paymentId }, people, data: { to: rule.to } });
}
