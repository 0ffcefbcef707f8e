import { pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { createdAt, sealedText } from "./columns.ts";
import { hidden, ofPatients } from "./policy.ts";

/**
 * The secret address of a patient's or doctor's calendar: /calendar/{key}. Replacing it overwrites the key, so the old address answers 404. The
 * key is found by its hash, and sealed so that its owner can copy it again.
 */
export const calendarFeeds = pgTable(
  "calendar_feeds",
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    keyHash: text().notNull(),
    key: sealedText().notNull(),
    createdAt: createdAt(),
  },
  (t) => [unique("calendar_feeds_key").on(t.keyHash)],
);
ofPatients(calendarFeeds, {
  section: null,
  owner: "userId",
  removed: hidden("userId keyHash key createdAt"),
});
