import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { at, createdAt } from "./columns.ts";

/** How far the job has come that seals rows and files from before they were sealed (domains/sealing). */
export const sealingProgress = pgTable("sealing_progress", {
  /** A table, or "files/bytes". */
  part: text().primaryKey(),
  /** The primary key of the last row it has seen; null: it begins again. */
  after: text().array(),
  /** Values and files sealed so far. */
  count: integer().notNull().default(0),
  /** When it last came to the end. */
  finishedAt: at(),
  updatedAt: createdAt(),
});
