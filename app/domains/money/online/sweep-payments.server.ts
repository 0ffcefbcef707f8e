import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domains/context.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { applyOrder } from "./apply-order.server.ts";
import { refundCancelled } from "./refund-cancelled.server.ts";
import { sendRefund } from "./send-refund.server.ts";

/** Of each kind in one run: the next run, a minute later, takes the rest. */
const AT_ONCE = 50;

/**
 * Does what a lost message or a crash left undone: applies stored messages, asks the provider about orders that are open or expired lately and about
 * refunds that are not settled, and sends refunds. A failure of one does not stop the others.
 */
export async function sweepPayments(ctx: Ctx): Promise<void> {
  const name = ctx.integrations.payments?.name;
  if (!name) return;
  const now = ctx.now.toISOString();
  const orders = await ctx.db.execute<{ id: string }>(sql`
    select o.id from payment_orders o
    where o.provider = ${name} and (
      exists (select from payment_events e where e.order_id = o.id and e.applied_at is null)
      or o.state = 'created' and coalesce(o.checked_at, o.created_at) <= ${now}::timestamptz - interval '1 minute'
      or o.state in ('expired', 'failed') and o.created_at > ${now}::timestamptz - interval '3 days' and o.checked_at <= ${now}::timestamptz - interval '30 minutes'
      or o.checked_at <= ${now}::timestamptz - interval '30 minutes' and exists (
        select from payments p join refunds r on r.payment_id = p.id join provider_refunds pr on pr.refund_id = r.id
        where p.order_id = o.id and pr.state = 'pending' and pr.sent_at is not null))
    order by o.checked_at nulls first limit ${AT_ONCE}`);
  await each(orders, (id) => applyOrder(ctx, id), "order");
  const cancelled = await ctx.db.execute<{ id: string }>(sql`
    select distinct a.id from appointments a join payments p on p.appointment_id = a.id
    where p.method = 'online' and p.refunded < p.amount and a.status = 'cancelled' and a.refund_owed is distinct from false limit ${AT_ONCE}`);
  await each(cancelled, (id) => refundCancelled(ctx, id), "appointment");
  const unsent = await ctx.db.execute<{ id: string }>(sql`
    select refund_id as id from provider_refunds
    where provider = ${name} and state = 'pending' and sent_at is null and next_try_at <= ${now}::timestamptz order by next_try_at limit ${AT_ONCE}`);
  await each(unsent, (id) => sendRefund(ctx, id), "refund");

  async function each(rows: readonly { id: string }[], work: (id: string) => Promise<void>, what: string): Promise<void> {
    for (const { id } of rows)
      await work(id).catch((error: unknown) => log.warn({ err: error, [what]: id }, "a payment is checked again in a minute"));
  }
}
