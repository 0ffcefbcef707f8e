import { csvFile } from "#app/lib/csv.ts";
import { secondInIndia } from "#app/lib/dates.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import type { ReconciledOrder } from "./reconciliation.ts";
import { mismatchWord } from "./words.ts";

/** Returns orders as CSV, one row each. */
export const ordersCsv = (orders: readonly ReconciledOrder[]): string =>
  csvFile(
    [
      m.recon_csv_opened(),
      m.admin_pay_id(),
      m.admin_pay_provider_id(),
      m.recon_col_state(),
      m.recon_csv_amount(),
      m.recon_csv_platform_fee(),
      m.recon_col_messages(),
      m.recon_csv_captured(),
      m.recon_csv_refunded(),
      m.recon_csv_ledger(),
      m.recon_col_mismatches(),
    ],
    orders.map((one) => [
      secondInIndia(one.createdAt),
      one.id,
      one.providerOrderId ?? "",
      one.confirming ? "confirming" : one.state,
      rupeesPlain(one.amount),
      rupeesPlain(one.platformFee),
      one.messages,
      rupeesPlain(one.captured),
      rupeesPlain(one.refunded),
      rupeesPlain(one.ledger),
      one.mismatches.map(({ kind, amount }) => mismatchWord(kind, rupeesPlain(amount))).join(" "),
    ]),
  );
