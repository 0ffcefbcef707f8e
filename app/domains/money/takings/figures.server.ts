import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { appointments, ledgerEntries, payments } from "#app/db/schema/index.ts";
import { IS_FAILED, RECORDED_SINCE } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { RECEIVED_BY } from "#app/lib/vocabulary.ts";
import { type MoneyFigures, type MoneyMonth, moneyFigures } from "./takings.ts";
import { type MoneyOf, ownMoney, placeMoney } from "./whose-money.server.ts";

/** Returns what the acting doctor's ledger says beside the earnings (docs/figures.md); null before the first recorded payment. */
export async function getMoneyFigures(ctx: Ctx<Actor>): Promise<MoneyFigures | null> {
  const [since, months] = await Promise.all([recordedSince(ctx, ownMoney(ctx)), getOwnMoneyMonths(ctx)]);
  return since ? moneyFigures(since, months, ctx.now) : null;
}

/** Returns the months of the acting doctor that have money or debts, the oldest first. */
export const getOwnMoneyMonths = (ctx: Ctx<Actor>): Promise<MoneyMonth[]> => moneyMonths(ctx, ownMoney(ctx));

/**
 * Returns the months of a place that have money or debts, the oldest first: of the doctors that the member acts for.
 * @throws DomainError("not-found"), "forbidden" without `take-payment` or `see-takings`
 */
export async function getPlaceMoneyMonths(
  ctx: Ctx<Actor>,
  hospitalId: string | undefined,
): Promise<{ placeName: string; months: MoneyMonth[] }> {
  const { sums, placeName, ...of } = await placeMoney(ctx, hospitalId);
  if (!sums) throw new DomainError("forbidden");
  return { placeName, months: await moneyMonths(ctx, of) };
}

async function recordedSince(ctx: Ctx, { payments: of }: { payments: SQL }): Promise<string | null> {
  const [first] = await ctx.db
    .select({ day: sql<string | null>`to_char(min(${payments.receivedAt}) at time zone 'Asia/Kolkata', 'YYYY-MM-DD')` })
    .from(payments)
    .where(of);
  return first?.day ?? null;
}

/** The one definition of received, refunded, not returned and owed (docs/figures.md), for a doctor and for a place. */
async function moneyMonths(ctx: Ctx, { moves, visits }: MoneyOf): Promise<MoneyMonth[]> {
  return [
    ...(await ctx.db.execute<MoneyMonth>(sql`
      select month, sum(received)::float8 as received, sum(refunded)::float8 as refunded, sum(not_returned)::float8 as "notReturned", sum(owed)::float8 as owed from (
        select to_char(${ledgerEntries.at} at time zone 'Asia/Kolkata', 'YYYY-MM') as month,
          coalesce(sum(${ledgerEntries.amount}) filter (where ${ledgerEntries.refundId} is null), 0) as received,
          coalesce(-sum(${ledgerEntries.amount}) filter (where ${ledgerEntries.refundId} is not null and not ${IS_FAILED}), 0) as refunded,
          coalesce(-sum(${ledgerEntries.amount}) filter (where ${IS_FAILED}), 0) as not_returned, 0 as owed
        from ${ledgerEntries} where ${moves} and ${inArray(ledgerEntries.account, [...RECEIVED_BY])} group by 1
        union all
        select to_char(${appointments.date}, 'YYYY-MM'), 0, 0, 0,
          sum(greatest(0, ${appointments.fee} - ${appointments.discount} - coalesce(
            (select sum(p.amount - p.corrected) from payments p where p.appointment_id = appointments.id), 0)))
        from ${appointments} where ${visits} and ${eq(appointments.status, "completed")}
          and ${appointments.date} >= (${RECORDED_SINCE} at time zone 'Asia/Kolkata')::date group by 1
      ) counted group by month having sum(received) <> 0 or sum(refunded) <> 0 or sum(not_returned) <> 0 or sum(owed) <> 0 order by month`)),
  ];
}
