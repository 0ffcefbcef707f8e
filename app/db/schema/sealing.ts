import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { at, createdAt, sealedText } from "./columns.ts";

/** How far the job has come that seals rows and files from before they were sealed (domains/sealing). */
export const sealingProgress = pgTable("sealing_progress", {
  /** A table, or a part of seal-existing.server.ts such as "files/bytes". */
  part: text().primaryKey(),
  /** The primary key of the last row it has seen; null: it begins again. */
  after: text().array(),
  /** Values and files sealed so far. */
  count: integer().notNull().default(0),
  /** When it last came to the end. */
  finishedAt: at(),
  updatedAt: createdAt(),
});

/** Random keys of this installation that outlive a rotation of ENCRYPTION_KEY, which seals them (db/server-keys.server.ts). */
export const serverKeys = pgTable("server_keys", {
  name: text().primaryKey(),
  key: sealedText().notNull(),
  createdAt: createdAt(),
});
