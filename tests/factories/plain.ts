import { type SQL, sql } from "drizzle-orm";

/** Returns a plaintext value for an encrypted column, as stored before encryption. */
export const plain = (text: string): SQL => sql`${text}`;
