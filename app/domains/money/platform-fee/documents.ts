import { type Paise, plus } from "#app/lib/money.ts";
import type { TaxLine } from "#app/lib/platform-fee.ts";
import type { PlatformFeeDocumentKind } from "#app/lib/vocabulary.ts";

/** An invoice or a credit note of the platform fee. */
export type FeeDocument = {
  id: string;
  kind: PlatformFeeDocumentKind;
  number: string;
  /** With tax. */
  amount: Paise;
  taxable: Paise;
  tax: TaxLine[];
  invoicer: string;
  gstin: string | null;
  issuedAt: Date;
};

/** The platform fees of a month. Sums are invoices less credit notes; `tax` has a sum for each tax column of the year. */
export type FeeMonth = { month: string; invoices: number; creditNotes: number; taxable: Paise; tax: Paise[]; amount: Paise };

/** A document in the CSV file of a month. `of`: the invoice that a credit note takes back. */
export type ExportedDocument = FeeDocument & { of: string | null; providerPaymentId: string };

/** Tells two tax lines of a month apart: a rate may change. */
export const taxKey = ({ name, percent }: Pick<TaxLine, "name" | "percent">): string => `${name} ${percent}`;

/** Returns the tax columns of documents, sorted by name and percent. */
export const taxColumns = (documents: readonly { tax: readonly TaxLine[] }[]): string[] =>
  [...new Set(documents.flatMap(({ tax }) => tax.map(taxKey)))].sort();

/** Adds up the months of a year. `columns`: the number of its tax columns. */
export function totalOf(months: readonly FeeMonth[], columns: number): Omit<FeeMonth, "month"> {
  const sum = (amountOf: (one: FeeMonth) => Paise) => plus(...months.map(amountOf));
  const count = (numberOf: (one: FeeMonth) => number) => months.reduce((all, one) => all + numberOf(one), 0);
  return {
    invoices: count((one) => one.invoices),
    creditNotes: count((one) => one.creditNotes),
    taxable: sum((one) => one.taxable),
    tax: Array.from({ length: columns }, (_, n) => sum((one) => one.tax[n]!)),
    amount: sum((one) => one.amount),
  };
}
