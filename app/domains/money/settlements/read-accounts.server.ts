import { and, eq, inArray, max, type SQL, sql } from "drizzle-orm";
import { accountSettlementLines, accountSettlements } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import type { PaymentProvider } from "#app/integrations/payments/payment-provider.server.ts";
import { addDays, type DateKey, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { IS_OF_PAYMENT } from "./accounts.server.ts";

/**
 * Stores the settlements of linked accounts that are not stored yet. Reads the transfers of each day since some days before the last settlement, and
 * of older days with a payment of ours that no settlement has. `earliest`: no day before it. Safe to repeat.
 * @throws DomainError("unavailable") while the provider is down
 */
export async function readAccountSettlements(
  ctx: Ctx,
  provider: PaymentProvider,
  { earliest, again }: { earliest: DateKey; again: number },
): Promise<void> {
  const [known] = await ctx.db
    .select({ last: max(accountSettlements.settledAt) })
    .from(accountSettlements)
    .where(eq(accountSettlements.provider, provider.name));
  const since = known?.last ? addDays(todayInIndia(known.last), -again) : earliest;
  const waiting = await unsettledDays(ctx, provider, earliest);
  const today = todayInIndia(ctx.now);
  for (let day = earliest; day <= today; day = addDays(day, 1)) if (day >= since || waiting.has(day)) await readDay(ctx, provider, day);
}

/** The days of our transferred payments, and of what we gave back, that no settlement has. The provider may have made the transfer on the day before we knew the payment. */
async function unsettledDays(ctx: Ctx, provider: PaymentProvider, earliest: DateKey): Promise<Set<DateKey>> {
  const dayOf = (column: SQL) => sql`to_char(${column} at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`;
  const rows = await ctx.db.execute<{ day: DateKey }>(sql`
    select ${dayOf(sql`p.received_at`)} as day from payments p join payment_orders o on o.id = p.order_id
    where o.provider = ${provider.name} and o.transfer_account is not null and p.state <> 'refunded'
      and p.received_at >= ${instantInIndia(earliest, "00:00").toISOString()}::timestamptz
      and not exists (select from account_settlement_lines l where l.provider = o.provider and l.source_id in (p.provider_payment_id, o.provider_order_id) and ${IS_OF_PAYMENT})
    union
    select ${dayOf(sql`b.settled_at`)} from account_returns b
    where b.provider = ${provider.name} and b.state = 'sent' and b.settled_at >= ${instantInIndia(earliest, "00:00").toISOString()}::timestamptz
      and not exists (select from account_settlement_lines l where l.provider = b.provider and l.transfer_id = b.provider_transfer_id)`);
  return new Set(rows.flatMap(({ day }) => [addDays(day, -1), day]));
}

async function readDay(ctx: Ctx, provider: PaymentProvider, day: DateKey): Promise<void> {
  const period = { from: instantInIndia(day, "00:00"), to: instantInIndia(addDays(day, 1), "00:00") };
  const ids = new Set((await provider.listAccountTransfers(period)).flatMap(({ settlement }) => settlement?.id ?? []));
  if (ids.size === 0) return;
  const known = await ctx.db
    .select({ id: accountSettlements.settlementId })
    .from(accountSettlements)
    .where(and(eq(accountSettlements.provider, provider.name), inArray(accountSettlements.settlementId, [...ids])));
  for (const { id } of known) ids.delete(id);
  for (const id of ids) await storeSettlement(ctx, provider, id);
}

/** Stores a settlement with all its transfers in one transaction: its sum is only right with every one of them. */
async function storeSettlement(ctx: Ctx, provider: PaymentProvider, id: string): Promise<void> {
  const transfers = (await provider.listTransfersOfSettlement(id)).filter(({ settlement }) => settlement?.id === id);
  const [first] = transfers;
  if (!first?.settlement) return;
  const { amount, fee, tax, reference, settledAt } = first.settlement;
  const of = { provider: provider.name, settlementId: id };
  await transact(ctx, async (tx) => {
    const settlement = { ...of, account: first.account, amount, fee, tax, bankReference: reference, settledAt, readAt: ctx.now };
    const [stored] = await tx.db.insert(accountSettlements).values(settlement).onConflictDoNothing().returning();
    // Another run stored it with its lines.
    if (!stored) return;
    // One statement for any number of transfers.
    await tx.db.execute(sql`
      insert into ${accountSettlementLines} (provider, settlement_id, transfer_id, account, source_id, amount, reversed)
      select ${provider.name}, ${id}, l.id, l.account, l."sourceId", l.amount, l.reversed
      from jsonb_to_recordset(${JSON.stringify(transfers)}::text::jsonb) as l(id text, account text, "sourceId" text, amount bigint, reversed bigint)
      on conflict do nothing`);
  });
}
