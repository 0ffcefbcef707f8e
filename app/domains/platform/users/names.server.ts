import { sql } from "drizzle-orm";

/**
 * The name of the person in a column (written out: "verification_events.by_user_id"): staff have theirs in `users`,
 * doctors and patients in their profiles. Null when the column is null, empty when the person has given none yet.
 */
export const nameOf = (column: string) =>
  sql<
    string | null
  >`(select coalesce(nullif(nu.staff_name, ''), nullif(nd.full_name, ''), np.name, '') from users nu left join doctors nd on nd.id = nu.id left join patients np on np.id = nu.id where nu.id = ${sql.raw(column)})`;
