/** Indian mobile numbers: stored as "+919876543210", shown as "+91 98765 43210". */
import { plainDigits } from "./digits.ts";

export type Phone = string;

/** Spaces, brackets, dashes, dots, and the invisible marks that copying from contacts and chats leaves. */
const SEPARATORS = /[\s\p{Cf}\p{Pd}\u2212()[\].]/gu;

/** Returns a typed number without what only separates its digits: "+91 (866) 247-4301" becomes "+918662474301". */
export const bareNumber = (typed: string): string => plainDigits(typed).replace(SEPARATORS, "");

/**
 * Normalises a typed phone number to "+91…" (specification 001 §5). Removes only a prefix: +91, 91 of twelve digits, 0 of eleven. Returns
 * null unless exactly ten digits remain: a longer or foreign number would become the number of a stranger.
 */
export function normalisePhone(typed: string): Phone | null {
  const digits = /^(?:\+91|91|0)?(\d{10})$/.exec(bareNumber(typed))?.[1];
  return digits ? `+91${digits}` : null;
}
/** Matches a landline, mobile or toll-free number as typed: six to fifteen digits. */
export const isContactNumber = (typed: string): boolean => /^\+?\d{6,15}$/.test(bareNumber(typed).replaceAll("/", ""));
/** "+91 98765 43210" */
export const formatPhone = (phone: Phone) => phone.replace(/^\+91(\d{5})(\d{5})$/, "+91 $1 $2");
/** "+91 ••••• •3210": for logs, and for users who may not see the whole number. */
export const maskPhone = (phone: Phone) => phone.replace(/^(\+91)\d{6}(\d{4})$/, "$1 ••••• •$2");
