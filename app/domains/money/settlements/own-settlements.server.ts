import { type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, payments } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { language } from "#app/lib/language.ts";
import { receiptNumber } from "../receipts/receipt-number.ts";
import { ownMoney, placeMoney } from "../takings/whose-money.server.ts";
import { IS_OF_PAYMENT } from "./accounts.server.ts";
import type { OwnLine, OwnSettlement } from "./settlements.ts";

const PAGE = 20;
/** Bounds a CSV file. */
const MOST = 20_000;

/** Whose settlements: null as the doctor, otherwise the place. */
type Of = { hospitalId: string | null };

/** @throws DomainError("not-found"), "forbidden" without `take-payment` or `see-takings` */
async function merchantOf(ctx: Ctx<Actor>, { hospitalId }: Of): Promise<{ settled: SQL; placeName: string | null }> {
  if (hospitalId === null) return { settled: ownMoney(ctx).settled, placeName: null };
  const { settled, sums, placeName } = await placeMoney(ctx, hospitalId);
  if (!sums) throw new DomainError("forbidden");
  return { settled, placeName };
}

/** SQL: true for a payment that the provider passed on to a payout account, which pays it out. */
const IS_TRANSFERRED = sql`exists (select from payment_orders o where o.id = ${payments.orderId} and o.transfer_account is not null)`;

/** SQL: the part of the provider's fee, or of its GST, that the platform fee bears: its share of what was paid, in whole paise. */
const shareOf = (of: SQL, fee: SQL) => sql`case when l.amount = 0 then 0 else round(${of} * ${fee}::numeric / l.amount) end`;
/**
 * SQL: the columns of a line `l` without a platform fee, which is not the merchant's: it bears its own share of the provider's fee. That fee is in what
 * was paid out, or is taken from a balance.
 */
function lineWithout(fee: SQL): SQL {
  const share = shareOf(sql`l.fee`, fee);
  return sql`l.kind, l.line_id, l.settlement_id, l.settled_at, l.bank_reference, l.amount - ${fee} as amount, l.fee - ${share} as fee,
    l.tax - ${shareOf(sql`l.tax`, fee)} as tax,
    case l.credit when 0 then 0 when l.amount then l.credit - ${fee} else l.credit - ${fee} + ${share} end as credit,
    case l.debit when 0 then 0 when l.amount then l.debit - ${fee} else l.debit - ${fee} - ${share} end as debit, ${fee} as platform_fee`;
}

/** SQL: the lines of the report that are about payments of a merchant, without those that went to its payout account and without platform fees. */
const ownLines = (provider: string, ofMerchant: SQL) => {
  const settled = sql`${ofMerchant} and not ${IS_TRANSFERRED}`;
  return sql`(
  select ${lineWithout(sql`${payments.platformFee}`)}, ${payments.id} as own_payment_id from ${payments} join settlement_lines l on l.provider = ${provider} and l.kind = 'payment'
    and l.line_id = ${payments.providerPaymentId} where ${payments.method} = 'online' and ${settled}
  union all
  select ${lineWithout(sql`r.platform_fee`)}, ${payments.id} from ${payments} join refunds r on r.payment_id = ${payments.id} and r.amount > 0
    join provider_refunds pr on pr.refund_id = r.id and pr.provider = ${provider}
    join settlement_lines l on l.provider = pr.provider and l.kind = 'refund' and l.line_id = pr.provider_refund_id
    where ${payments.method} = 'online' and ${settled})`;
};

/**
 * SQL: the transfers that were paid out from linked accounts, of payments of a merchant. The payment decides, so an earlier account of the merchant is
 * in it. An order is passed on with its first payment.
 */
const ownPayouts = (provider: string, ofMerchant: SQL) => sql`(
  select l.*, not ${IS_OF_PAYMENT} as is_return, ${payments.id} as own_payment_id from ${payments} join payment_orders o on o.id = ${payments.orderId} and o.provider = ${provider}
    join account_settlement_lines l on l.provider = o.provider and l.source_id in (${payments.providerPaymentId}, o.provider_order_id)
  where ${payments.method} = 'online' and ${ofMerchant} and o.transfer_account is not null
    and (l.source_id = ${payments.providerPaymentId} or not exists (select from payments e where e.appointment_id = ${payments.appointmentId}
      and e.order_id = o.id and (e.received_at, e.id) < (${payments.receivedAt}, ${payments.id}))))`;

/**
 * Returns a page of the settlements with payments of the acting doctor, or of the place for a member who may see its takings, the newest first: of
 * the doctors that the member acts for. From our account and from the merchant's payout accounts. Empty without a provider.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function listOwnSettlements(ctx: Ctx<Actor>, { page, ...of }: Of & { page: number }) {
  const { settled, placeName } = await merchantOf(ctx, of);
  const offset = (page - 1) * PAGE;
  const rows = await settlementsOf(ctx, settled, { limit: PAGE, offset });
  const total = rows[0]?.total ?? (page > 1 ? ((await settlementsOf(ctx, settled, { limit: 1, offset: 0 }))[0]?.total ?? 0) : 0);
  return { placeName, rows: rows.map(({ total: _, ...row }) => row), total, hasMore: offset + rows.length < total };
}

/** Returns all settlements for a CSV file. @throws DomainError("not-found" | "forbidden") */
export async function exportOwnSettlements(ctx: Ctx<Actor>, of: Of): Promise<OwnSettlement[]> {
  const { settled } = await merchantOf(ctx, of);
  return settlementsOf(ctx, settled, { limit: MOST, offset: 0 });
}

