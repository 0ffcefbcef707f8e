import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#app/domains/context.server.ts";
import { days } from "#app/lib/durations.ts";
import { minus, type Paise, paise } from "#app/lib/money.ts";
import type { PaymentProviderName } from "#app/lib/vocabulary.ts";
import { explainTakenBack } from "./compare.ts";

/** Reversals before the period may be taken from a payout in it, so settlements of this time before it are followed too. */
const BEFORE = days(30);

/**
 * SQL: the payment of a transfer `l`, as `p` with its order `o`. An order is passed on once, with its first payment.
 */
const PAYMENT_OF_TRANSFER = sql`lateral (
  select p.*, o.transfer_account from payments p join payment_orders o on o.id = p.order_id
    where p.provider_payment_id = l.source_id and o.provider = l.provider
  union all
  (select p.*, o.transfer_account from payment_orders o join payments p on p.appointment_id = o.appointment_id and p.order_id = o.id
    where o.provider = l.provider and o.provider_order_id = l.source_id order by p.received_at, p.id limit 1))`;

/** SQL: the transfers that were paid out from linked accounts, as lines `l`, each with our payment of it, if there is one. */
export const PAYOUT_LINES = sql`(
  select l.*, s.settled_at, s.bank_reference, coalesce(b.amount, p.amount) as own_amount, p.received_at, p.order_id, p.transfer_account,
    b.refund_id is not null as is_return
  from account_settlements s join account_settlement_lines l on l.provider = s.provider and l.settlement_id = s.settlement_id
    left join ${PAYMENT_OF_TRANSFER} p on true
    left join account_returns b on b.provider = l.provider and b.provider_transfer_id = l.transfer_id)`;

/** SQL: true for a transfer that gave a payout account back what a failed refund took. */
export const isReturn = (provider: SQL, transferId: SQL): SQL =>
  sql`exists (select from account_returns b where b.provider = ${provider} and b.provider_transfer_id = ${transferId})`;
/** SQL: true for a transfer `l` of a payment, and not one that gave the account money back. */
export const IS_OF_PAYMENT = sql`not ${isReturn(sql`l.provider`, sql`l.transfer_id`)}`;

/**
 * Compares what was paid out from linked accounts in a period: each transfer with its payment, and each settlement with its transfers less what
 * refunds took back. Also returns the payments of that time whose transfer no settlement of the account has, and what was given back and is in none.
 */
export async function compareAccounts(ctx: Ctx, provider: PaymentProviderName, since: Date, until: Date | undefined) {
  const [from, to, now] = [since.toISOString(), until?.toISOString() ?? null, ctx.now.toISOString()];
  type Line = {
    id: string;
    settlementId: string;
    amount: Paise;
    orderId: string | null;
    ownAmount: Paise | null;
    receivedAt: string;
    transferAccount: string | null;
    account: string;
    times: number;
  };
  const lines = await ctx.db.execute<Line>(sql`
    select l.transfer_id as id, l.settlement_id as "settlementId", l.amount::float8 as amount, l.order_id as "orderId", l.own_amount::float8 as "ownAmount",
      l.received_at as "receivedAt", l.transfer_account as "transferAccount", l.account,
      (select count(*) from account_settlement_lines t where case when l.is_return then (t.provider, t.transfer_id) = (l.provider, l.transfer_id)
        else (t.provider, t.source_id) = (l.provider, l.source_id)
          and not ${isReturn(sql`t.provider`, sql`t.transfer_id`)} end)::int as times
    from ${PAYOUT_LINES} l
    where l.provider = ${provider} and l.settled_at >= ${from}::timestamptz and (${to}::timestamptz is null or l.settled_at < ${to}::timestamptz)`);
  // One that the report of our account does not have is compared there.
  const missing = await ctx.db.execute<{ id: string; amount: Paise; at: string; orderId: string }>(sql`
    select p.provider_payment_id as id, p.amount::float8 as amount, p.received_at as at, p.order_id as "orderId"
    from payments p join payment_orders o on o.id = p.order_id
    where o.provider = ${provider} and o.transfer_account is not null and p.state <> 'refunded'
      and p.received_at >= ${from}::timestamptz and p.received_at <= ${now}::timestamptz
      and (${to}::timestamptz is null or p.received_at < ${to}::timestamptz)
      and exists (select from settlement_lines t where t.provider = o.provider and t.kind = 'transfer' and t.payment_id = p.provider_payment_id)
      and not exists (select from account_settlement_lines l where l.provider = o.provider and l.source_id in (p.provider_payment_id, o.provider_order_id)
        and ${IS_OF_PAYMENT})
    union all
    select b.provider_transfer_id, b.amount::float8, b.settled_at, p.order_id
    from account_returns b join refunds r on r.id = b.refund_id join payments p on p.id = r.payment_id
    where b.provider = ${provider} and b.state = 'sent' and b.settled_at >= ${from}::timestamptz
      and (${to}::timestamptz is null or b.settled_at < ${to}::timestamptz)
      and not exists (select from account_settlement_lines l where l.provider = b.provider and l.transfer_id = b.provider_transfer_id)`);
  const none = paise(0);
  return [
    ...lines.map(({ id, settlementId, amount, orderId, ownAmount, receivedAt, transferAccount, account, times }) => ({
      kind: "payout" as const,
      ...{ id, settlementId, orderId, times },
      line: { kind: "payout", amount, fee: none, tax: none, credit: amount, debit: none },
      ours: ownAmount === null || transferAccount === null ? null : { amount: ownAmount, at: new Date(receivedAt) },
      isOtherAccount: transferAccount !== account,
    })),
    ...missing.map(({ id, amount, at, orderId }) => ({
      kind: "payout" as const,
      ...{ id, orderId, settlementId: null, line: null, times: 0 },
      ours: { amount, at: new Date(at) },
    })),
    ...(await compareSums(ctx, provider, since, until)),
  ];
}

