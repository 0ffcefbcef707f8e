import { and, eq, inArray } from "drizzle-orm";
import { paymentOrders, payments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { LimitRefusal, spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { within } from "#app/lib/within.ts";
import { log } from "#app/runtime/log.server.ts";
import { applyOrder } from "./apply-order.server.ts";

/** Milliseconds that a patient waits for the provider's answer. */
const PATIENCE = seconds(2);

/** What the patient's browser brings back. Without a signature the patient gave up or the attempt failed. */
export type PaymentReturn = { orderId: string | undefined; result: { orderId: string; paymentId: string; signature: string } | null };

/**
 * Notes that a patient is back from the provider and asks the provider what happened. Returns the appointment. The signed result only says that the
 * bank was asked: money is booked from what the provider answers.
 * @throws DomainError("not-found"), "forbidden" for a wrong signature or another order
 */
export async function receiveReturn(ctx: Ctx, { orderId, result }: PaymentReturn): Promise<string> {
  const provider = ctx.integrations.payments;
  if (!provider || !isUuid(orderId)) throw new DomainError("not-found");
  const [order] = await ctx.db.select().from(paymentOrders).where(eq(paymentOrders.id, orderId));
  if (order?.provider !== provider.name) throw new DomainError("not-found");
  if (result) {
    if (result.orderId !== order.providerOrderId || !provider.verifyReturn(result)) throw new DomainError("forbidden");
    await ctx.db
      .update(paymentOrders)
      .set({ confirmingAt: ctx.now, attemptFailedAt: null })
      .where(and(eq(paymentOrders.id, orderId), inArray(paymentOrders.state, ["created", "expired"])));
  }
  if (!(await isSettled(ctx, order.state, result?.paymentId))) await askSoon(ctx, orderId, result?.paymentId);
  return order.appointmentId;
}

/** True when the provider has nothing new: the order is final, and this payment is booked. */
async function isSettled({ db }: Ctx, state: (typeof paymentOrders.$inferSelect)["state"], paymentId: string | undefined) {
  if (state === "created") return false;
  if (paymentId === undefined) return true;
  return (await db.$count(payments, eq(payments.providerPaymentId, paymentId))) > 0;
}

/**
 * Asks the provider about an order, unless it was asked about the same payment, or for the same address, a moment before. Returns after two seconds at the latest: the page then says
 * that the bank is confirming, and the sweep of the next minute asks again.
 */
export async function askSoon(ctx: Ctx, orderId: string, paymentId = ""): Promise<void> {
  try {
    await spendLimits(ctx, [
      { limit: "payment-return-order", key: `${orderId} ${paymentId}` },
      { limit: "payment-return", address: ctx.ip },
    ]);
  } catch (error) {
    if (error instanceof LimitRefusal) return;
    throw error;
  }
  const asked = applyOrder(ctx, orderId).catch((error: unknown) =>
    log.warn({ err: error, order: orderId }, "a payment is checked again in a minute"),
  );
  await within(PATIENCE, asked, () => null).catch(() => undefined);
}
