import { type Column, ilike, type SQL, sql } from "drizzle-orm";
import { plainDigits } from "#app/lib/digits.ts";

/** Matches a column that contains a typed text, case-insensitively. Escapes `%` and `_`. */
export const containsText = (column: Column, text: string): SQL => ilike(column, `%${text.replace(/[\\%_]/g, "\\$&")}%`);

/** Matches a column that is a typed text, case-insensitively. */
export const isSameText = (column: Column, text: string): SQL => sql`lower(${column}) = lower(${text})`;

/** Matches a phone that contains the typed digits, with or without +91 or 0. Undefined for fewer than four digits. */
export function containsPhone(column: Column, text: string): SQL | undefined {
  const digits = plainDigits(text).replace(/\D/g, "").slice(-10).replace(/^0/, "");
  return digits.length >= 4 ? containsText(column, digits) : undefined;
}
