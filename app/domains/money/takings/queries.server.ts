import { and, asc, eq, gte, inArray, lt, or, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, ledgerEntries, payments, receipts } from "#app/db/schema/index.ts";
import { dueOf, paymentStatusOf, recordableOf } from "#app/domains/booking/payments/payment-status.ts";
import { IS_FAILED, METHODS_OF_VISIT, RECORDED_SINCE, VISIT_SUMS } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { addDays, type DateKey, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { language } from "#app/lib/language.ts";
import { minus, paise, plus } from "#app/lib/money.ts";
import { RECEIVED_BY, type ReceivedBy } from "#app/lib/vocabulary.ts";
import { receiptNumber } from "../receipts/receipt-number.ts";
import { type Takings, type TakingsVisit, totalsOf } from "./takings.ts";
import { type MoneyOf, ownMoney, placeMoney } from "./whose-money.server.ts";

/** Bounds the memory of a day. The sums and the CSV are complete below it: no place receives so many payments in a day. */
const MOST = 20_000;

/** Returns the money and the appointments of a day of the acting doctor. */
export const getOwnTakings = (ctx: Ctx<Actor>, day: DateKey): Promise<Takings> => takingsOf(ctx, day, ownMoney(ctx));

/**
 * Returns the money and the appointments of a day of a place, for a member with `take-payment`: of the doctors that the member acts for. `sums`: the
 * member may see the takings. Without it there are no sums and no money of the day.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function getPlaceTakings(
  ctx: Ctx<Actor>,
  hospitalId: string | undefined,
  day: DateKey,
): Promise<{ placeName: string; sums: boolean; takings: Takings }> {
  const { placeName, sums, ...of } = await placeMoney(ctx, hospitalId);
  const takings = await takingsOf(ctx, day, of);
  return { placeName, sums, takings: sums ? takings : { ...takings, stillDue: paise(0) } };
}

async function takingsOf(ctx: Ctx, day: DateKey, of: MoneyOf): Promise<Takings> {
  const [entries, rows] = await Promise.all([selectMoves(ctx, day, of), selectVisits(ctx, day, of)]);
  const moves = entries.map(({ financialYear, number, ...move }) => ({
    ...move,
    patientName: patientNameWord(move.patientName),
    receipt: receiptNumber({ financialYear, number }),
  }));
  let stillDue = paise(0);
  const visits = rows.map((row): TakingsVisit => {
    const state = paymentStatusOf(row, row.since && todayInIndia(row.since));
    const due = dueOf(row);
    if (state === "not-paid" || state === "part-paid") stillDue = plus(stillDue, due ?? paise(0));
    return {
      id: row.id,
      time: row.time.slice(0, 5),
      patientName: patientNameWord(row.patientName),
      doctorName: row.doctorName,
      amount: row.fee === null ? null : minus(row.fee, row.discount),
      methods: row.methods,
      state,
      record: recordableOf(row),
    };
  });
  return { day, totals: totalsOf(moves), stillDue, moves, visits };
}

const doctorName = () => inLanguage(doctors.fullName, doctors.translations, "name", language());

const selectMoves = (ctx: Ctx, day: DateKey, of: MoneyOf) =>
  ctx.db
    .select({
      id: ledgerEntries.id,
      at: ledgerEntries.at,
      method: sql<ReceivedBy>`${ledgerEntries.account}`,
      amount: ledgerEntries.amount,
      isWithdrawn: sql<boolean>`${ledgerEntries.refundId} is not null and ${ledgerEntries.amount} > 0`,
      isFailed: IS_FAILED,
      paymentId: payments.id,
      financialYear: receipts.financialYear,
      number: receipts.number,
      patientName: appointments.patientName,
      doctorName: doctorName(),
      date: appointments.date,
    })
    .from(ledgerEntries)
    .innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))
    .innerJoin(receipts, eq(receipts.paymentId, payments.id))
    .innerJoin(appointments, eq(appointments.id, payments.appointmentId))
    .innerJoin(doctors, eq(doctors.id, payments.doctorId))
    .where(
      and(
        of.moves,
        inArray(ledgerEntries.account, [...RECEIVED_BY]),
        gte(ledgerEntries.at, instantInIndia(day, "00:00")),
        lt(ledgerEntries.at, instantInIndia(addDays(day, 1), "00:00")),
      ),
    )
    .orderBy(asc(ledgerEntries.id))
    .limit(MOST);

const selectVisits = (ctx: Ctx, day: DateKey, of: MoneyOf) =>
  ctx.db
    .select({
      id: appointments.id,
      time: appointments.time,
      patientName: appointments.patientName,
      doctorName: doctorName(),
      status: appointments.status,
      date: appointments.date,
      fee: appointments.fee,
      discount: appointments.discount,
      refundOwed: appointments.refundOwed,
      since: RECORDED_SINCE,
      methods: METHODS_OF_VISIT,
      ...VISIT_SUMS,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(
      and(
        of.visits,
        eq(appointments.date, day),
        or(
          inArray(appointments.status, ["pending", "accepted", "completed"]),
          sql`exists (select from payments p where p.appointment_id = appointments.id)`,
          VISIT_SUMS.confirming,
        ),
      ),
    )
    .orderBy(asc(appointments.time), asc(appointments.id))
    .limit(MOST);
