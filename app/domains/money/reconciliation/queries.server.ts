import { type SQL, sql } from "drizzle-orm";
import { isAtBank } from "#app/domains/booking/payments/confirming.server.ts";
import { type Actor, type Ctx, requireAdmin } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { addDays, addMonths, type DateKey, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { findMismatches, type Mismatch, type Period } from "./mismatches.server.ts";
import { type ReconciledDay, type ReconciledOrder, totalOfDays } from "./reconciliation.ts";

const PAGE = 20;
/** Bounds a CSV file. */
const MOST = 20_000;

const period = (first: DateKey, after: DateKey): Period => ({ from: instantInIndia(first, "00:00"), to: instantInIndia(after, "00:00") });
const dayPeriod = (day: DateKey) => period(day, addDays(day, 1));
const monthPeriod = (month: string) => period(`${month}-01`, addMonths(`${month}-01`, 1));
const isWithin = (column: SQL, { from, to }: Period) =>
  sql`${column} >= ${from.toISOString()}::timestamptz and ${column} < ${to.toISOString()}::timestamptz`;
/** SQL: true for a refund that the provider could not make: it is not refunded. */
const failed = (refundId: SQL) => sql`exists (select from provider_refunds pr where pr.refund_id = ${refundId} and pr.state = 'failed')`;
/** SQL: the order may still match or not: it is open, a payment is at the bank, a message waits, a refund is under way or failed, or is owed and not booked. */
const isUnsettled = sql`(o.state = 'created' or ${isAtBank("o")}
  or exists (select from payment_events e where e.order_id = o.id and e.applied_at is null)
  or exists (select from payments p join refunds r on r.payment_id = p.id join provider_refunds pr on pr.refund_id = r.id
    where p.appointment_id = o.appointment_id and p.order_id = o.id and pr.state in ('pending', 'failed'))
  or exists (select from payments p join appointments a on a.id = p.appointment_id where p.appointment_id = o.appointment_id and p.order_id = o.id
    and a.status = 'cancelled' and p.refunded < p.amount and (p.unseatable or a.refund_owed is distinct from false)))`;
const dayOf = (column: SQL) => sql`to_char(${column} at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`;

/**
 * Returns the days of a month ("2026-11") that have orders or money, the newest first.
 * @throws DomainError("forbidden")
 */
export async function getReconciledMonth(ctx: Ctx<Actor>, month: string): Promise<ReconciledDay[]> {
  requireAdmin(ctx);
  return daysOf(ctx, monthPeriod(month));
}

async function daysOf(ctx: Ctx, within: Period): Promise<ReconciledDay[]> {
  const [rows, mismatches] = await Promise.all([
    ctx.db.execute<Omit<ReconciledDay, "mismatches">>(sql`
      select day, sum(orders)::int as orders, sum(expired)::int as expired, sum(failed)::int as failed, sum(payments)::int as payments,
        sum(captured)::float8 as captured, sum(refunded)::float8 as refunded, sum(unseatable)::int as unseatable, sum(unsettled)::int as unsettled from (
        select ${dayOf(sql`o.created_at`)} as day, count(*) as orders, count(*) filter (where o.state = 'expired') as expired,
          count(*) filter (where o.state = 'failed') as failed, 0 as payments, 0 as captured, 0 as refunded, 0 as unseatable,
          count(*) filter (where ${isUnsettled}) as unsettled
          from payment_orders o where ${isWithin(sql`o.created_at`, within)} group by 1
        union all
        select ${dayOf(sql`p.received_at`)}, 0, 0, 0, count(*), sum(p.amount + p.platform_fee), 0, count(*) filter (where p.unseatable), 0
          from payments p where p.method = 'online' and ${isWithin(sql`p.received_at`, within)} group by 1
        union all
        select ${dayOf(sql`l.at`)}, 0, 0, 0, 0, 0, -sum(l.amount), 0, 0
          from ledger_entries l where l.account in ('online', 'platform') and l.refund_id is not null and not ${failed(sql`l.refund_id`)}
            and ${isWithin(sql`l.at`, within)} group by 1
      ) counted group by day order by day desc`),
    findMismatches(ctx, within),
  ]);
  const bad = new Set(mismatches.map(({ orderId }) => orderId));
  const badDays = bad.size
    ? await ctx.db.execute<{ day: string; orders: number }>(sql`
        select ${dayOf(sql`o.created_at`)} as day, count(*)::int as orders from payment_orders o where o.id in ${[...bad]} group by 1`)
    : [];
  const countOf = new Map(badDays.map(({ day, orders }) => [day, orders]));
  return rows.map((row) => ({ ...row, mismatches: countOf.get(row.day) ?? 0 }));
}

/**
 * Returns the figures of a day and a page of the orders that were opened on it, those that do not match first.
 * @throws DomainError("forbidden")
 */
export async function getReconciledDay(ctx: Ctx<Actor>, day: DateKey, page: number) {
  requireAdmin(ctx);
  const within = dayPeriod(day);
  const [days, mismatches] = await Promise.all([daysOf(ctx, within), findMismatches(ctx, within)]);
  const figures = totalOfDays(days);
  const from = (page - 1) * PAGE;
  const rows = await ordersOf(ctx, within, mismatches, { limit: PAGE, offset: from });
  return { figures, rows, total: figures.orders, hasMore: from + rows.length < figures.orders };
}

/**
 * Returns the orders of a day or a month for a CSV file, those that do not match first. Writes an audit row about the export.
 * @throws DomainError("forbidden")
 */
export async function exportOrders(ctx: Ctx<Actor>, of: { day: DateKey } | { month: string }): Promise<ReconciledOrder[]> {
  requireAdmin(ctx);
  const within = "day" in of ? dayPeriod(of.day) : monthPeriod(of.month);
  const rows = await ordersOf(ctx, within, await findMismatches(ctx, within), { limit: MOST, offset: 0 });
  await recordRead(ctx, {
    action: "export-payments",
    subjectType: "user",
    subjectId: ctx.actor.userId,
    details: { rows: rows.length, from: todayInIndia(within.from), to: addDays(todayInIndia(within.to), -1) },
  });
  return rows;
}

async function ordersOf(
  ctx: Ctx,
  within: Period,
  mismatches: readonly Mismatch[],
  { limit, offset }: { limit: number; offset: number },
): Promise<ReconciledOrder[]> {
  const byOrder = Map.groupBy(mismatches, ({ orderId }) => orderId);
  const first = byOrder.size ? sql`(o.id in ${[...byOrder.keys()]}) desc, ` : sql``;
  const rows = await ctx.db.execute<Omit<ReconciledOrder, "mismatches" | "createdAt"> & { createdAt: string }>(sql`
    select o.id, o.provider_order_id as "providerOrderId", o.created_at as "createdAt", o.state, ${isAtBank("o")} as confirming, o.amount::float8 as amount, o.platform_fee::float8 as "platformFee",
      (select count(*)::int from payment_events e where e.order_id = o.id) as messages,
      coalesce(sums.captured, 0)::float8 as captured, coalesce(sums.refunded, 0)::float8 as refunded, coalesce(sums.ledger, 0)::float8 as ledger
    from payment_orders o left join lateral (
      select sum(p.amount + p.platform_fee) as captured, sum(p.refunded + p.platform_fee_refunded - (select coalesce(sum(r.amount + r.platform_fee), 0)
        from refunds r where r.payment_id = p.id and ${failed(sql`r.id`)})) as refunded, sum((select sum(l.amount) from ledger_entries l
        where l.payment_id = p.id and l.account in ('cash', 'upi', 'online', 'platform'))) as ledger
      from payments p where p.appointment_id = o.appointment_id and p.order_id = o.id) sums on true
    where ${isWithin(sql`o.created_at`, within)} order by ${first}o.created_at, o.id limit ${limit} offset ${offset}`);
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    mismatches: (byOrder.get(row.id) ?? []).map(({ kind, amount }) => ({ kind, amount })),
  }));
}
