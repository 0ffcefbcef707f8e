import { asc, eq, sql } from "drizzle-orm";
import { appointments, paymentOrders, payments, providerRefunds, receipts, refunds } from "#app/db/schema/index.ts";
import { dueOf, type PaymentStatus, paymentStatusOf } from "#app/domains/booking/payments/payment-status.ts";
import { RECORDED_SINCE, VISIT_SUMS } from "#app/domains/booking/payments/visit-sums.server.ts";
import { type Actor, type Ctx, requireAdmin } from "#app/domains/context.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees, paise, plus } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { m } from "#app/paraglide/messages.js";
import { patientSums } from "../payments/payment-line.ts";
import { notReturned } from "../payments/queries.server.ts";
import { receivedByWord, refundReasonWord } from "../payments/words.ts";
import { receiptNumber } from "../receipts/receipt-number.ts";
import { refundStateOfClinic } from "../refunds/refund-words.ts";

/** What happened to the money of an appointment, in one line. `ids`: of the provider and of the bank. `orderId`: its order, which has a page. */
export type MoneyEvent = { at: Date; text: string; ids: string[]; orderId: string | null };
/** Sums with the platform fee, as the patient paid it. `notReturned`: of refunds that failed; empty for none. */
export type VisitMoneyView = {
  state: PaymentStatus;
  received: string;
  returned: string;
  notReturned: string;
  due: string;
  events: MoneyEvent[];
};

/** Returns the money of an appointment for an administrator, the oldest event first. @throws DomainError("forbidden") */
export async function getVisitMoney(ctx: Ctx<Actor>, appointmentId: string): Promise<VisitMoneyView> {
  requireAdmin(ctx);
  const [[visit], orders, paid, returned] = await Promise.all([
    selectVisit(ctx, appointmentId),
    selectOrders(ctx, appointmentId),
    selectPayments(ctx, appointmentId),
    selectRefunds(ctx, appointmentId),
  ]);
  const events: MoneyEvent[] = [...orders.map(orderEvent), ...paid.map(paymentEvent), ...returned.map(refundEvent)]
    .map((event) => ({ ...event, ids: event.ids.filter((id) => id !== null) }))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  const sums = paid.map(patientSums);
  const sumOf = (what: keyof (typeof sums)[number]) => formatRupees(plus(paise(0), ...sums.map((one) => one[what])));
  return {
    state: paymentStatusOf(visit!, visit!.since && todayInIndia(visit!.since)),
    received: sumOf("paid"),
    returned: sumOf("returned"),
    notReturned: sums.some((one) => one.notReturned > 0) ? sumOf("notReturned") : "",
    due: formatRupees(dueOf(visit!) ?? paise(0)),
    events,
  };
}

const selectVisit = (ctx: Ctx, appointmentId: string) =>
  ctx.db
    .select({
      status: appointments.status,
      date: appointments.date,
      fee: appointments.fee,
      discount: appointments.discount,
      refundOwed: appointments.refundOwed,
      since: RECORDED_SINCE,
      ...VISIT_SUMS,
    })
    .from(appointments)
    .where(eq(appointments.id, appointmentId));

const selectOrders = (ctx: Ctx, appointmentId: string) =>
  ctx.db.select().from(paymentOrders).where(eq(paymentOrders.appointmentId, appointmentId)).orderBy(asc(paymentOrders.createdAt));

const selectPayments = (ctx: Ctx, appointmentId: string) =>
  ctx.db
    .select({
      at: payments.receivedAt,
      method: payments.method,
      amount: payments.amount,
      platformFee: payments.platformFee,
      platformFeeRefunded: payments.platformFeeRefunded,
      notReturned: notReturned("amount"),
      platformFeeNotReturned: notReturned("platform_fee"),
      refunded: payments.refunded,
      orderId: payments.orderId,
      providerPaymentId: payments.providerPaymentId,
      bankReference: payments.bankReference,
      financialYear: receipts.financialYear,
      number: receipts.number,
    })
    .from(payments)
    .innerJoin(receipts, eq(receipts.paymentId, payments.id))
    .where(eq(payments.appointmentId, appointmentId));

const selectRefunds = (ctx: Ctx, appointmentId: string) =>
  ctx.db
    .select({
      id: refunds.id,
      at: refunds.refundedAt,
      method: refunds.method,
      amount: refunds.amount,
      platformFee: refunds.platformFee,
      reason: refunds.reason,
      state: providerRefunds.state,
      attempt: sql<number>`coalesce(${providerRefunds.attempt}, 1)`,
      settledAt: providerRefunds.settledAt,
      reference: providerRefunds.bankReference,
      providerRefundId: providerRefunds.providerRefundId,
      orderId: payments.orderId,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .leftJoin(providerRefunds, eq(providerRefunds.refundId, refunds.id))
    .where(eq(payments.appointmentId, appointmentId));

type RowOf<Select extends (ctx: Ctx, appointmentId: string) => PromiseLike<unknown[]>> = Awaited<ReturnType<Select>>[number];

const orderEvent = (order: RowOf<typeof selectOrders>) => ({
  at: order.createdAt,
  text: m.admin_visit_money_order({ amount: formatRupees(withPlatformFee(order)) }),
  ids: [order.providerOrderId],
  orderId: order.id,
});

const paymentEvent = (one: RowOf<typeof selectPayments>) => ({
  at: one.at,
  text: m.admin_visit_money_paid({
    amount: formatRupees(withPlatformFee(one)),
    method: receivedByWord(one.method),
    receipt: receiptNumber(one),
  }),
  ids: [one.providerPaymentId, one.bankReference],
  orderId: one.orderId,
});

const refundEvent = (one: RowOf<typeof selectRefunds>) => ({
  at: one.at,
  text: `${refundText(one)} ${refundReasonWord(one.reason)}`,
  ids: [one.providerRefundId, one.reference],
  orderId: one.orderId,
});

function refundText({ state, ...refund }: RowOf<typeof selectRefunds>): string {
  if (state === "withdrawn") return `${m.money_refund_withdrawn()}: ${formatRupees(withPlatformFee(refund))}.`;
  if (state) return refundStateOfClinic({ ...refund, state });
  const { amount, method, at } = refund;
  return m.money_refund_line({ amount: formatRupees(amount), method: receivedByWord(method), date: formatDate(todayInIndia(at)) });
}
