/** An amount in paise, always an integer. Pages show rupees. */
export type Paise = number;

const whole = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR", maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });

/** "₹500" or "₹12,34,567.50" (Indian grouping, paise only when not zero). */
export const formatRupees = (paise: Paise) => (paise % 100 === 0 ? whole : exact).format(paise / 100);
/** "499.00", the amount format of UPI links. */
export const rupeesPlain = (paise: Paise) => (paise / 100).toFixed(2);
/** Converts rupees to paise without floating-point errors: 499.5 → 49950. */
export const fromRupees = (rupees: number): Paise => Math.round(rupees * 100);
/** Converts typed rupees ("₹1,250.50") to paise, from the digits and without floating point. Returns null for other text and for fractions of a paisa. */
export function parseRupees(text: string): Paise | null {
  const [, rupees, fraction = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.replace(/[\s,₹]/g, "")) ?? [];
  return rupees === undefined ? null : Number(`${rupees}${fraction.padEnd(2, "0")}`);
}
