import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { paymentOrders, payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import type { PaymentProvider } from "#app/integrations/payments/payment-provider.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes, seconds } from "#app/lib/durations.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { log } from "#app/runtime/log.server.ts";
import { applyOrder } from "./apply-order.server.ts";
import { lockOrder } from "./locked-order.server.ts";
import { failUnsent, isAttemptOf, ownIdOf, settleRefund } from "./settle-refund.server.ts";

/** After this a refund that is under way may be tried again. Shorter than the delay of the job (queue.server.ts). */
const AGAIN = seconds(10);
/** A refund that the provider refuses waits longer, for money in our account or in the clinic's. After so many tries it has failed. */
const REFUSED = minutes(10);
const MOST_REFUSALS = 12;

/**
 * Sends a refund to the provider, after asking what it has: staff may have made it in the dashboard, or an earlier call of ours was not answered.
 * The same attempt is never refunded twice: the row is claimed, and the call carries a key. The clinic's part and the platform fee are one refund at
 * the provider; the clinic's account gives back only what it got.
 * @throws DomainError("unavailable") while the provider is down or another run is sending it: the job tries again
 */
export async function sendRefund(ctx: Ctx, refundId: string): Promise<void> {
  const provider = ctx.integrations.payments;
  if (!provider) return;
  const isToSend = and(
    eq(providerRefunds.refundId, refundId),
    eq(providerRefunds.provider, provider.name),
    eq(providerRefunds.state, "pending"),
    isNull(providerRefunds.sentAt),
  );
  const [claimed] = await ctx.db
    .update(providerRefunds)
    .set({ nextTryAt: new Date(ctx.now.getTime() + AGAIN), tries: sql`${providerRefunds.tries} + 1` })
    .where(and(isToSend, lte(providerRefunds.nextTryAt, ctx.now)))
    .returning({ attempt: providerRefunds.attempt, tries: providerRefunds.tries });
  if (!claimed) {
    // Another run has just claimed it. If that run fails, this job tries again, and does not leave the refund to the sweep.
    const [taken] = await ctx.db
      .select({ tries: providerRefunds.tries })
      .from(providerRefunds)
      .where(and(isToSend, lte(providerRefunds.nextTryAt, new Date(ctx.now.getTime() + AGAIN))));
    if (taken) throw new DomainError("unavailable");
    return;
  }
  const [of] = await ctx.db
    .select({
      amount: refunds.amount,
      platformFee: refunds.platformFee,
      providerPaymentId: payments.providerPaymentId,
      orderId: paymentOrders.id,
      transferAccount: paymentOrders.transferAccount,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(paymentOrders, eq(paymentOrders.id, payments.orderId))
    .where(eq(refunds.id, refundId));
  const { orderId } = of!;
  const paymentId = of!.providerPaymentId!;
  await applyOrder(ctx, orderId);
  const [open] = await ctx.db.select({ attempt: providerRefunds.attempt }).from(providerRefunds).where(isToSend);
  if (open?.attempt !== claimed.attempt) return;
  const ownId = ownIdOf(refundId, claimed.attempt);
  try {
    const reverseAll = of!.transferAccount !== null && of!.amount > 0 && (await isToReverse(provider, paymentId, refundId));
    const sent = await provider.refund({ paymentId, amount: withPlatformFee(of!), ownId, key: ownId, reverseAll });
    await transact(ctx, async (tx) =>
      settleRefund(tx, await lockOrder(tx, orderId), {
        id: sent.id,
        paymentId,
        amount: sent.amount,
        state: sent.status,
        ownId,
        reference: sent.reference,
      }),
    );
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "conflict") throw error;
    log.error({ err: error, refund: refundId }, "the provider refused a refund");
    if (claimed.tries >= MOST_REFUSALS) return transact(ctx, async (tx) => failUnsent(tx, await lockOrder(tx, orderId), refundId));
    await ctx.db
      .update(providerRefunds)
      .set({ nextTryAt: new Date(ctx.now.getTime() + REFUSED) })
      .where(isToSend);
  }
}

/**
 * True when the clinic's account has to give a refund back. False when the transfer failed, so that it never had the money, and when an earlier
 * attempt took it back before the bank refused it: the account must not give it twice.
 */
async function isToReverse(provider: PaymentProvider, paymentId: string, refundId: string): Promise<boolean> {
  const transfers = await provider.fetchTransfers(paymentId);
  if (transfers.length > 0 && transfers.every(({ state }) => state === "failed")) return false;
  return !(await provider.fetchRefunds(paymentId)).some(({ ownId }) => ownId && isAttemptOf(refundId, ownId));
}
