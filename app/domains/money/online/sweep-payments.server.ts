import { sql } from "drizzle-orm";
import { isAtBank } from "#app/domains/booking/payments/confirming.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { WAITS } from "../refunds/waits.ts";
import { applyOrder } from "./apply-order.server.ts";
import { refundCancelled } from "./refund-cancelled.server.ts";
import { retryRefund } from "./retry-refund.server.ts";
import { sendAccountReturn } from "./send-account-return.server.ts";
import { sendRefund } from "./send-refund.server.ts";

/** Of each kind in one run: the next run, a minute later, takes the rest. */
const AT_ONCE = 50;

/**
 * Does what a lost message or a crash left undone: applies stored messages, asks the provider about the orders of a month and about
 * refunds that are not settled, sends refunds and what payout accounts get back, and sends failed refunds again. A failure of one does not stop the others.
 */
export async function sweepPayments(ctx: Ctx): Promise<void> {
  const name = ctx.integrations.payments?.name;
  if (!name) return;
  const now = ctx.now.toISOString();
  // An order is asked about less and less often: after a month its settlement would show what is missing.
  const orders = await ctx.db.execute<{ id: string }>(sql`
    select o.id from payment_orders o where o.provider = ${name} and o.id in (
      select e.order_id from payment_events e where e.applied_at is null
      union select o.id from payment_orders o where o.created_at > ${now}::timestamptz - interval '30 days'
        and coalesce(o.checked_at, o.created_at) <= ${now}::timestamptz
          - case when o.state = 'created' or ${isAtBank("o")} then interval '1 minute' else greatest(interval '30 minutes', (${now}::timestamptz - o.created_at) / 4) end
      union select p.order_id from provider_refunds pr join refunds r on r.id = pr.refund_id join payments p on p.id = r.payment_id
        join payment_orders o on o.id = p.order_id
        where pr.state = 'pending' and pr.sent_at is not null and o.checked_at <= ${now}::timestamptz - interval '30 minutes')
    order by o.checked_at nulls first limit ${AT_ONCE}`);
  await each(orders, (id) => applyOrder(ctx, id), "order");
  const cancelled = await ctx.db.execute<{ id: string }>(sql`
    select distinct a.id from appointments a join payments p on p.appointment_id = a.id
    where p.method = 'online' and p.refunded < p.amount and a.status = 'cancelled' and (p.unseatable or a.refund_owed is distinct from false)
    limit ${AT_ONCE}`);
  await each(cancelled, (id) => refundCancelled(ctx, id), "appointment");
  const failed = await ctx.db.execute<{ id: string }>(sql`
    select pr.refund_id as id from provider_refunds pr join refunds r on r.id = pr.refund_id
    where pr.provider = ${name} and pr.state = 'failed' and (pr.attempt <= ${WAITS.length} or r.amount = 0) and pr.next_try_at <= ${now}::timestamptz order by pr.next_try_at limit ${AT_ONCE}`);
  await each(failed, (id) => retryRefund(ctx, id), "refund");
  const unsent = await ctx.db.execute<{ id: string }>(sql`
    select refund_id as id from provider_refunds
    where provider = ${name} and state = 'pending' and sent_at is null and next_try_at <= ${now}::timestamptz order by next_try_at limit ${AT_ONCE}`);
  await each(unsent, (id) => sendRefund(ctx, id), "refund");
  const returns = await ctx.db.execute<{ id: string }>(sql`
    select refund_id as id from account_returns
    where provider = ${name} and state = 'pending' and next_try_at <= ${now}::timestamptz order by next_try_at limit ${AT_ONCE}`);
  await each(returns, (id) => sendAccountReturn(ctx, id), "refund");

  async function each(rows: readonly { id: string }[], work: (id: string) => Promise<void>, what: string): Promise<void> {
    for (const { id } of rows)
      await work(id).catch((error: unknown) => log.warn({ err: error, [what]: id }, "a payment is checked again in a minute"));
  }
}
