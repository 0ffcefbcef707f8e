/** Money is an integer number of paise everywhere; people read rupees. */
export type Paise = number;

const whole = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR", maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });

/** "₹500" or "₹12,34,567.50" (Indian grouping; paise only when there are any). */
export const formatRupees = (paise: Paise) => (paise % 100 === 0 ? whole : exact).format(paise / 100);
/** "499.00", as UPI and payment links want it. */
export const rupeesPlain = (paise: Paise) => (paise / 100).toFixed(2);
/** 499.5 rupees → 49950 paise, without float drift. */
export const fromRupees = (rupees: number): Paise => Math.round(rupees * 100);