/**
 * Returns a settlement with its lines.
 * @throws DomainError("not-found"), also for a settlement without payments of the merchant; "forbidden"
 */
export async function getOwnSettlement(ctx: Ctx<Actor>, { id, ...of }: Of & { id: string }) {
  const { settled, placeName } = await merchantOf(ctx, of);
  const [settlement] = await settlementsOf(ctx, settled, { id, limit: 1, offset: 0 });
  if (!settlement) throw new DomainError("not-found");
  const { total: _, ...row } = settlement;
  return { placeName, settlement: row, lines: await linesOf(ctx, settled, id) };
}

async function settlementsOf(
  ctx: Ctx,
  settled: SQL,
  { id, limit, offset }: { id?: string; limit: number; offset: number },
): Promise<(OwnSettlement & { total: number })[]> {
  const provider = ctx.integrations.payments?.name;
  if (!provider) return [];
  const ofOne = id === undefined ? sql`` : sql`where own.settlement_id = ${id}`;
  // What refunds took from a payout account is known of a whole settlement only, so a part of one is its payments.
  const rows = await ctx.db.execute<Omit<OwnSettlement, "settledAt"> & { settledAt: string; total: number }>(sql`
    select one.*, count(*) over ()::int as total from (
    select own.settlement_id as id, false as "isAccount", max(own.settled_at) as "settledAt", max(own.bank_reference) as reference,
      count(*) filter (where own.kind = 'payment')::int as payments,
      coalesce(sum(own.amount) filter (where own.kind = 'payment'), 0)::float8 as received,
      count(*) filter (where own.kind = 'refund')::int as refunds,
      coalesce(sum(own.amount) filter (where own.kind = 'refund'), 0)::float8 as refunded,
      sum(own.fee)::float8 as fee, sum(own.tax)::float8 as tax, sum(own.credit - own.debit)::float8 as "paidOut",
      (select count(*) from settlement_lines a where a.provider = ${provider} and a.settlement_id = own.settlement_id) > count(*)
        or bool_or(own.platform_fee > 0) as shared
    from ${ownLines(provider, settled)} own ${ofOne} group by own.settlement_id
    union all
    select of.id, true, s.settled_at, s.bank_reference, of.payments, of.received::float8, null,
      (case when of.shared then 0 else of.total - s.fee - s.amount end)::float8, (case when of.shared then 0 else s.fee end)::float8,
      (case when of.shared then 0 else s.tax end)::float8, (case when of.shared then of.total else s.amount end)::float8, of.shared
    from (select own.settlement_id as id, count(*) filter (where not own.is_return)::int as payments, sum(own.amount) as total,
        coalesce(sum(own.amount) filter (where not own.is_return), 0) as received,
        (select count(*) from account_settlement_lines a where a.provider = ${provider} and a.settlement_id = own.settlement_id) > count(*) as shared
      from ${ownPayouts(provider, settled)} own ${ofOne} group by own.settlement_id) of
      join account_settlements s on s.provider = ${provider} and s.settlement_id = of.id
    ) one order by one."settledAt" desc, one.id limit ${limit} offset ${offset}`);
  return rows.map((row) => ({ ...row, settledAt: new Date(row.settledAt) }));
}

async function linesOf(ctx: Ctx, settled: SQL, id: string): Promise<OwnLine[]> {
  const provider = ctx.integrations.payments!.name;
  const doctorName = inLanguage(doctors.fullName, doctors.translations, "name", language());
  type Row = Omit<OwnLine, "at" | "receipt"> & { at: string; financialYear: string; number: number };
  const rows = await ctx.db.execute<Row>(sql`
    select own.kind, own.line_id as "lineId", p.received_at as at, own.amount::float8 as amount, own.fee::float8 as fee, own."paidOut"::float8 as "paidOut", p.id as "paymentId", c.financial_year as "financialYear", c.number,
      a.patient_name as "patientName", ${doctorName} as "doctorName", a.date::text as date
    from (select kind, line_id, amount, fee, credit - debit as "paidOut", own_payment_id from ${ownLines(provider, settled)} a where a.settlement_id = ${id}
      union all select case when is_return then 'given-back' else 'payment' end, transfer_id, amount, 0, amount, own_payment_id from ${ownPayouts(provider, settled)} a where a.settlement_id = ${id}
      ) own join payments p on p.id = own.own_payment_id join receipts c on c.payment_id = p.id
      join appointments a on a.id = p.appointment_id join ${doctors} on ${doctors.id} = p.doctor_id
    order by own.kind = 'payment' desc, own.kind desc, p.received_at, own.line_id limit ${MOST}`);
  return rows.map(({ at, financialYear, number, ...row }) => ({
    ...row,
    at: new Date(at),
    patientName: patientNameWord(row.patientName),
    receipt: receiptNumber({ financialYear, number }),
  }));
}
