import { and, desc, eq, ne, or } from "drizzle-orm";
import { appointments, paymentOrders, payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import { isAtBank } from "#app/domains/booking/payments/confirming.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { HostedCheckout } from "#app/integrations/payments/payment-provider.server.ts";
import type { Paise } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { platformFeeDue } from "../platform-fee/fee-due.server.ts";
import type { ComingRefund } from "../refunds/refund-words.ts";

/**
 * State of an online payment as the patient sees it. `new`: none is open. `open`: the form leads to the provider. `confirming`: the bank is not done.
 * `failed`: the last attempt moved no money. `amount`: the clinic's part of the order. `platformFee`: what is paid beside it, also before an order is open.
 * `checkedAt`: when the provider last answered about the order.
 */
export type PayView = {
  state: "new" | "open" | "confirming" | "failed";
  checkout: HostedCheckout | null;
  amount: Paise | null;
  platformFee: Paise;
  checkedAt: Date | null;
};

/** Returns the state of the online payment for an appointment of the acting patient; null without a provider. `origin`: where the patient comes back to. */
export async function getPayView(ctx: Ctx<Actor>, appointmentId: string, toPay: Paise, origin: string): Promise<PayView | null> {
  const provider = ctx.integrations.payments;
  if (!provider) return null;
  const [order] = await ctx.db
    .select({
      id: paymentOrders.id,
      amount: paymentOrders.amount,
      platformFee: paymentOrders.platformFee,
      providerOrderId: paymentOrders.providerOrderId,
      expiresAt: paymentOrders.expiresAt,
      checkedAt: paymentOrders.checkedAt,
      atBank: isAtBank("payment_orders"),
      attemptFailedAt: paymentOrders.attemptFailedAt,
    })
    .from(paymentOrders)
    .innerJoin(appointments, eq(appointments.id, paymentOrders.appointmentId))
    .where(
      and(
        eq(appointments.id, appointmentId),
        eq(appointments.patientId, ctx.actor.userId),
        or(eq(paymentOrders.state, "created"), isAtBank("payment_orders")),
        eq(paymentOrders.provider, provider.name),
      ),
    )
    .orderBy(desc(isAtBank("payment_orders")), desc(paymentOrders.createdAt))
    .limit(1);
  const platformFee = await platformFeeDue(ctx, appointmentId);
  if (!order) return { state: "new", checkout: null, amount: null, platformFee, checkedAt: null };
  const { checkedAt } = order;
  if (order.atBank) return { state: "confirming", checkout: null, amount: order.amount, platformFee: order.platformFee, checkedAt };
  const failed = order.attemptFailedAt !== null;
  const isSame = order.amount === toPay && order.platformFee === platformFee;
  const isPayable = order.providerOrderId !== null && order.expiresAt > ctx.now && isSame;
  if (!isPayable) return { state: failed ? "failed" : "new", checkout: null, amount: null, platformFee, checkedAt };
  const returnUrl = new URL(`/payments/return/${order.id}`, origin).href;
  const checkout = provider.hostedCheckout({
    providerOrderId: order.providerOrderId!,
    amount: withPlatformFee(order),
    name: "Nadi",
    returnUrl,
    cancelUrl: returnUrl,
  });
  return { state: failed ? "failed" : "open", checkout, amount: order.amount, platformFee, checkedAt };
}

/** Returns the provider's refunds of an appointment of the acting patient, oldest first. */
export const listComingRefunds = (ctx: Ctx<Actor>, appointmentId: string): Promise<ComingRefund[]> =>
  ctx.db
    .select({
      id: refunds.id,
      amount: refunds.amount,
      platformFee: refunds.platformFee,
      state: providerRefunds.state,
      attempt: providerRefunds.attempt,
      at: refunds.refundedAt,
      settledAt: providerRefunds.settledAt,
      reference: providerRefunds.bankReference,
    })
    .from(providerRefunds)
    .innerJoin(refunds, eq(refunds.id, providerRefunds.refundId))
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(appointments, eq(appointments.id, payments.appointmentId))
    .where(and(eq(appointments.id, appointmentId), eq(appointments.patientId, ctx.actor.userId), ne(providerRefunds.state, "withdrawn")))
    .orderBy(refunds.refundedAt)
    .limit(20);