/** Returns the settlements of a period, each with what is missing from the sum of its transfers, and with what our refunds explain of it. */
async function compareSums(ctx: Ctx, provider: PaymentProviderName, since: Date, until: Date | undefined) {
  const [from, to] = [since.toISOString(), until?.toISOString() ?? null];
  const followed = new Date(since.getTime() - BEFORE).toISOString();
  type Row = { id: string; account: string; at: string; amount: Paise; fee: Paise; tax: Paise; sum: Paise; reversed: Paise };
  const rows = await ctx.db.execute<Row>(sql`
    select s.settlement_id as id, s.account, s.settled_at as at, s.amount::float8 as amount, s.fee::float8 as fee, s.tax::float8 as tax,
      coalesce(sum(l.amount), 0)::float8 as sum, coalesce(sum(l.reversed), 0)::float8 as reversed
    from account_settlements s left join account_settlement_lines l on l.provider = s.provider and l.settlement_id = s.settlement_id
    where s.provider = ${provider} and s.settled_at >= ${followed}::timestamptz and (${to}::timestamptz is null or s.settled_at < ${to}::timestamptz)
      and exists (select from account_settlements e where e.provider = s.provider and e.account = s.account and e.settled_at >= ${from}::timestamptz)
    group by s.provider, s.settlement_id order by s.settled_at, s.settlement_id`);
  if (rows.length === 0) return [];
  // A refund that was accepted at least once took the money back then, also when it failed later.
  const reversals = await ctx.db.execute<{ account: string; amount: Paise; at: string }>(sql`
    select o.transfer_account as account, r.amount::float8 as amount, r.refunded_at as at
    from payment_orders o join payments p on p.order_id = o.id join refunds r on r.payment_id = p.id
      join provider_refunds pr on pr.refund_id = r.id and pr.provider = o.provider
    where o.provider = ${provider} and o.transfer_account is not null and r.amount > 0 and r.refunded_at >= ${followed}::timestamptz
      and (pr.sent_at is not null or pr.attempt > 1) order by r.refunded_at, r.id`);
  const backByAccount = Map.groupBy(reversals, ({ account }) => account);
  const compared = Map.groupBy(rows, ({ account }) => account);
  return [...compared].flatMap(([account, settlements]) => {
    const back = (backByAccount.get(account) ?? []).map(({ amount, at }) => ({ amount, at: new Date(at) }));
    const payouts = settlements.map(({ at, sum, amount, ...one }) => ({
      ...one,
      at: new Date(at),
      lacking: minus(minus(sum, one.fee), amount),
    }));
    const explained = explainTakenBack(payouts, back);
    return payouts.flatMap(({ id, at, fee, tax, lacking }, n) => {
      if (at < since) return [];
      const line = { kind: "taken-back", amount: lacking, fee, tax, credit: paise(0), debit: lacking };
      const ours = { amount: explained[n]!, at };
      return [{ kind: "taken-back" as const, id, settlementId: id, orderId: null, line, ours, times: 1 }];
    });
  });
}
