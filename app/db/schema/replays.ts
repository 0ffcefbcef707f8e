import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, createdAt } from "./columns.ts";
import { hidden, ofPatients } from "./policy.ts";

/** The response to an API call with an Idempotency-Key, which a repeated call gets again. */
export const apiReplays = pgTable(
  "api_replays",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Hash of the app's key. */
    keyHash: text().notNull(),
    /** "POST /api/appointments/book" */
    call: text().notNull(),
    /** Hash of the request; null while the first call is being read. */
    fingerprint: text(),
    /** The HTTP status; null while the first call runs. */
    status: integer(),
    /** Encrypted, because a response may contain health data. */
    body: text(),
    createdAt: createdAt(),
    finishedAt: at(),
  },
  (t) => [primaryKey({ name: "api_replays_pk", columns: [t.userId, t.keyHash] }), index("api_replays_created").on(t.createdAt)],
);
ofPatients(apiReplays, {
  section: null,
  owner: "userId",
  removed: hidden("userId keyHash call fingerprint status body createdAt finishedAt"),
});
