import type { Role } from "#app/db/schema/index.ts";

/** Minimum password length by role. That of doctors is the specification's (000 §5), with its own sentence. */
export const PASSWORD_MINIMUM: Record<Exclude<Role, "patient">, number> = { doctor: 6, reviewer: 12, admin: 12, staff: 12 };

/** What fingers type without thinking: the alphabet, the digits, rows and columns of a keyboard. */
const RUNS = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p"];
const WAYS = [...RUNS, ...RUNS.map((run) => [...run].reverse().join(""))];
const SHORTEST_RUN = 3;
/** Characters that must be left when each run, each repeated character, a year and the product's name counts as one. */
const LEFT = 5;
const GUESSED = /nadi|(?:19|20)\d\d/g;

/** True for a password in lower case that is little more than runs like "abcdef", one character again and again, a year or the product's name. */
export function isEasyToType(password: string): boolean {
  const text = password.replace(GUESSED, "\0");
  let left = 0;
  for (let i = 0; i < text.length; i += runAt(text, i)) left += 1;
  return left < LEFT;
}

/** Returns the length of the run that begins at `start`; 1 when there is none. */
function runAt(text: string, start: number): number {
  const isRun = (part: string) => part === part.charAt(0).repeat(part.length) || WAYS.some((way) => way.includes(part));
  let end = start + SHORTEST_RUN;
  if (end > text.length || !isRun(text.slice(start, end))) return 1;
  while (end < text.length && isRun(text.slice(start, end + 1))) end += 1;
  return end - start;
}

/** Digits of a phone in a row that count as the phone. */
const PHONE_PART = 6;

/** True when a password is the owner's phone, or six of its digits in a row, with few other characters. */
export function containsPhone(password: string, phone: string | null): boolean {
  const own = phone?.slice(-10) ?? "";
  const digits = password.replace(/\D/g, "");
  if (own.length < 10) return false;
  if (digits.includes(own)) return true;
  const parts = Array.from({ length: own.length - PHONE_PART + 1 }, (_, i) => own.slice(i, i + PHONE_PART));
  return password.length - digits.length < LEFT && parts.some((part) => digits.includes(part));
}
