import { minus, type Paise, paise, plus } from "./money.ts";

/** A named part of GST: { name: "CGST", percent: 9 }. */
export type TaxRate = { name: string; percent: number };
/** A part of GST in an amount. */
export type TaxLine = TaxRate & { amount: Paise };

/** What a patient pays to Nadi for an appointment that is paid online (docs/decisions/104). */
export type PlatformFee = {
  /** With tax. */
  amount: Paise;
  /** Empty: no GST. */
  tax: readonly TaxRate[];
  /** Name and address of who invoices it, in one line. */
  invoicer: string;
  gstin: string | null;
};

/** Returns what the provider collects for an order or a payment, or returns with a refund: the clinic's part and the platform fee. */
export const withPlatformFee = ({ amount, platformFee }: { amount: Paise; platformFee: Paise }): Paise => plus(amount, platformFee);

/** Converts "CGST 9, SGST 9" to rates. Returns null for other text, for more than two decimals, and for a name twice. */
export function parseTaxRates(text: string): TaxRate[] | null {
  const rates: TaxRate[] = [];
  for (const part of text.split(",")) {
    const [, name, percent] = /^([A-Za-z]{2,12})\s+(\d{1,2}(?:\.\d{1,2})?)$/.exec(part.trim()) ?? [];
    if (!name || !percent || Number(percent) === 0 || rates.some((rate) => rate.name === name)) return null;
    rates.push({ name, percent: Number(percent) });
  }
  return rates;
}

/** Splits an amount with tax into its value without and the tax lines. The value is rounded half up, and all parts sum to the amount exactly. */
export function splitTax(amount: Paise, rates: readonly TaxRate[]): { taxable: Paise; lines: TaxLine[] } {
  // Hundredths of a percent are whole numbers, so that nothing is lost before the one rounding.
  const parts = rates.map(({ percent }) => Math.round(percent * 100));
  const all = parts.reduce((sum, part) => sum + part, 0);
  const taxable = paise(Math.floor((amount * 20_000 + 10_000 + all) / (2 * (10_000 + all))));
  const tax = minus(amount, taxable);
  let before = 0;
  let shared = paise(0);
  const lines = rates.map((rate, n): TaxLine => {
    before += parts[n]!;
    const upTo = paise(Math.round((tax * before) / all));
    const line = { ...rate, amount: minus(upTo, shared) };
    shared = upTo;
    return line;
  });
  return { taxable, lines };
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** True for a GSTIN: state code, PAN, number of the registration, Z and the right check digit. */
export function isGstin(text: string): boolean {
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/.test(text)) return false;
  const sum = [...text.slice(0, 14)].reduce((total, character, n) => {
    const product = DIGITS.indexOf(character) * (n % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return text.at(-1) === DIGITS[(36 - (sum % 36)) % 36];
}
