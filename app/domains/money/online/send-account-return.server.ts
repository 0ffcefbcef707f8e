import { and, eq, lte, sql } from "drizzle-orm";
import { accountReturns, paymentOrders, payments, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { PaymentProvider, ProviderTransfer } from "#app/integrations/payments/payment-provider.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import type { Paise } from "#app/lib/money.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { ACCOUNT_RETURN_ACTIONS } from "../refunds/account-return.state.ts";
import { isAttemptOf } from "./settle-refund.server.ts";

/** One that was not answered is looked for after this: longer than all calls together take, so that two runs never send at once. */
const AGAIN = minutes(5);
/** The provider refused it, or is not done. Later it is asked once a day. */
const WAIT = minutes(10);
const MOST_WAITS = 12;
const LATER = hours(24);

/**
 * Stores, in the transaction of `tx`, that the payout account of a withdrawn refund gets back what it paid for it, and queues the job. Does nothing
 * for a payment that was not transferred. Its platform fee was never the account's.
 */
export async function requestAccountReturn(tx: Ctx, refundId: string): Promise<void> {
  const [of] = await tx.db
    .select({ amount: refunds.amount, account: paymentOrders.transferAccount, provider: paymentOrders.provider })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(paymentOrders, eq(paymentOrders.id, payments.orderId))
    .where(eq(refunds.id, refundId));
  if (!of?.account) return;
  const { account, amount, provider } = of;
  await tx.db.insert(accountReturns).values({ refundId, provider, account, amount, requestedAt: tx.now, nextTryAt: tx.now });
  await enqueue(tx, "account-return", { refundId });
}

/**
 * Gives a payout account back what a refund took that never reached the patient, with a transfer of the payment. Asks the provider first what it took,
 * and whether an earlier run has sent it. Safe to repeat and to kill.
 * @throws DomainError("unavailable") while the provider is down: it is tried again
 */
export async function sendAccountReturn(ctx: Ctx, refundId: string): Promise<void> {
  const provider = ctx.integrations.payments;
  if (!provider) return;
  const isPending = and(
    eq(accountReturns.refundId, refundId),
    eq(accountReturns.provider, provider.name),
    eq(accountReturns.state, ACCOUNT_RETURN_ACTIONS.send.from[0]),
  );
  // The sweep may have begun long ago: the claim must last from now.
  const until = new Date(Math.max(ctx.now.getTime(), Date.now()) + AGAIN);
  const [claimed] = await ctx.db
    .update(accountReturns)
    .set({ nextTryAt: until, tries: sql`${accountReturns.tries} + 1` })
    .where(and(isPending, lte(accountReturns.nextTryAt, ctx.now)))
    .returning();
  if (!claimed) return;
  const { account, amount, tries } = claimed;
  const [of] = await ctx.db
    .select({ paymentId: payments.providerPaymentId })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(eq(refunds.id, refundId));
  const wait = () =>
    ctx.db
      .update(accountReturns)
      .set({ nextTryAt: new Date(ctx.now.getTime() + (tries < MOST_WAITS ? WAIT : LATER)) })
      .where(isPending);
  try {
    const found = await findOrSend(provider, { paymentId: of!.paymentId!, refundId, account, amount });
    if (found === "not-yet") return void (await wait());
    const { to } = found === "unneeded" ? ACCOUNT_RETURN_ACTIONS.drop : ACCOUNT_RETURN_ACTIONS.send;
    await ctx.db
      .update(accountReturns)
      .set({ state: to, settledAt: ctx.now, ...(found !== "unneeded" && { providerTransferId: found.id }) })
      .where(isPending);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "conflict") throw error;
    log.error({ err: error, refund: refundId }, "the provider refused to give a payout account its money back");
    await wait();
  }
}

/** Returns the transfer that gives the money back, found or sent. */
async function findOrSend(
  provider: PaymentProvider,
  { paymentId, refundId, account, amount }: { paymentId: string; refundId: string; account: string; amount: Paise },
): Promise<ProviderTransfer | "unneeded" | "not-yet"> {
  const transfers = await provider.fetchTransfers(paymentId);
  const own = transfers.find(({ ownId, state }) => ownId === refundId && state !== "failed");
  if (own) return own.state === "processed" ? own : "not-yet";
  const attempts = (await provider.fetchRefunds(paymentId)).filter(({ ownId }) => ownId && isAttemptOf(refundId, ownId));
  if (attempts.some(({ status }) => status === "pending")) return "not-yet";
  // The first attempt that was accepted took the money back, if there was a transfer.
  const taken = transfers.filter(({ ownId }) => ownId === null).reduce((sum, { reversed }) => sum + reversed, 0);
  if (attempts.length === 0 || attempts.some(({ status }) => status === "processed") || taken < amount) return "unneeded";
  const sent = await provider.transfer({ paymentId, account, amount, ownId: refundId });
  return sent.state === "processed" ? sent : "not-yet";
}
