import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

// In two layers: of a selected expression drizzle drops the table of a column.
const some = (user: AnyPgColumn) =>
  sql`(select from notifications n where n.user_id = ${user} and n.read_at is null and n.deleted_at is null limit 99)`;

/** SQL: how many notifications a user has not read, at most 99. */
export const unreadOf = (user: AnyPgColumn): SQL<number> => sql`(select count(*)::int from ${some(user)} as unread)`;
