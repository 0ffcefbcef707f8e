import { grouped } from "./numbers.ts";

declare const unit: unique symbol;
/** An amount in whole paise. Pages show rupees. A plain number is none: `paise` makes one, and its sums and differences go through `plus` and `minus`. */
export type Paise = number & { readonly [unit]: "paise" };

/** Returns a whole number as an amount. @throws RangeError for fractions of a paisa, NaN and numbers that lose digits */
export function paise(amount: number): Paise {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not whole paise: ${amount}`);
  return amount as Paise;
}
/** Adds up amounts. */
export const plus = (...amounts: readonly Paise[]): Paise => paise(amounts.reduce<number>((sum, amount) => sum + amount, 0));
/** Returns the difference of two amounts; negative when more is taken away than there is. */
export const minus = (amount: Paise, less: Paise): Paise => paise(amount - less);

/** "₹500", "₹12,34,567.50" or "−₹200" (Indian grouping, paise only when not zero, a minus sign and not a hyphen). */
export function formatRupees(amount: number): string {
  const whole = Math.abs(Math.round(amount));
  const fraction = whole % 100 === 0 ? "" : `.${String(whole % 100).padStart(2, "0")}`;
  return `${amount < 0 ? "−" : ""}₹${grouped(Math.floor(whole / 100))}${fraction}`;
}
/** "₹500.00", for receipts and invoices: all amounts have two decimals. */
export const formatRupeesExact = (amount: number): string => `${formatRupees(amount)}${amount % 100 === 0 ? ".00" : ""}`;
/** "499.00", the amount format of UPI links. */
export const rupeesPlain = (paise: number) => (paise / 100).toFixed(2);
/** Converts rupees to paise without floating-point errors: 499.5 → 49950. */
export const fromRupees = (rupees: number): Paise => paise(Math.round(rupees * 100));
/** Rupees as typed: digits, or groups as written in India ("1,000", "12,34,567"), and at most two decimals. */
const RUPEES = /^(?<rupees>\d{1,9}|\d{1,2}(?:[, ]\d{2})*[, ]\d{3})(?:\.(?<fraction>\d{1,2}))?$/;
/**
 * Converts typed rupees ("₹1,250.50") to paise, from the digits and without floating point. Returns null for other text, for groups in other places
 * ("1,00": a decimal comma, or a lost digit), and for fractions of a paisa.
 */
export function parseRupees(text: string): Paise | null {
  const { rupees, fraction = "" } = RUPEES.exec(text.trim().replace(/^₹\s*/, ""))?.groups ?? {};
  const digits = rupees?.replace(/[, ]/g, "");
  return !digits || digits.length > 9 ? null : paise(Number(`${digits}${fraction.padEnd(2, "0")}`));
}
