import { csvFile } from "#app/lib/csv.ts";
import { secondInIndia } from "#app/lib/dates.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { type ExportedDocument, taxColumns, taxKey } from "./documents.ts";
import { documentWord } from "./words.ts";

/** Returns invoices and credit notes as CSV, one row each. Amounts of credit notes are negative, so that columns can be added up. */
export function feeDocumentsCsv(documents: readonly ExportedDocument[]): string {
  const columns = taxColumns(documents);
  return csvFile(
    [
      m.platform_issued_on(),
      m.platform_csv_kind(),
      m.platform_csv_number(),
      m.platform_of_invoice(),
      m.settle_line_id(),
      m.platform_csv_rupees({ column: m.platform_taxable() }),
      ...columns.map((column) => m.platform_csv_rupees({ column: `${column}%` })),
      m.platform_csv_total(),
      m.platform_issued_by(),
      m.platform_gstin(),
    ],
    documents.map((one) => {
      const sign = one.kind === "invoice" ? 1 : -1;
      const taxOf = new Map(one.tax.map((line) => [taxKey(line), line.amount]));
      return [
        secondInIndia(one.issuedAt),
        documentWord(one.kind),
        one.number,
        one.of ?? "",
        one.providerPaymentId,
        rupeesPlain(sign * one.taxable),
        ...columns.map((column) => rupeesPlain(sign * (taxOf.get(column) ?? 0))),
        rupeesPlain(sign * one.amount),
        one.invoicer,
        one.gstin ?? "",
      ];
    }),
  );
}
