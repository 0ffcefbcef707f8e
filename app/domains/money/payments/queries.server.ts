import { and, asc, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, hospitals, payments, providerRefunds, receipts, refunds } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { opened } from "#app/db/sealed.server.ts";
import { refundLine } from "#app/domains/booking/cancellation/refund-terms.server.ts";
import { IS_CONFIRMING } from "#app/domains/booking/payments/confirming.server.ts";
import { dueOf, paymentStatusOf, recordableOf } from "#app/domains/booking/payments/payment-status.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { MOVED_BY_CLINIC } from "#app/domains/visit-time.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import { formatRupeesExact, type Paise, paise } from "#app/lib/money.ts";
import { listFeeDocuments } from "../platform-fee/queries.server.ts";
import { amountInWords } from "../receipts/amount-in-words.server.ts";
import { receiptNumber } from "../receipts/receipt-number.ts";
import { refundStateOfClinic, refundStateWord } from "../refunds/refund-words.ts";
import { nextTry } from "../refunds/waits.ts";
import { type HandledFor, handledVisit } from "./handled-visit.server.ts";
import { type HandledMoney, type PaymentLine, patientSums, type Receipt, sumsOf } from "./payment-line.ts";

/** SQL: what the provider could not return of a payment. */
export const notReturned = (part: "amount" | "platform_fee") =>
  sql<Paise>`coalesce((select sum(r.${sql.raw(part)}) from ${refunds} r join ${providerRefunds} pr on pr.refund_id = r.id
    where r.payment_id = ${payments}.id and pr.state = 'failed'), 0)::float8`;

const line = {
  id: payments.id,
  method: payments.method,
  amount: payments.amount,
  refunded: payments.refunded,
  corrected: payments.corrected,
  platformFee: payments.platformFee,
  platformFeeRefunded: payments.platformFeeRefunded,
  state: payments.state,
  unseatable: payments.unseatable,
  at: payments.receivedAt,
  notReturned: notReturned("amount"),
  platformFeeNotReturned: notReturned("platform_fee"),
  financialYear: receipts.financialYear,
  number: receipts.number,
};
const asLine = <Row extends { financialYear: string; number: number }>({ financialYear, number, ...row }: Row) => ({
  ...row,
  receipt: receiptNumber({ financialYear, number }),
});

const linesWhere = async (ctx: Ctx, where: SQL | undefined): Promise<PaymentLine[]> =>
  (
    await ctx.db
      .select(line)
      .from(payments)
      .innerJoin(receipts, eq(receipts.paymentId, payments.id))
      .innerJoin(appointments, eq(appointments.id, payments.appointmentId))
      .where(where)
      .orderBy(asc(payments.receivedAt), asc(payments.id))
      .limit(100)
  ).map(asLine);

/** Returns the payments of an appointment of the acting patient, oldest first. */
export const listOwnVisitPayments = (ctx: Ctx<Actor>, appointmentId: string): Promise<PaymentLine[]> =>
  linesWhere(ctx, and(eq(payments.appointmentId, appointmentId), eq(appointments.patientId, ctx.actor.userId)));

/** Returns an appointment's money for the doctor or a member with `take-payment`. @throws DomainError("not-found" | "forbidden") */
export async function getHandledMoney(
  ctx: Ctx<Actor>,
  appointmentId: string | undefined,
  of: HandledFor,
  receivedBy?: string,
): Promise<HandledMoney> {
  const { visit } = await handledVisit(ctx, appointmentId, of, { receivedBy });
  const lines = await linesWhere(ctx, eq(payments.appointmentId, visit.id));
  const money = { ...visit, ...sumsOf(lines) };
  return {
    id: visit.id,
    patientName: patientNameWord(visit.patientName),
    date: visit.date,
    time: visit.time.slice(0, 5),
    cancelled: visit.status === "cancelled",
    fee: visit.fee,
    discount: visit.discount,
    due: dueOf(money),
    record: recordableOf(money),
    state: paymentStatusOf(money, visit.since && todayInIndia(visit.since)),
    payments: lines,
  };
}

