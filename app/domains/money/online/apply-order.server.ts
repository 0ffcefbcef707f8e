import { and, eq, inArray, isNull } from "drizzle-orm";
import { paymentEvents, paymentOrders, payments } from "#app/db/schema/index.ts";
import type { EventFact } from "#app/db/schema/payment-orders.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { PaymentProvider } from "#app/integrations/payments/payment-provider.server.ts";
import { factOf } from "#app/integrations/payments/razorpay-shapes.ts";
import { minutes } from "#app/lib/durations.ts";
import { minus, plus } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { leadsFrom } from "#app/lib/state-table.ts";
import { log } from "#app/runtime/log.server.ts";
import { type KnownOrder, type KnownRefund, stateOfEvents } from "../events/state-of-events.ts";
import { PAYMENT_ORDER_ACTIONS } from "../orders/order.state.ts";
import { notifyMoney } from "../refunds/notify-money.server.ts";
import { type LockedOrder, lockOrder } from "./locked-order.server.ts";
import { isCaptured, receivePayment } from "./receive-payment.server.ts";
import { returnOwed } from "./return-owed.server.ts";
import { settleRefund } from "./settle-refund.server.ts";

/** How long a payment that was begun may take to be authorized, after its order expired or the patient came back. */
const GRACE = minutes(15);
const CURRENCY = "INR";

/**
 * Brings payments, ledger, refunds and the state of an order to what the provider answers now. A message is only the reason to ask: its signature proves who sent it,
 * not that the money is there. Safe to repeat and to run twice at once: the sequence, repeats and losses of messages change nothing.
 * @throws DomainError("unavailable") while the provider is down; nothing has changed then
 */
export async function applyOrder(ctx: Ctx, orderId: string): Promise<void> {
  const provider = ctx.integrations.payments;
  const [order] = await ctx.db.select().from(paymentOrders).where(eq(paymentOrders.id, orderId));
  if (!provider || order?.provider !== provider.name) return;
  const providerOrderId = order.providerOrderId ?? (await findAgain(ctx, provider, orderId));
  const stored = await ctx.db
    .select({ eventId: paymentEvents.eventId })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.orderId, orderId), isNull(paymentEvents.appliedAt)));
  const known = stateOfEvents(providerOrderId === null ? [] : await askProvider(provider, providerOrderId));
  const applied = stored.map(({ eventId }) => eventId);
  await transact(ctx, async (tx) => {
    const locked = await lockOrder(tx, orderId);
    const received: string[] = [];
    for (const payment of known.payments) {
      const id = isCaptured(payment) && (await receivePayment(tx, locked, payment));
      if (id) received.push(id);
    }
    // What failed makes room for what the dashboard returned in its place.
    for (const refund of known.refunds.toSorted((one, other) => rankOf(one) - rankOf(other))) await settleRefund(tx, locked, refund);
    await returnOwed(tx, locked.visit);
    await notifyReceived(tx, locked.visit.id, received);
    await changeOrder(tx, locked, known);
    if (applied.length)
      await tx.db
        .update(paymentEvents)
        .set({ appliedAt: tx.now })
        .where(and(eq(paymentEvents.provider, order.provider), inArray(paymentEvents.eventId, applied), isNull(paymentEvents.appliedAt)));
  });
}

const rankOf = ({ state }: KnownRefund) => (state === "failed" ? 0 : 1);

/** Notifies the patient of payments that were just received. Of one that was paid twice the refund says it. */
async function notifyReceived(tx: Ctx, appointmentId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.db
    .select()
    .from(payments)
    .where(inArray(payments.id, [...ids]));
  for (const payment of rows) {
    const [paid, returned] = [withPlatformFee(payment), plus(payment.refunded, payment.platformFeeRefunded)];
    if (payment.unseatable) await notifyMoney(tx, "payment-late", appointmentId, { amount: paid });
    else if (returned < paid) await notifyMoney(tx, "payment-received", appointmentId, { amount: minus(paid, returned) });
  }
}

/** Finds an order whose creation was not answered. */
async function findAgain(ctx: Ctx, provider: PaymentProvider, orderId: string): Promise<string | null> {
  const found = await provider.findOrder(orderId);
  if (!found) return null;
  await ctx.db
    .update(paymentOrders)
    .set({ providerOrderId: found.id })
    .where(and(eq(paymentOrders.id, orderId), isNull(paymentOrders.providerOrderId)));
  return found.id;
}

/** Returns what the provider says now, in the form of messages. Leaves out payments in another currency than that of our orders. */
async function askProvider(provider: PaymentProvider, providerOrderId: string): Promise<EventFact[]> {
  const facts: EventFact[] = [];
  for (const payment of await provider.fetchPayments(providerOrderId)) {
    if (payment.currency !== CURRENCY) {
      log.error({ order: providerOrderId, payment: payment.id, currency: payment.currency }, "a payment in another currency is not booked");
      continue;
    }
    facts.push({ kind: "live", orderId: providerOrderId, ...factOf(payment, null) });
    if (payment.captured || payment.status === "refunded")
      for (const refund of await provider.fetchRefunds(payment.id))
        facts.push({ kind: "live", orderId: providerOrderId, ...factOf(null, refund) });
  }
  return facts;
}

async function changeOrder(tx: Ctx, { order, visit }: LockedOrder, { payments }: KnownOrder): Promise<void> {
  const has = (...states: string[]) => payments.some(({ state }) => states.includes(state));
  const isBankAt = has("authorized");
  const since = (at: Date | null) => tx.now.getTime() - (at?.getTime() ?? 0);
  const over = since(order.expiresAt);
  const action = payments.some(isCaptured)
    ? "pay"
    : over >= 0 && !isBankAt && !(over < GRACE && (has("started") || order.atBank))
      ? "expire"
      : null;
  const rule = action && PAYMENT_ORDER_ACTIONS[action];
  const isChanged = rule && leadsFrom(rule, order.state);
  const failed = has("failed", "released") && !has("started", "authorized");
  // The provider knows of no payment, and the order has expired: what the patient came back with did not arrive.
  const isLost = (order.state === "expired" || action === "expire") && !isBankAt && since(order.confirmingAt) >= GRACE;
  await tx.db
    .update(paymentOrders)
    .set({
      checkedAt: tx.now,
      ...(isChanged && { state: rule.to }),
      ...(isBankAt && !order.atBank && { confirmingAt: tx.now, attemptFailedAt: null }),
      ...((order.atBank ? failed || isLost : failed && !order.attemptFailedAt) && { attemptFailedAt: tx.now }),
    })
    .where(eq(paymentOrders.id, order.id));
  if (!isChanged) return;
  await recordChange(tx, `payment-order.${action}`, {
    subject: { "payment-order": order.id, appointment: visit.id },
    people: { patient: visit.patientId, doctor: order.doctorId },
    data: { to: rule.to },
  });
}
