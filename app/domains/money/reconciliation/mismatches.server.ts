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
/** SQL: what a payment or an order of the provider has with the platform fee. */
const COLLECTED = sql`(p.amount + p.platform_fee)`;
/** SQL: a refund with its state at the provider, and what the ledger has of it. A withdrawn refund returned nothing. */
const REFUND = sql`join refunds r on r.payment_id = p.id left join provider_refunds pr on pr.refund_id = r.id
  cross join lateral (select case when pr.state = 'withdrawn' then 0 else r.amount end as due,
    case when pr.state = 'withdrawn' then 0 else r.platform_fee end as fee_due,
    coalesce(-sum(l.amount) filter (where l.account = r.method), 0) as booked,
    coalesce(-sum(l.amount) filter (where l.account = 'platform'), 0) as fee_booked,
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
      select o.id, 'amount', abs(${COLLECTED} - (e.fact->'payment'->>'amount')::bigint) from o ${OF_ORDER}
        join payment_events e on e.order_id = o.id and e.fact->'payment'->>'id' = p.provider_payment_id
        where (e.fact->'payment'->>'captured')::boolean and (e.fact->'payment'->>'amount')::bigint <> ${COLLECTED}
      union all
      select o.id, 'order-amount', greatest(abs(o.amount - p.amount), abs(o.platform_fee - p.platform_fee)) from o ${OF_ORDER}
        where (p.amount, p.platform_fee) <> (o.amount, o.platform_fee)
      union all
      select o.id, 'state', o.amount from o
        where (o.state = 'paid') <> exists (select from payments p where p.appointment_id = o.appointment_id and p.order_id = o.id)
      union all
      select o.id, 'ledger', greatest(abs(p.amount - entries.booked), abs(p.platform_fee - entries.fee_booked)) from o ${OF_ORDER}
        cross join lateral (select coalesce(sum(l.amount) filter (where l.account = p.method), 0) as booked,
          coalesce(sum(l.amount) filter (where l.account = 'platform'), 0) as fee_booked
          from ledger_entries l where l.payment_id = p.id and l.refund_id is null) entries
        where (entries.booked, entries.fee_booked) <> (p.amount, p.platform_fee)
      union all
      select o.id, 'receipt', p.amount from o ${OF_ORDER} where not exists (select from receipts c where c.payment_id = p.id)
      union all
      select o.id, 'fee-document', abs(p.platform_fee - p.platform_fee_refunded - documents.amount) from o ${OF_ORDER}
        cross join lateral (select coalesce(sum(case d.kind when 'invoice' then d.amount else -d.amount end), 0) as amount
          from platform_fee_documents d where d.payment_id = p.id) documents
        where documents.amount <> p.platform_fee - p.platform_fee_refunded
      union all
      select o.id, 'refund-ledger', greatest(abs(entries.due - entries.booked), abs(entries.fee_due - entries.fee_booked)) from o ${OF_ORDER} ${REFUND}
        where (entries.due, entries.fee_due) <> (entries.booked, entries.fee_booked)
      union all
      select o.id, 'refund-sum', greatest(abs(p.refunded - sums.due), abs(p.platform_fee_refunded - sums.fee_due)) from o ${OF_ORDER}
        cross join lateral (select coalesce(sum(case when pr.state = 'withdrawn' then 0 else r.amount - over.amount end), 0) as due,
          coalesce(sum(case when pr.state = 'withdrawn' then 0 else r.platform_fee end), 0) as fee_due
          from refunds r left join provider_refunds pr on pr.refund_id = r.id
          cross join lateral (select coalesce(sum(l.amount), 0) as amount from ledger_entries l
            where l.payment_id = p.id and l.refund_id = r.id and l.account = 'over-refund') over where r.payment_id = p.id) sums
        where (sums.due, sums.fee_due) <> (p.refunded, p.platform_fee_refunded)
      union all
      select o.id, 'over-refund', entries.over from o ${OF_ORDER} ${REFUND} where entries.over > 0
      union all
      select o.id, 'refund-unknown', (e.fact->'refund'->>'amount')::bigint from o join payment_events e on e.order_id = o.id
        where e.fact->'refund'->>'status' = 'processed' and ${applied}
          and not exists (select from provider_refunds pr where pr.provider = e.provider and pr.provider_refund_id = e.fact->'refund'->>'id')
      union all
      select o.id, 'refund-state', r.amount + r.platform_fee from o join payment_events e on e.order_id = o.id
        join provider_refunds pr on pr.provider = e.provider and pr.provider_refund_id = e.fact->'refund'->>'id'
        join refunds r on r.id = pr.refund_id
        where e.fact->'refund'->>'status' = 'processed' and ${applied}
          and (pr.state <> 'processed' or (e.fact->'refund'->>'amount')::bigint <> r.amount + r.platform_fee)
      union all
      select o.id, 'not-returned', ${COLLECTED} - p.refunded - p.platform_fee_refunded from o ${OF_ORDER}
        where p.unseatable and p.refunded + p.platform_fee_refunded < ${COLLECTED}
    ) found order by 1, 2`);
  return rows.map((row) => ({ ...row, amount: paise(Number(row.amount)) }));
}
