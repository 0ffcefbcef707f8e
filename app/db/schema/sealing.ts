import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { at, createdAt, sealedText } from "./columns.ts";
import { ofNoPatient } from "./policy.ts";

/** Progress of the job that encrypts old rows and files (privacy/sealing). */
export const sealingProgress = pgTable("sealing_progress", {
  /** A table, or a part of seal-existing.server.ts such as "files/bytes". */
  part: text().primaryKey(),
  /** The primary key of the last processed row; null: starts again. */
  after: text().array(),
  /** Values and files encrypted so far. */
  count: integer().notNull().default(0),
  /** When it last finished. */
  finishedAt: at(),
  updatedAt: createdAt(),
});
ofNoPatient(sealingProgress);

/** Random keys of this installation that survive a rotation of ENCRYPTION_KEY, which encrypts them (db/server-keys.server.ts). */
export const serverKeys = pgTable("server_keys", {
  name: text().primaryKey(),
  key: sealedText().notNull(),
  createdAt: createdAt(),
});
ofNoPatient(serverKeys);
