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
