import { type Column, ilike, type SQL } from "drizzle-orm";

/** A column that contains what a person typed, letters of either case; `%` and `_` are themselves. */
export const containsText = (column: Column, text: string): SQL => ilike(column, `%${text.replace(/[\\%_]/g, "\\$&")}%`);
