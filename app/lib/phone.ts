/** Indian mobile numbers: stored "+919876543210", shown "+91 98765 43210". */
import { plainDigits } from "./digits.ts";

export type Phone = string;

/** "+91…" of whatever a person typed; null unless ten digits remain. Spec 001 §5: digits only, last 10 kept. */
export function normalisePhone(typed: string): Phone | null {
  const digits = tenDigits(typed);
  return digits === null ? null : `+91${digits}`;
}
/** The last ten digits of a typed number (so spaces, dashes, +91, 91 and a leading 0 fall away); null when there are fewer. */
function tenDigits(typed: string): string | null {
  const digits = plainDigits(typed).replace(/\D/g, "");
  return digits.length >= 10 ? digits.slice(-10) : null;
}
/** "+91 98765 43210" */
export const formatPhone = (phone: Phone) => phone.replace(/^\+91(\d{5})(\d{5})$/, "+91 $1 $2");
/** "+91 ••••• •3210": for logs and for screens of people who need not know it. */
export const maskPhone = (phone: Phone) => phone.replace(/^(\+91)\d{6}(\d{4})$/, "$1 ••••• •$2");
