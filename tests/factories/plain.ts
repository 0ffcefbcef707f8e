import { type SQL, sql } from "drizzle-orm";

/** A value of a sealed column as it was stored before the column was sealed. */
export const plain = (text: string): SQL => sql`${text}`;
