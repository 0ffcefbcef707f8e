import { and, eq, type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, payments } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { language } from "#app/lib/language.ts";
import { receiptNumber } from "../receipts/receipt-number.ts";
import { ownMoney, placeMoney } from "../takings/whose-money.server.ts";
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

/** SQL: true for a payment that the provider passed on to the payout account. The report of our account does not show how it is paid out there. */
const IS_TRANSFERRED = sql`exists (select from payment_orders o where o.id = ${payments.orderId} and o.transfer_account is not null)`;

/** SQL: the lines of the report that are about payments of a merchant, without those that went to its payout account. */
const ownLines = (provider: string, ofMerchant: SQL) => {
  const settled = sql`${ofMerchant} and not ${IS_TRANSFERRED}`;
  return sql`(
  select l.*, ${payments.id} as own_payment_id from ${payments} join settlement_lines l on l.provider = ${provider} and l.kind = 'payment'
    and l.line_id = ${payments.providerPaymentId} where ${payments.method} = 'online' and ${settled}
  union all
  select l.*, ${payments.id} from ${payments} join refunds r on r.payment_id = ${payments.id}
    join provider_refunds pr on pr.refund_id = r.id and pr.provider = ${provider}
    join settlement_lines l on l.provider = pr.provider and l.kind = 'refund' and l.line_id = pr.provider_refund_id
    where ${payments.method} = 'online' and ${settled})`;
};

/**
 * Returns a page of the settlements with payments of the acting doctor, or of the place for a member who may see its takings, the newest first: of
 * the doctors that the member acts for. Empty without a provider. `transfers`: payments that went to the payout account are not in it.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function listOwnSettlements(ctx: Ctx<Actor>, { page, ...of }: Of & { page: number }) {
  const { settled, placeName } = await merchantOf(ctx, of);
  const offset = (page - 1) * PAGE;
  const rows = await settlementsOf(ctx, settled, { limit: PAGE, offset });
  const total = rows[0]?.total ?? (page > 1 ? ((await settlementsOf(ctx, settled, { limit: 1, offset: 0 }))[0]?.total ?? 0) : 0);
  return {
    placeName,
    rows: rows.map(({ total: _, ...row }) => row),
    total,
    hasMore: offset + rows.length < total,
    transfers: await hasTransfers(ctx, settled),
  };
}

/** True when the merchant has payments that went to its payout account. */
async function hasTransfers(ctx: Ctx, settled: SQL): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.method, "online"), settled, IS_TRANSFERRED))
    .limit(1);
  return rows.length > 0;
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
  const rows = await ctx.db.execute<Omit<OwnSettlement, "settledAt"> & { settledAt: string; total: number }>(sql`
    select own.settlement_id as id, max(own.settled_at) as "settledAt", max(own.bank_reference) as reference,
      count(*) filter (where own.kind = 'payment')::int as payments,
      coalesce(sum(own.amount) filter (where own.kind = 'payment'), 0)::float8 as received,
      count(*) filter (where own.kind = 'refund')::int as refunds,
      coalesce(sum(own.amount) filter (where own.kind = 'refund'), 0)::float8 as refunded,
      sum(own.fee)::float8 as fee, sum(own.tax)::float8 as tax, sum(own.credit - own.debit)::float8 as "paidOut",
      (select count(*) from settlement_lines a where a.provider = ${provider} and a.settlement_id = own.settlement_id) > count(*) as shared,
      count(*) over ()::int as total
    from ${ownLines(provider, settled)} own ${id === undefined ? sql`` : sql`where own.settlement_id = ${id}`}
    group by own.settlement_id order by 2 desc, 1 limit ${limit} offset ${offset}`);
  return rows.map((row) => ({ ...row, settledAt: new Date(row.settledAt) }));
}

async function linesOf(ctx: Ctx, settled: SQL, id: string): Promise<OwnLine[]> {
  const provider = ctx.integrations.payments!.name;
  const doctorName = inLanguage(doctors.fullName, doctors.translations, "name", language());
  type Row = Omit<OwnLine, "at" | "receipt"> & { at: string; financialYear: string; number: number };
  const rows = await ctx.db.execute<Row>(sql`
    select own.kind, own.line_id as "lineId", p.received_at as at, own.amount::float8 as amount, own.fee::float8 as fee,
      (own.credit - own.debit)::float8 as "paidOut", p.id as "paymentId", c.financial_year as "financialYear", c.number,
      a.patient_name as "patientName", ${doctorName} as "doctorName", a.date::text as date
    from ${ownLines(provider, settled)} own join payments p on p.id = own.own_payment_id join receipts c on c.payment_id = p.id
      join appointments a on a.id = p.appointment_id join ${doctors} on ${doctors.id} = p.doctor_id
    where own.settlement_id = ${id} order by own.kind, p.received_at, own.line_id limit ${MOST}`);
  return rows.map(({ at, financialYear, number, ...row }) => ({
    ...row,
    at: new Date(at),
    patientName: patientNameWord(row.patientName),
    receipt: receiptNumber({ financialYear, number }),
  }));
}
