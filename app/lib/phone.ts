/** Indian mobile numbers: stored as "+919876543210", shown as "+91 98765 43210". */
import { plainDigits } from "./digits.ts";

export type Phone = string;

/** Normalises a typed phone number to "+91…" from its last ten digits. Returns null when there are fewer (specification 001 §5). */
export function normalisePhone(typed: string): Phone | null {
  const digits = tenDigits(typed);
  return digits === null ? null : `+91${digits}`;
}
/** Returns the last ten digits (drops spaces, dashes, +91, 91 and a leading 0), or null when there are fewer. */
function tenDigits(typed: string): string | null {
  const digits = plainDigits(typed).replace(/\D/g, "");
  return digits.length >= 10 ? digits.slice(-10) : null;
}
/** "+91 98765 43210" */
export const formatPhone = (phone: Phone) => phone.replace(/^\+91(\d{5})(\d{5})$/, "+91 $1 $2");
/** "+91 ••••• •3210": for logs, and for users who may not see the whole number. */
export const maskPhone = (phone: Phone) => phone.replace(/^(\+91)\d{6}(\d{4})$/, "$1 ••••• •$2");
