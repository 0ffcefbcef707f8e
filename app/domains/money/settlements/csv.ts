import { csvFile } from "#app/lib/csv.ts";
import { secondInIndia } from "#app/lib/dates.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { type CheckedLine, type OwnLine, type OwnSettlement, takenBackOf } from "./settlements.ts";
import { lineKindWord, settlementMismatchWord } from "./words.ts";

const accountWord = ({ isAccount }: { isAccount: boolean }) => (isAccount ? m.settle_account_short() : m.settle_account_ours());

/** Returns settlements as CSV, one row each. */
export const settlementsCsv = (settlements: readonly OwnSettlement[]): string =>
  csvFile(
    [
      m.settle_csv_at(),
      m.settle_reference(),
      m.settle_id(),
      m.settle_account_csv(),
      m.settle_payments(),
      m.settle_csv_received(),
      m.settle_refunds(),
      m.settle_csv_refunded(),
      m.settle_csv_fee(),
      m.settle_csv_tax(),
      m.settle_csv_paid_out(),
    ],
    settlements.map((one) => [
      secondInIndia(one.settledAt),
      one.reference,
      one.id,
      accountWord(one),
      one.payments,
      rupeesPlain(one.received),
      one.refunds ?? "",
      rupeesPlain(one.refunded),
      rupeesPlain(one.fee),
      rupeesPlain(one.tax),
      rupeesPlain(one.paidOut),
    ]),
  );

/** Returns the lines of a settlement as CSV, one row for each payment and refund, and one for what refunds took from a payout account. */
export function settlementLinesCsv({ settlement, lines }: { settlement: OwnSettlement; lines: readonly OwnLine[] }): string {
  const { reference } = settlement;
  const takenBack = takenBackOf(settlement);
  const amountsOf = ({ amount, fee, paidOut }: Pick<OwnLine, "amount" | "fee" | "paidOut">) => [amount, fee, paidOut].map(rupeesPlain);
  return csvFile(
    [
      m.settle_reference(),
      m.settle_kind(),
      m.settle_line_id(),
      m.money_receipt(),
      m.appointments_patient(),
      m.appointments_doctor(),
      m.money_csv_appointment(),
      m.settle_csv_amount(),
      m.settle_csv_fee(),
      m.settle_csv_paid_out(),
    ],
    [
      ...lines.map((one) => [
        reference,
        lineKindWord(one.kind),
        one.lineId,
        one.receipt,
        one.patientName,
        one.doctorName,
        one.date,
        ...amountsOf(one),
      ]),
      ...(takenBack ? [[reference, lineKindWord("taken-back"), settlement.id, "", "", "", "", ...amountsOf(takenBack)]] : []),
    ],
  );
}

/** Returns lines of the settlement report as CSV for administrators. */
export const checkedLinesCsv = (lines: readonly CheckedLine[]): string =>
  csvFile(
    [
      m.settle_csv_at(),
      m.settle_reference(),
      m.settle_id(),
      m.settle_account_csv(),
      m.settle_kind(),
      m.settle_line_id(),
      m.admin_pay_id(),
      m.settle_csv_amount(),
      m.settle_csv_fee(),
      m.settle_csv_tax(),
      m.settle_csv_paid_out(),
      m.recon_col_mismatches(),
    ],
    lines.map((one) => [
      secondInIndia(one.settledAt),
      one.reference,
      one.settlementId,
      accountWord(one),
      lineKindWord(one.kind),
      one.lineId,
      one.orderId ?? "",
      rupeesPlain(one.amount),
      rupeesPlain(one.fee),
      rupeesPlain(one.tax),
      rupeesPlain(one.paidOut),
      one.mismatch ? settlementMismatchWord(one.mismatch) : "",
    ]),
  );
