import { asc, desc, eq, inArray, sql } from "drizzle-orm";
import { appointments, doctors, hospitals, paymentEvents, paymentOrders } from "#app/db/schema/index.ts";
import { isAtBank } from "#app/domains/booking/payments/confirming.server.ts";
import { PLACE_OF_VISIT } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { type Paise, paise } from "#app/lib/money.ts";
import type { PaymentOrderState } from "#app/lib/vocabulary.ts";
import { WAITS } from "../refunds/waits.ts";

const PAGE = 20;

/** Why an order needs attention. The words are in routes/admin/payments.tsx. */
export type OrderProblem = "open" | "message" | "refund-unsent" | "refund-again" | "refund-failed" | "refund-slow";
/** The appointment of an order, without its patient. */
export type OrderVisit = {
  id: string;
  reference: string;
  date: DateKey;
  doctorId: string;
  doctorName: string;
  hospitalId: string | null;
  hospitalName: string | null;
};
/** `amount`: with the platform fee, as the provider has it. */
export type Problem = { problem: OrderProblem; since: Date; amount: Paise };
type Message = { eventId: string; kind: string; receivedAt: Date; appliedAt: Date | null };
export type CheckedOrder = {
  id: string;
  providerOrderId: string | null;
  /** The clinic's part. */
  amount: Paise;
  platformFee: Paise;
  state: PaymentOrderState;
  /** The bank is confirming a payment. */
  confirming: boolean;
  createdAt: Date;
  checkedAt: Date | null;
  problems: Problem[];
  messages: Message[];
  visit: OrderVisit;
};
export type OrderTab = "attention" | "all";

const shown = {
  id: paymentOrders.id,
  providerOrderId: paymentOrders.providerOrderId,
  amount: paymentOrders.amount,
  platformFee: paymentOrders.platformFee,
  state: paymentOrders.state,
  confirming: isAtBank("payment_orders"),
  createdAt: paymentOrders.createdAt,
  checkedAt: paymentOrders.checkedAt,
  visit: {
    id: appointments.id,
    reference: appointments.paymentReference,
    date: appointments.date,
    doctorId: doctors.id,
    doctorName: doctors.fullName,
    hospitalId: sql<string | null>`${hospitals.id}`,
    hospitalName: sql<string | null>`${hospitals.name}`,
  },
};

/** What the job of each minute has not solved by itself in the time that it usually needs. */
const problemsAt = (now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return sql`(
    select o.id as order_id, 'open' as problem, o.expires_at as since, o.amount + o.platform_fee as amount from payment_orders o
      where o.state = 'created' and o.expires_at < ${at} - interval '20 minutes'
        or o.state = 'expired' and ${isAtBank("o")} and o.confirming_at < ${at} - interval '20 minutes'
    union all
    select e.order_id, 'message', min(e.received_at), min(o.amount + o.platform_fee) from payment_events e join payment_orders o on o.id = e.order_id
      where e.applied_at is null and e.received_at < ${at} - interval '5 minutes' group by e.order_id
    union all
    select p.order_id,
      case when pr.state = 'failed' then case when pr.attempt <= ${WAITS.length} or r.amount = 0 then 'refund-again' else 'refund-failed' end
        when pr.sent_at is null then 'refund-unsent' else 'refund-slow' end,
      coalesce(pr.settled_at, pr.sent_at, pr.requested_at), r.amount + r.platform_fee
      from provider_refunds pr join refunds r on r.id = pr.refund_id join payments p on p.id = r.payment_id
      where pr.state = 'failed'
        or pr.state = 'pending' and (pr.sent_at is null and pr.requested_at < ${at} - interval '5 minutes' or pr.sent_at < ${at} - interval '7 days')
  )`;
};

/**
 * Returns a page of orders: those that need attention, the oldest problem first, or all, the newest first. Each with its problems and messages.
 * `order`: only the order with that id. Without names, references and anything else about the payer.
 * @throws DomainError("forbidden"), "not-found" for an unknown `order`
 */
export async function listOrders(ctx: Ctx<Actor>, { tab, page, order }: { tab: OrderTab; page: number; order?: string | null }) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  const problems = await ctx.db.execute<{ order_id: string; problem: OrderProblem; since: string; amount: string }>(
    sql`select order_id, problem, since, amount from ${problemsAt(ctx.now)} found order by since, order_id, problem`,
  );
  const attention = [...new Set(problems.map((row) => row.order_id))];
  const from = (page - 1) * PAGE;
  const chosen = order ? (isUuid(order) ? [order] : []) : tab === "attention" ? attention : null;
  const total = chosen ? chosen.length : await ctx.db.$count(paymentOrders);
  const ids = (chosen ?? []).slice(from, from + PAGE);
  const read = () =>
    ctx.db
      .select(shown)
      .from(paymentOrders)
      .innerJoin(appointments, eq(appointments.id, paymentOrders.appointmentId))
      .innerJoin(doctors, eq(doctors.id, paymentOrders.doctorId))
      .leftJoin(hospitals, eq(hospitals.id, PLACE_OF_VISIT));
  const orders =
    chosen !== null
      ? await read().where(inArray(paymentOrders.id, ids))
      : await read().orderBy(desc(paymentOrders.createdAt), desc(paymentOrders.id)).limit(PAGE).offset(from);
  if (order && orders.length === 0) throw new DomainError("not-found");
  if (chosen) orders.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  const messages = await ctx.db
    .select({
      orderId: paymentEvents.orderId,
      eventId: paymentEvents.eventId,
      kind: sql<string>`${paymentEvents.fact}->>'kind'`,
      receivedAt: paymentEvents.receivedAt,
      appliedAt: paymentEvents.appliedAt,
    })
    .from(paymentEvents)
    .where(
      inArray(
        paymentEvents.orderId,
        orders.map(({ id }) => id),
      ),
    )
    .orderBy(asc(paymentEvents.receivedAt), asc(paymentEvents.eventId));
  const rows: CheckedOrder[] = orders.map((order) => ({
    ...order,
    problems: problems
      .filter((row) => row.order_id === order.id)
      .map((row) => ({ problem: row.problem, since: new Date(row.since), amount: paise(Number(row.amount)) })),
    messages: messages.filter(({ orderId }) => orderId === order.id).map(({ orderId: _, ...message }) => message),
  }));
  return { rows, total, hasMore: from + rows.length < total };
}

/** Counts the orders that need attention, for the navigation of administrators. Nothing without a provider. */
export async function countStuckOrders(ctx: Ctx<Actor>): Promise<number> {
  if (!hasOnlinePayments(ctx)) return 0;
  const [row] = await ctx.db.execute<{ stuck: number }>(
    sql`select count(distinct order_id)::int as stuck from ${problemsAt(ctx.now)} found`,
  );
  return row!.stuck;
}

/** True when patients can pay online. */
export const hasOnlinePayments = (ctx: Ctx): boolean => Boolean(ctx.integrations.payments);
