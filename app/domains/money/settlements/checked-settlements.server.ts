import { eq, type SQL, sql } from "drizzle-orm";
import { settlementReads } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { addDays, addMonths, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { PaymentProviderName } from "#app/lib/vocabulary.ts";
import { PAYOUT_LINES } from "./accounts.server.ts";
import { listMismatches, type Mismatch } from "./queries.server.ts";
import type { CheckedLine, Settlement } from "./settlements.ts";

/** Bounds a page and a CSV file. A month has at most some thirty settlements. */
const MOST = 20_000;
const MOST_LINES_SHOWN = 1000;
const MOST_MISMATCHES_SHOWN = 200;

const periodOf = (month: string) => ({
  from: instantInIndia(`${month}-01`, "00:00"),
  to: instantInIndia(addMonths(`${month}-01`, 1), "00:00"),
});

/** SQL: our order of a line, by the index of payments and refunds. */
const ORDER_ID = sql`(case when l.kind = 'payment' then (select p.order_id from payments p where p.provider_payment_id = l.line_id)
  when l.kind in ('transfer', 'reversal') then (select p.order_id from payments p where p.provider_payment_id = l.payment_id)
  when l.kind = 'refund' then (select p.order_id from provider_refunds pr join refunds r on r.id = pr.refund_id join payments p on p.id = r.payment_id
    where pr.provider = l.provider and pr.provider_refund_id = l.line_id) end)`;

/** SQL: the lines of our account and of linked accounts alike. What refunds took from a payout of a linked account, and its fee, is a line too. */
const ALL_LINES = sql`(
  select l.provider, l.kind, l.line_id, l.settlement_id, l.bank_reference, l.settled_at, l.amount, l.fee, l.tax, l.credit - l.debit as paid_out,
    ${ORDER_ID} as order_id, false as is_account
  from settlement_lines l
  union all
  select l.provider, 'payout', l.transfer_id, l.settlement_id, l.bank_reference, l.settled_at, l.amount, 0, 0, l.amount, l.order_id, true from ${PAYOUT_LINES} l
  union all
  select s.provider, 'taken-back', s.settlement_id, s.settlement_id, s.bank_reference, s.settled_at, l.sum - s.fee - s.amount, s.fee, s.tax,
    s.amount - l.sum, null, true
  from account_settlements s cross join lateral (select coalesce(sum(l.amount), 0) as sum from account_settlement_lines l
    where l.provider = s.provider and l.settlement_id = s.settlement_id) l
  where l.sum <> s.amount or s.fee <> 0 or s.tax <> 0)`;

type CheckedSettlement = Settlement & { others: number; mismatches: number };

/**
 * Returns the settlements of a month ("2026-11") with their sums and the number of lines that do not agree, and each mismatch of the month: those of
 * lines by the day of the settlement, payments and refunds without a line by the day on which they were made.
 * @throws DomainError("forbidden")
 */
export async function getCheckedMonth(
  ctx: Ctx<Actor>,
  month: string,
): Promise<{ settlements: CheckedSettlement[]; mismatches: Mismatch[]; more: number; readAt: Date | null }> {
  requireAdmin(ctx);
  const provider = ctx.integrations.payments?.name;
  if (!provider) return { settlements: [], mismatches: [], more: 0, readAt: null };
  const { from, to } = periodOf(month);
  const [rows, mismatches, [read]] = await Promise.all([
    ctx.db.execute<Omit<CheckedSettlement, "settledAt" | "mismatches"> & { settledAt: string }>(sql`
      select l.settlement_id as id, bool_or(l.is_account) as "isAccount", max(l.settled_at) as "settledAt", max(l.bank_reference) as reference,
        count(*) filter (where l.kind in ('payment', 'payout'))::int as payments,
        coalesce(sum(l.amount) filter (where l.kind in ('payment', 'payout')), 0)::float8 as received,
        case when bool_or(l.is_account) then null else count(*) filter (where l.kind = 'refund')::int end as refunds,
        coalesce(sum(l.amount) filter (where l.kind in ('refund', 'taken-back')), 0)::float8 as refunded,
        count(*) filter (where l.kind not in ('payment', 'refund', 'payout', 'taken-back'))::int as others,
        sum(l.fee)::float8 as fee, sum(l.tax)::float8 as tax, sum(l.paid_out)::float8 as "paidOut"
      from ${ALL_LINES} l where ${within(provider, { from, to })} group by l.settlement_id order by "settledAt" desc, id limit ${MOST}`),
    listMismatches(ctx, from, to),
    ctx.db.select({ readAt: settlementReads.readAt }).from(settlementReads).where(eq(settlementReads.provider, provider)),
  ]);
  const counts = Map.groupBy(mismatches, ({ settlementId }) => settlementId);
  return {
    settlements: rows.map((row) => ({ ...row, settledAt: new Date(row.settledAt), mismatches: counts.get(row.id)?.length ?? 0 })),
    mismatches: mismatches.slice(0, MOST_MISMATCHES_SHOWN),
    more: Math.max(0, mismatches.length - MOST_MISMATCHES_SHOWN),
    readAt: read?.readAt ?? null,
  };
}

const within = (provider: PaymentProviderName, { from, to }: { from: Date; to: Date }): SQL =>
  sql`l.provider = ${provider} and l.settled_at >= ${from.toISOString()}::timestamptz and l.settled_at < ${to.toISOString()}::timestamptz`;

/**
 * Returns the lines of a settlement, those that do not agree first.
 * @throws DomainError("forbidden" | "not-found")
 */
export async function getCheckedSettlement(ctx: Ctx<Actor>, id: string): Promise<{ lines: CheckedLine[]; more: number }> {
  requireAdmin(ctx);
  const provider = ctx.integrations.payments?.name;
  const lines = provider ? await linesWhere(ctx, sql`l.provider = ${provider} and l.settlement_id = ${id}`) : [];
  if (lines.length === 0) throw new DomainError("not-found");
  return { lines: lines.slice(0, MOST_LINES_SHOWN), more: Math.max(0, lines.length - MOST_LINES_SHOWN) };
}

/**
 * Returns the lines of a month for a CSV file, those that do not agree first. Writes an audit row about the export.
 * @throws DomainError("forbidden")
 */
export async function exportCheckedLines(ctx: Ctx<Actor>, month: string): Promise<CheckedLine[]> {
  requireAdmin(ctx);
  const provider = ctx.integrations.payments?.name;
  const period = periodOf(month);
  const lines = provider ? await linesWhere(ctx, within(provider, period)) : [];
  await recordRead(ctx, {
    action: "export-settlements",
    subjectType: "user",
    subjectId: ctx.actor.userId,
    details: { rows: lines.length, from: todayInIndia(period.from), to: addDays(todayInIndia(period.to), -1) },
  });
  return lines;
}

async function linesWhere(ctx: Ctx, where: SQL): Promise<CheckedLine[]> {
  type Row = Omit<CheckedLine, "settledAt" | "mismatch"> & { settledAt: string };
  const rows = await ctx.db.execute<Row>(sql`
    select l.kind, l.line_id as "lineId", l.settlement_id as "settlementId", l.bank_reference as reference, l.settled_at as "settledAt",
      l.amount::float8 as amount, l.fee::float8 as fee, l.tax::float8 as tax, l.paid_out::float8 as "paidOut", l.order_id as "orderId", l.is_account as "isAccount"
    from ${ALL_LINES} l where ${where} order by l.settled_at desc, l.settlement_id, l.kind, l.line_id limit ${MOST}`);
  if (rows.length === 0) return [];
  const times = rows.map((row) => new Date(row.settledAt).getTime());
  const found = await listMismatches(ctx, new Date(Math.min(...times)), new Date(Math.max(...times) + 1));
  const keyOf = (kind: string, id: string, settlementId: string | null) => `${kind} ${id} ${settlementId}`;
  const kinds = new Map(found.map((one) => [keyOf(one.kind, one.id, one.settlementId), one.mismatch]));
  const lines = rows.map((row) => ({
    ...row,
    settledAt: new Date(row.settledAt),
    mismatch: kinds.get(keyOf(row.kind, row.lineId, row.settlementId)) ?? null,
  }));
  return [...lines.filter(({ mismatch }) => mismatch), ...lines.filter(({ mismatch }) => !mismatch)];
}

/** Returns how many lines, payments and refunds did not agree when the report was read last; 0 without a provider. */
export async function countSettlementMismatches(ctx: Ctx): Promise<number> {
  const provider = ctx.integrations.payments?.name;
  if (!provider) return 0;
  const [read] = await ctx.db
    .select({ mismatches: settlementReads.mismatches })
    .from(settlementReads)
    .where(eq(settlementReads.provider, provider));
  return read?.mismatches ?? 0;
}
