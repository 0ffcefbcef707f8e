import type { PaymentStatus, recordableOf } from "#app/domains/booking/payments/payment-status.ts";
import { addToMonth, type DateKey, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { minus, type Paise, paise, plus } from "#app/lib/money.ts";
import type { ReceivedBy } from "#app/lib/vocabulary.ts";

/** Money that came in or went out. `amount`: negative for a refund. `isWithdrawn`: a refund that returned nothing, and is booked back. */
export type Move = {
  id: number;
  at: Date;
  method: ReceivedBy;
  amount: Paise;
  isWithdrawn?: boolean;
  /** A refund that the provider could not make: the patient does not have it. */
  isFailed?: boolean;
  receipt: string;
  paymentId: string;
  patientName: string;
  doctorName: string;
  date: string;
};
export type Sum = { amount: Paise; payments: number; refunds: number };
/** The takings of a day: received less refunded, together and by method. `notReturned`: refunds of the day that failed, which no sum takes off. */
export type Totals = { all: Paise; notReturned: Paise } & Record<ReceivedBy, Sum>;

/** An appointment of the day with the state of its payment. */
export type TakingsVisit = {
  id: string;
  time: string;
  patientName: string;
  doctorName: string;
  /** What the patient pays: fee less discount; null where no fee is known. */
  amount: Paise | null;
  methods: ReceivedBy[];
  state: PaymentStatus;
  record: ReturnType<typeof recordableOf>;
};
/** Money and appointments of a day. */
export type Takings = { day: DateKey; totals: Totals; stillDue: Paise; moves: Move[]; visits: TakingsVisit[] };

/** Adds up the money of a day by method. */
export function totalsOf(moves: readonly Pick<Move, "method" | "amount" | "isWithdrawn" | "isFailed">[]): Totals {
  const none = (): Sum => ({ amount: paise(0), payments: 0, refunds: 0 });
  const totals: Totals = { all: paise(0), notReturned: paise(0), cash: none(), upi: none(), online: none() };
  for (const { method, amount, isWithdrawn, isFailed } of moves) {
    if (isFailed) {
      totals.notReturned = minus(totals.notReturned, amount);
      continue;
    }
    totals.all = plus(totals.all, amount);
    totals[method].amount = plus(totals[method].amount, amount);
    if (isWithdrawn) totals[method].refunds--;
    else totals[method][amount > 0 ? "payments" : "refunds"]++;
  }
  return totals;
}

/** Money of a month ("2026-11"): received and refunded in it, refunds of it that failed, and still owed for its completed appointments (docs/figures.md). */
export type MoneyMonth = { month: string; received: Paise; refunded: Paise; notReturned: Paise; owed: Paise };

export const MONTH_RANGES = ["6m", "12m", "year", "all"] as const;
export type MonthRange = (typeof MONTH_RANGES)[number];

/** Returns the months of a range, which ends with the month of `now`. */
export function monthsOfRange(months: readonly MoneyMonth[], range: MonthRange, now: Date): MoneyMonth[] {
  const last = monthOf(todayInIndia(now));
  const first = { "6m": addToMonth(last, -5), "12m": addToMonth(last, -11), year: `${last.slice(0, 4)}-01`, all: "" }[range];
  return months.filter(({ month }) => month >= first);
}

/** Adds up months. */
export const totalOfMonths = (months: readonly MoneyMonth[]): Omit<MoneyMonth, "month"> => ({
  received: plus(...months.map(({ received }) => received)),
  refunded: plus(...months.map(({ refunded }) => refunded)),
  notReturned: plus(...months.map(({ notReturned }) => notReturned)),
  owed: plus(...months.map(({ owed }) => owed)),
});

/** What a doctor's ledger says beside the earnings (docs/figures.md). */
export type MoneyFigures = {
  /** The day of the first recorded payment: appointments before it are not recorded. */
  since: DateKey;
  received: Paise;
  refunded: Paise;
  /** Refunds that failed: the patients do not have them. */
  notReturned: Paise;
  monthReceived: Paise;
  monthRefunded: Paise;
  /** What patients still have to pay for completed appointments from `since` on. */
  owed: Paise;
};

/** Returns the figures of all time and of the month of `now`. */
export function moneyFigures(since: DateKey, months: readonly MoneyMonth[], now: Date): MoneyFigures {
  const month = monthOf(todayInIndia(now));
  const current = totalOfMonths(months.filter((one) => one.month === month));
  return { since, ...totalOfMonths(months), monthReceived: current.received, monthRefunded: current.refunded };
}
