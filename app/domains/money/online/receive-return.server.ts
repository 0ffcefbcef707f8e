import { and, eq } from "drizzle-orm";
import { paymentOrders } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { applyOrder } from "./apply-order.server.ts";

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
      .set({ confirmingAt: ctx.now })
      .where(and(eq(paymentOrders.id, orderId), eq(paymentOrders.state, "created")));
  }
  // The page says that the bank is confirming until the provider answers.
  await applyOrder(ctx, orderId).catch((error: unknown) =>
    log.warn({ err: error, order: orderId }, "a payment is checked again in a minute"),
  );
  return order.appointmentId;
}
