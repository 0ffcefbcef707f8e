import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, createdAt } from "./columns.ts";

/** What an API call with an Idempotency-Key was answered, so that the same call sent again gets the same answer. */
export const apiReplays = pgTable(
  "api_replays",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Of the key the app made up. */
    keyHash: text().notNull(),
    /** "POST /api/appointments/book" */
    call: text().notNull(),
    /** Of what was sent; null while the first call is still being read. */
    fingerprint: text(),
    /** The HTTP status; null while the first call runs. */
    status: integer(),
    /** Sealed: an answer may hold health text. */
    body: text(),
    createdAt: createdAt(),
    finishedAt: at(),
  },
  (t) => [primaryKey({ name: "api_replays_pk", columns: [t.userId, t.keyHash] }), index("api_replays_created").on(t.createdAt)],
);
