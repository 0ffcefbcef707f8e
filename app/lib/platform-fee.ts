import { type Paise, plus } from "./money.ts";

/** A GST line: { name: "CGST", percent: 9 }. `percent`: at most two decimals. */
export type TaxRate = { name: string; percent: number };
/** A GST line with its amount. */
export type TaxLine = TaxRate & { amount: Paise };

/** Who invoices the platform fee, and with which GST. */
export type InvoiceTerms = {
  /** Empty: no GST. */
  tax: readonly TaxRate[];
  /** Name and address in one line. */
  invoicer: string;
  gstin: string | null;
};

/** What a patient pays to Nadi for an appointment that is paid online (app/domains/money/platform-fee). `amount`: with tax. */
export type PlatformFee = InvoiceTerms & { amount: Paise };

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
