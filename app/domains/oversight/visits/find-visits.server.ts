import { asc, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { containsText } from "#app/db/contains-text.server.ts";
import { appointments, doctors, hospitals, users } from "#app/db/schema/index.ts";
import { missed } from "#app/domains/booking/appointments/rows.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordReads } from "#app/domains/platform/audit/record.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { normalisePhone } from "#app/lib/phone.ts";

const PAGE = 20;
/** Fewer characters would list half of a directory. */
const SHORTEST_SEARCH = 3;
/** A reference of an appointment with any spacing: "nd edj3 nwc9", "NDEDJ3NWC9". */
const REFERENCE = /^ND([2-9A-Z]{4})([2-9A-Z]{4})$/;
/** "2026-27/000418", and F or C before it for a document of the platform fee. */
const DOCUMENT = /^([FC]?)(\d{4}-\d{2})\/(\d{1,7})$/;
/** An id of the provider. */
const PROVIDER_ID = /^(order|pay|rfnd|setl)_[A-Z0-9_-]{2,60}$/i;
/** A word with digits: no name has one. */
const CODE = /^(?=.*\d)[A-Z0-9-]{6,35}$/;

/** SQL: the appointments of payments, with their refunds and orders. */
const ofPayments = (where: SQL) => sql`${appointments.id} in (select p.appointment_id from payments p where ${where})`;
const ofRefunds = (where: SQL) =>
  ofPayments(sql`p.id in (select r.payment_id from refunds r join provider_refunds pr on pr.refund_id = r.id where ${where})`);
/** SQL: the appointments whose payments are in a settlement of the provider. */
const ofSettlements = (where: SQL) =>
  ofPayments(sql`p.provider_payment_id in (select coalesce(l.payment_id, l.line_id) from settlement_lines l where ${where})`);
/** SQL: the appointments with a payment, refund or settlement that has this reference of a bank. `code`: in capitals. */
const ofBank = (code: string) =>
  or(
    ofPayments(sql`upper(p.bank_reference) = ${code}`),
    ofRefunds(sql`upper(pr.bank_reference) = ${code}`),
    ofSettlements(sql`upper(l.bank_reference) = ${code}`),
  );

/**
 * Searches a reference of an appointment, the number of a receipt or invoice, an id of the provider, the bank's reference of a payment or refund (RRN) or of a
 * settlement (UTR), the phone of an account, otherwise the name of a doctor. References that staff typed are sealed: they are not searched.
 */
function searched(text: string): SQL {
  const phone = normalisePhone(text);
  const code = text.replace(/\s/g, "").toUpperCase();
  // Twelve digits of a bank can look like a phone with its prefix.
  if (phone) return or(eq(users.phone, phone), ofBank(code))!;
  const [, first, second] = REFERENCE.exec(code.replaceAll("-", "")) ?? [];
  if (first) return eq(appointments.paymentReference, `ND-${first}-${second}`);
  const [, series, year, number] = DOCUMENT.exec(code) ?? [];
  if (year)
    return ofPayments(
      series
        ? sql`p.id in (select d.payment_id from platform_fee_documents d where d.financial_year = ${year} and d.number = ${Number(number)}
            and d.kind = ${series === "F" ? "invoice" : "credit-note"})`
        : sql`p.id in (select c.payment_id from receipts c where c.financial_year = ${year} and c.number = ${Number(number)})`,
    );
  const id = text.trim();
  switch (PROVIDER_ID.exec(id)?.[1]?.toLowerCase()) {
    case "order":
      return sql`${appointments.id} in (select o.appointment_id from payment_orders o where o.provider_order_id = ${id})`;
    case "pay":
      return ofPayments(sql`p.provider_payment_id = ${id}`);
    case "rfnd":
      return ofRefunds(sql`pr.provider_refund_id = ${id}`);
    case "setl":
      return ofSettlements(sql`l.settlement_id = ${id}`);
  }
  if (!CODE.test(code)) return containsText(doctors.fullName, text);
  return or(eq(appointments.paymentReference, code), ofBank(code))!;
}

/**
 * Returns a page of the appointments that an administrator searches, newest first; none for a short text. Writes an audit row for
 * each patient whose appointment it shows.
 * @throws DomainError("forbidden")
 */
export async function findVisits(ctx: Ctx<Actor>, { search, page }: { search: string; page: number }) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (search.length < SHORTEST_SEARCH) return { rows: [], total: 0, hasMore: false };
  const rows = await ctx.db
    .select({
      id: appointments.id,
      date: appointments.date,
      time: appointments.time,
      token: appointments.token,
      status: appointments.status,
      missed,
      reference: appointments.paymentReference,
      patientId: appointments.patientId,
      patientName: appointments.patientName,
      doctorId: doctors.id,
      doctorName: doctors.fullName,
      hospitalName: hospitals.name,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(users, eq(users.id, appointments.patientId))
    .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
    .where(searched(search))
    .orderBy(desc(appointments.date), desc(appointments.time), asc(appointments.id))
    .limit(PAGE + 1)
    .offset((page - 1) * PAGE);
  const shown = rows.slice(0, PAGE);
  await recordReads(
    ctx,
    shown.map(({ id, patientId, doctorId }) => ({
      action: "find-visit",
      subjectType: "appointment",
      subjectId: id,
      personId: patientId,
      details: { doctorId },
    })),
  );
  return {
    rows: shown.map(({ total: _, ...row }) => ({
      ...row,
      time: row.time.slice(0, 5),
      patientName: patientNameWord(row.patientName),
    })),
    total: rows[0]?.total ?? 0,
    hasMore: rows.length > PAGE,
  };
}
