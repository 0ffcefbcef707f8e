import { eq, max, sql } from "drizzle-orm";
import { settlementLines, settlementReads } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { PaymentProvider } from "#app/integrations/payments/payment-provider.server.ts";
import { addDays, type DateKey, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { log } from "#app/runtime/log.server.ts";
import { listMismatches } from "./queries.server.ts";
import { readAccountSettlements } from "./read-accounts.server.ts";

/** Days before the last line that are read again: a line has its bank reference later than its date. */
const AGAIN = 10;
const LONGEST = 40;

/**
 * Stores the lines of the provider's settlement report since the last one, and the settlements of linked accounts. Stores and logs how many do
 * not agree with our payments and refunds. Safe to repeat. Each day is stored by itself, so a provider that goes down loses nothing.
 * @throws DomainError("unavailable") while the provider is down
 */
export async function readSettlements(ctx: Ctx): Promise<void> {
  const provider = ctx.integrations.payments;
  if (!provider) return;
  const [known] = await ctx.db
    .select({ last: max(settlementLines.settledAt) })
    .from(settlementLines)
    .where(eq(settlementLines.provider, provider.name));
  const today = todayInIndia(ctx.now);
  const earliest = addDays(today, -LONGEST);
  const again = known?.last ? addDays(todayInIndia(known.last), -AGAIN) : earliest;
  for (let day = again > earliest ? again : earliest; day <= today; day = addDays(day, 1)) await readDay(ctx, provider, day);
  await readAccountSettlements(ctx, provider, { earliest, again: AGAIN });
  const kinds: Record<string, number> = {};
  for (const { mismatch } of await listMismatches(ctx, instantInIndia(earliest, "00:00"))) kinds[mismatch] = (kinds[mismatch] ?? 0) + 1;
  const mismatches = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  const read = { readAt: ctx.now, mismatches };
  await ctx.db
    .insert(settlementReads)
    .values({ provider: provider.name, ...read })
    .onConflictDoUpdate({ target: settlementReads.provider, set: read });
  if (mismatches) log.error({ kinds }, "settlements do not agree with our payments and refunds");
}

async function readDay(ctx: Ctx, provider: PaymentProvider, day: DateKey): Promise<void> {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const paidOut = (await provider.listSettlementLines({ year, month, day: date })).filter(
    ({ settlementId, settledAt, reference }) => settlementId && settledAt && reference,
  );
  if (paidOut.length === 0) return;
  // One statement for any number of lines.
  await ctx.db.execute(sql`
    insert into settlement_lines (provider, settlement_id, kind, line_id, payment_id, amount, fee, tax, credit, debit, bank_reference, settled_at, read_at)
    select ${provider.name}, l."settlementId", l.kind, l.id, l."paymentId", l.amount, l.fee, l.tax, l.credit, l.debit, l.reference, l."settledAt",
      ${ctx.now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(paidOut)}::text::jsonb) as l("settlementId" text, kind text, id text, "paymentId" text, amount bigint,
      fee bigint, tax bigint, credit bigint, debit bigint, reference text, "settledAt" timestamptz)
    on conflict do nothing`);
}
