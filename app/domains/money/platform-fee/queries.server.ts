import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { payments, platformFeeDocuments } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { addDays, addMonths, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import type { Paise } from "#app/lib/money.ts";
import { documentNumber } from "./document-number.ts";
import type { ExportedDocument, FeeDocument, FeeMonth } from "./documents.ts";

/** Bounds a CSV file of a month. */
const MOST = 100_000;

const DOCUMENT = {
  id: platformFeeDocuments.id,
  kind: platformFeeDocuments.kind,
  financialYear: platformFeeDocuments.financialYear,
  number: platformFeeDocuments.number,
  amount: platformFeeDocuments.amount,
  taxable: platformFeeDocuments.taxable,
  tax: platformFeeDocuments.tax,
  invoicer: platformFeeDocuments.invoicer,
  gstin: platformFeeDocuments.gstin,
  issuedAt: platformFeeDocuments.issuedAt,
};

/** Returns invoice and credit notes of a payment's platform fee, oldest first. The caller decides who may read them. */
export async function listFeeDocuments(ctx: Ctx, paymentId: string): Promise<FeeDocument[]> {
  const rows = await ctx.db
    .select(DOCUMENT)
    .from(platformFeeDocuments)
    .where(eq(platformFeeDocuments.paymentId, paymentId))
    .orderBy(asc(platformFeeDocuments.issuedAt), asc(platformFeeDocuments.financialYear), asc(platformFeeDocuments.number))
    .limit(20);
  return rows.map(({ financialYear, number, ...one }) => ({ ...one, number: documentNumber({ ...one, financialYear, number }) }));
}

/** True where administrators have platform fees to see: one is charged, or documents of earlier ones exist. */
export async function hasPlatformFees(ctx: Ctx): Promise<boolean> {
  if (!ctx.integrations.payments) return false;
  if (ctx.integrations.payments.platformFee) return true;
  return (await ctx.db.select({ id: platformFeeDocuments.id }).from(platformFeeDocuments).limit(1)).length > 0;
}

/** SQL: an amount of a document, negative for a credit note. */
const signed = (amount: SQL) => sql`case d.kind when 'invoice' then ${amount} else -${amount} end`;
const MONTH = sql`to_char(d.issued_at at time zone 'Asia/Kolkata', 'YYYY-MM')`;

/**
 * Returns the months of a financial year ("2026-27") that have documents, oldest first, and the tax columns of the year ("CGST 9").
 * @throws DomainError("forbidden")
 */
export async function getFeeYear(ctx: Ctx<Actor>, financialYear: string): Promise<{ months: FeeMonth[]; columns: string[] }> {
  requireAdmin(ctx);
  const [months, lines] = await Promise.all([
    ctx.db.execute<Omit<FeeMonth, "tax">>(sql`
      select ${MONTH} as month, count(*) filter (where d.kind = 'invoice')::int as invoices,
        count(*) filter (where d.kind = 'credit-note')::int as "creditNotes",
        sum(${signed(sql`d.taxable`)})::float8 as taxable, sum(${signed(sql`d.amount`)})::float8 as amount
      from platform_fee_documents d where d.financial_year = ${financialYear} group by 1 order by 1`),
    ctx.db.execute<{ month: string; column: string; amount: Paise }>(sql`
      select ${MONTH} as month, t.name || ' ' || t.percent as column, sum(${signed(sql`t.amount`)})::float8 as amount
      from platform_fee_documents d cross join lateral jsonb_to_recordset(d.tax) as t(name text, percent float8, amount bigint)
      where d.financial_year = ${financialYear} group by 1, 2`),
  ]);
  const columns = [...new Set(lines.map(({ column }) => column))].sort();
  const sums = new Map(lines.map(({ month, column, amount }) => [`${month} ${column}`, amount]));
  return {
    months: months.map((one) => ({ ...one, tax: columns.map((column) => sums.get(`${one.month} ${column}`) ?? (0 as Paise)) })),
    columns,
  };
}

/**
 * Returns the documents of a month ("2026-11") for a CSV file, in the sequence of their numbers. Writes an audit row about the export.
 * @throws DomainError("forbidden")
 */
export async function exportFeeDocuments(ctx: Ctx<Actor>, month: string): Promise<ExportedDocument[]> {
  requireAdmin(ctx);
  const [first, after] = [`${month}-01`, addMonths(`${month}-01`, 1)];
  const [from, to] = [first, after].map((day) => instantInIndia(day!, "00:00").toISOString());
  const rows = await ctx.db
    .select({
      ...DOCUMENT,
      providerPaymentId: payments.providerPaymentId,
      of: sql<{ financialYear: string; number: number } | null>`case ${platformFeeDocuments.kind} when 'credit-note' then (
        select json_build_object('financialYear', i.financial_year, 'number', i.number) from platform_fee_documents i
        where i.payment_id = ${platformFeeDocuments.paymentId} and i.kind = 'invoice' and i.issued_at <= ${platformFeeDocuments.issuedAt}
        order by i.issued_at desc, i.number desc limit 1) end`,
    })
    .from(platformFeeDocuments)
    .innerJoin(payments, eq(payments.id, platformFeeDocuments.paymentId))
    .where(and(sql`${platformFeeDocuments.issuedAt} >= ${from}::timestamptz`, sql`${platformFeeDocuments.issuedAt} < ${to}::timestamptz`))
    .orderBy(sql`${platformFeeDocuments.kind} desc`, asc(platformFeeDocuments.financialYear), asc(platformFeeDocuments.number))
    .limit(MOST);
  await recordRead(ctx, {
    action: "export-platform-fees",
    subjectType: "user",
    subjectId: ctx.actor.userId,
    details: { rows: rows.length, from: first, to: addDays(todayInIndia(instantInIndia(after, "00:00")), -1) },
  });
  return rows.map(({ financialYear, number, of, providerPaymentId, ...one }) => ({
    ...one,
    number: documentNumber({ ...one, financialYear, number }),
    of: of && documentNumber({ kind: "invoice", ...of }),
    providerPaymentId: providerPaymentId ?? "",
  }));
}
