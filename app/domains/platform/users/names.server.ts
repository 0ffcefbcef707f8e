import { sql } from "drizzle-orm";

/**
 * SQL: the name of the user in a column (written in full: "verification_events.by_user_id"). Staff have their name in `users`,
 * doctors and patients in their profiles. Null when the column is null, empty for a user without a name.
 */
export const nameOf = (column: string) =>
  sql<
    string | null
  >`(select coalesce(nullif(nu.staff_name, ''), nullif(nd.full_name, ''), np.name, '') from users nu left join doctors nd on nd.id = nu.id left join patients np on np.id = nu.id where nu.id = ${sql.raw(column)})`;
