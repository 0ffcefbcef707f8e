import { csvFile } from "#app/lib/csv.ts";
import { secondInIndia } from "#app/lib/dates.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { receivedByWord } from "../payments/words.ts";
import type { MoneyMonth, Move } from "./takings.ts";

/** Returns the money of a day as CSV, one row for each payment and refund. */
export const takingsCsv = (moves: readonly Move[]): string =>
  csvFile(
    [
      m.money_csv_at(),
      m.money_receipt(),
      m.appointments_patient(),
      m.appointments_doctor(),
      m.money_csv_appointment(),
      m.money_method(),
      m.money_csv_received(),
      m.money_csv_refunded(),
      m.money_csv_not_returned(),
    ],
    moves.map((one) => [
      secondInIndia(new Date(one.at)),
      one.receipt,
      one.patientName,
      one.doctorName,
      one.date,
      receivedByWord(one.method),
      one.amount > 0 && !one.isWithdrawn ? rupeesPlain(one.amount) : "",
      (one.amount < 0 || one.isWithdrawn) && !one.isFailed ? rupeesPlain(-one.amount) : "",
      one.isFailed ? rupeesPlain(-one.amount) : "",
    ]),
  );

/** Returns months as CSV, one row each. */
export const moneyMonthsCsv = (months: readonly MoneyMonth[]): string =>
  csvFile(
    [m.statistics_month(), m.money_csv_received(), m.money_csv_refunded(), m.money_csv_owed(), m.money_csv_not_returned()],
    months.map(({ month, received, refunded, notReturned, owed }) => [month, ...[received, refunded, owed, notReturned].map(rupeesPlain)]),
  );
