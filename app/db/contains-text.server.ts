import { type Column, eq, ilike, type SQL, sql } from "drizzle-orm";
import { bareNumber, normalisePhone } from "#app/lib/phone.ts";

/** Matches a column that contains a typed text, case-insensitively. Escapes `%` and `_`. */
export const containsText = (column: Column, text: string): SQL => ilike(column, `%${text.replace(/[\\%_]/g, "\\$&")}%`);

/** Matches a column that is a typed text, case-insensitively. */
export const isSameText = (column: Column, text: string): SQL => sql`lower(${column}) = lower(${text})`;

/**
 * Matches a phone that contains the typed digits, with or without +91 or 0; a whole number matches itself only, by an index. Undefined for another
 * text, and for fewer than `least` digits.
 */
export function containsPhone(column: Column, text: string, least = 4): SQL | undefined {
  const bare = bareNumber(text);
  if (!/^\+?\d+$/.test(bare)) return undefined;
  const whole = normalisePhone(bare);
  // Ten digits from 91 on may also be +91 and the first eight of a number.
  if (whole && !/^91\d{8}$/.test(bare)) return eq(column, whole);
  const part = bare.replace(/^(\+91|0)/, "");
  return part.length >= least ? containsText(column, part) : undefined;
}
