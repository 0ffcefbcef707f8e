import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domains/context.server.ts";
import { type Paise, paise } from "#app/lib/money.ts";
import type { MismatchKind } from "./reconciliation.ts";

/** A period: from the first instant, before the second. */
export type Period = { from: Date; to: Date };
/** `amount`: the money that the difference is about. */
export type Mismatch = { orderId: string; kind: MismatchKind; amount: Paise };

/** SQL: the payments of the orders of the period, found by the index of their appointments. */
const OF_ORDER = sql`join payments p on p.appointment_id = o.appointment_id and p.order_id = o.id`;
/** SQL: a refund with its state at the provider, and what the ledger has of it. A withdrawn refund returned nothing. */
const REFUND = sql`join refunds r on r.payment_id = p.id left join provider_refunds pr on pr.refund_id = r.id
  cross join lateral (select case when pr.state = 'withdrawn' then 0 else r.amount end as due,
    coalesce(-sum(l.amount) filter (where l.account = r.method), 0) as booked,
    coalesce(sum(l.amount) filter (where l.account = 'over-refund'), 0) as over
    from ledger_entries l where l.payment_id = p.id and l.refund_id = r.id) entries`;

/**
 * Returns what does not match of the orders that were opened in the period. A message of the last five minutes may not be applied yet, so it does not
 * count.
 */
export async function findMismatches(ctx: Ctx, { from, to }: Period): Promise<Mismatch[]> {
  const applied = sql`e.received_at < ${new Date(ctx.now.getTime() - 5 * 60_000).toISOString()}::timestamptz`;
  const rows = await ctx.db.execute<{ orderId: string; kind: MismatchKind; amount: string }>(sql`
    with o as (select * from payment_orders where created_at >= ${from.toISOString()}::timestamptz and created_at < ${to.toISOString()}::timestamptz)
    select distinct order_id as "orderId", kind, amount::text as amount from (
      select o.id as order_id, 'not-booked' as kind, (e.fact->'payment'->>'amount')::bigint as amount
        from o join payment_events e on e.order_id = o.id
        where (e.fact->'payment'->>'captured')::boolean and ${applied}
          and not exists (select from payments p where p.provider_payment_id = e.fact->'payment'->>'id')
      union all
      select o.id, 'amount', abs(p.amount - (e.fact->'payment'->>'amount')::bigint) from o ${OF_ORDER}
        join payment_events e on e.order_id = o.id and e.fact->'payment'->>'id' = p.provider_payment_id
        where (e.fact->'payment'->>'captured')::boolean and (e.fact->'payment'->>'amount')::bigint <> p.amount
      union all
      select o.id, 'order-amount', abs(o.amount - p.amount) from o ${OF_ORDER} where p.amount <> o.amount
      union all
      select o.id, 'state', o.amount from o
        where (o.state = 'paid') <> exists (select from payments p where p.appointment_id = o.appointment_id and p.order_id = o.id)
      union all
      select o.id, 'ledger', abs(p.amount - entries.booked) from o ${OF_ORDER}
        cross join lateral (select coalesce(sum(l.amount), 0) as booked from ledger_entries l
          where l.payment_id = p.id and l.refund_id is null and l.account = p.method) entries
        where entries.booked <> p.amount
      union all
      select o.id, 'receipt', p.amount from o ${OF_ORDER} where not exists (select from receipts c where c.payment_id = p.id)
      union all
      select o.id, 'refund-ledger', abs(entries.due - entries.booked) from o ${OF_ORDER} ${REFUND} where entries.due <> entries.booked
      union all
      select o.id, 'refund-sum', abs(p.refunded - sums.due) from o ${OF_ORDER}
        cross join lateral (select coalesce(sum(case when pr.state = 'withdrawn' then 0 else r.amount - over.amount end), 0) as due
          from refunds r left join provider_refunds pr on pr.refund_id = r.id
          cross join lateral (select coalesce(sum(l.amount), 0) as amount from ledger_entries l
            where l.payment_id = p.id and l.refund_id = r.id and l.account = 'over-refund') over where r.payment_id = p.id) sums
        where sums.due <> p.refunded
      union all
      select o.id, 'over-refund', entries.over from o ${OF_ORDER} ${REFUND} where entries.over > 0
      union all
      select o.id, 'refund-unknown', (e.fact->'refund'->>'amount')::bigint from o join payment_events e on e.order_id = o.id
        where e.fact->'refund'->>'status' = 'processed' and ${applied}
          and not exists (select from provider_refunds pr where pr.provider = e.provider and pr.provider_refund_id = e.fact->'refund'->>'id')
      union all
      select o.id, 'refund-state', r.amount from o join payment_events e on e.order_id = o.id
        join provider_refunds pr on pr.provider = e.provider and pr.provider_refund_id = e.fact->'refund'->>'id'
        join refunds r on r.id = pr.refund_id
        where e.fact->'refund'->>'status' = 'processed' and ${applied}
          and (pr.state <> 'processed' or (e.fact->'refund'->>'amount')::bigint <> r.amount)
      union all
      select o.id, 'not-returned', p.amount - p.refunded from o ${OF_ORDER} where p.unseatable and p.refunded < p.amount
    ) found order by 1, 2`);
  return rows.map((row) => ({ ...row, amount: paise(Number(row.amount)) }));
}
