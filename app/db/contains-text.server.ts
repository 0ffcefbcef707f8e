import { type Column, ilike, type SQL } from "drizzle-orm";
import { plainDigits } from "#app/lib/digits.ts";

/** A column that contains what a person typed, letters of either case; `%` and `_` are themselves. */
export const containsText = (column: Column, text: string): SQL => ilike(column, `%${text.replace(/[\\%_]/g, "\\$&")}%`);

/** A phone that contains the digits a person typed, of any script, with +91 or 0 before them; undefined for fewer than four. */
export function containsPhone(column: Column, text: string): SQL | undefined {
  const digits = plainDigits(text).replace(/\D/g, "").slice(-10).replace(/^0/, "");
  return digits.length >= 4 ? containsText(column, digits) : undefined;
}