/** Returns a payment that the actor may refund, with its appointment. @throws DomainError("not-found" | "forbidden") */
export async function getRefundable(ctx: Ctx<Actor>, paymentId: string | undefined, of: HandledFor) {
  if (!isUuid(paymentId)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({ visit: payments.appointmentId, receivedBy: payments.merchantId })
    .from(payments)
    .where(eq(payments.id, paymentId));
  const money = await getHandledMoney(ctx, row?.visit, of, row?.receivedBy);
  const payment = money.payments.find(({ id }) => id === paymentId)!;
  const [failed] =
    payment.notReturned > 0
      ? await ctx.db
          .select(FAILED)
          .from(providerRefunds)
          .innerJoin(refunds, eq(refunds.id, providerRefunds.refundId))
          .where(and(eq(refunds.paymentId, paymentId), eq(providerRefunds.state, "failed"), gt(refunds.amount, paise(0))))
          .orderBy(asc(refunds.refundedAt))
          .limit(1)
      : [];
  return { money, payment, failed: failed ? { ...failed, next: nextTry(failed) } : null };
}

/** A refund by the provider that failed. */
const FAILED = {
  id: refunds.id,
  amount: refunds.amount,
  reason: refunds.reason,
  at: providerRefunds.settledAt,
  attempt: providerRefunds.attempt,
  nextTryAt: providerRefunds.nextTryAt,
};

/** Payments on a page of the patient's list. */
const PAGE = 20;

/** Returns a page of the acting patient's payments, newest first. */
export async function listOwnPayments(ctx: Ctx<Actor>, page: number) {
  const rows = await ctx.db
    .select({
      ...line,
      doctorName: inLanguage(doctors.fullName, doctors.translations, "name", language()),
      date: appointments.date,
      patientName: appointments.patientName,
    })
    .from(payments)
    .innerJoin(receipts, eq(receipts.paymentId, payments.id))
    .innerJoin(appointments, eq(appointments.id, payments.appointmentId))
    .innerJoin(doctors, eq(doctors.id, payments.doctorId))
    .where(eq(appointments.patientId, ctx.actor.userId))
    .orderBy(desc(payments.receivedAt), desc(payments.id))
    .limit(PAGE + 1)
    .offset((page - 1) * PAGE);
  return { rows: rows.slice(0, PAGE).map((row) => ({ ...asLine(row), ...patientSums(row) })), hasMore: rows.length > PAGE };
}

/** Returns the appointments of the acting patient with a payment that the bank is confirming. */
export const listConfirming = (ctx: Ctx<Actor>) =>
  ctx.db
    .select({
      id: appointments.id,
      date: appointments.date,
      doctorName: inLanguage(doctors.fullName, doctors.translations, "name", language()),
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(and(eq(appointments.patientId, ctx.actor.userId), IS_CONFIRMING))
    .orderBy(asc(appointments.date), asc(appointments.time))
    .limit(20);

/** Whose receipt the actor reads: their own as the patient, or as the doctor or a member of a place. */
export type ReceiptReader = "patient" | HandledFor;

/** Returns the receipt of a payment with its refunds. @throws DomainError("not-found" | "forbidden") */
export async function getReceipt(ctx: Ctx<Actor>, paymentId: string | undefined, reader: ReceiptReader): Promise<Receipt> {
  if (!isUuid(paymentId)) throw new DomainError("not-found");
  const doctorName = inLanguage(doctors.fullName, doctors.translations, "name", language());
  const [found] = await ctx.db
    .select({
      ...line,
      appointmentId: payments.appointmentId,
      receivedBy: payments.merchantId,
      reference: opened(payments.reference),
      merchantName: receipts.merchantName,
      merchantInScript: sql<string | null>`case ${receipts.merchantName}
        when ${doctors.fullName} then ${doctorName} when ${hospitals.name} then ${inLanguage(hospitals.name, hospitals.translations, "name", language())} end`,
      merchantAddress: receipts.merchantAddress,
      doctorName,
      registeredDoctorName: doctors.fullName,
      patientName: appointments.patientName,
      date: appointments.date,
      fee: appointments.fee,
      discount: appointments.discount,
      visitReference: appointments.paymentReference,
      visit: {
        status: appointments.status,
        date: appointments.date,
        time: appointments.time,
        refundHours: appointments.refundHours,
        doctorDelisted: sql<boolean>`not ${listedDoctor(doctors)}`,
        movedByDoctor: MOVED_BY_CLINIC,
      },
    })
    .from(payments)
    .innerJoin(receipts, eq(receipts.paymentId, payments.id))
    .innerJoin(appointments, eq(appointments.id, payments.appointmentId))
    .innerJoin(doctors, eq(doctors.id, payments.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, payments.merchantId))
    .where(and(eq(payments.id, paymentId), reader === "patient" ? eq(appointments.patientId, ctx.actor.userId) : undefined));
  if (!found) throw new DomainError("not-found");
  const { receivedBy, visit, ...row } = found;
  if (reader !== "patient") await handledVisit(ctx, row.appointmentId, reader, { receivedBy });
  const isPatient = reader === "patient";
  const feeDocuments = isPatient && row.platformFee > 0 ? await listFeeDocuments(ctx, row.id) : null;
  const returned = await selectRefunds(ctx, paymentId);
  const stateWord = isPatient ? refundStateWord : refundStateOfClinic;
  return {
    ...asLine(row),
    patientName: patientNameWord(row.patientName),
    inWords: amountInWords(isPatient ? patientSums(row).paid : row.amount, language()),
    feeDocuments,
    refundLine: row.state === "refunded" ? null : refundLine({ ...visit, time: visit.time.slice(0, 5) }, ctx.now),
    refunds: (isPatient ? returned : ofClinic(returned)).map(({ settledAt, attempt, reference, state, ...one }) => ({
      ...one,
      state: state && stateWord({ ...one, state, attempt: attempt ?? 1, settledAt, reference }, formatRupeesExact),
    })),
  };
}

/** Selects the refunds of a payment, without those that were withdrawn. */
const selectRefunds = (ctx: Ctx, paymentId: string) =>
  ctx.db
    .select({
      id: refunds.id,
      method: refunds.method,
      amount: refunds.amount,
      platformFee: refunds.platformFee,
      reason: refunds.reason,
      at: refunds.refundedAt,
      state: providerRefunds.state,
      settledAt: providerRefunds.settledAt,
      attempt: providerRefunds.attempt,
      reference: providerRefunds.bankReference,
    })
    .from(refunds)
    .leftJoin(providerRefunds, eq(providerRefunds.refundId, refunds.id))
    .where(and(eq(refunds.paymentId, paymentId), sql`${providerRefunds.state} is distinct from 'withdrawn'`))
    .orderBy(asc(refunds.refundedAt));

/** Refunds without the platform fee, which the clinic did not return. */
const ofClinic = <Row extends { amount: Paise; platformFee: Paise }>(returned: readonly Row[]): Row[] =>
  returned.filter(({ amount }) => amount > 0).map((one) => ({ ...one, platformFee: paise(0) }));
