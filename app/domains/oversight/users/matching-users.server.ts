import { inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { containsPhone, containsText } from "#app/db/contains-text.server.ts";
import { doctors, patients, users } from "#app/db/schema/index.ts";

/** Accounts that a search finds by each of name, phone and email: an administrator who has more writes more of the name. */
const MOST_MATCHES = 1_000;

/**
 * Matches users whose name, email or phone contains a typed text. One indexed query for each column: a condition over all of them
 * would read every account.
 */
export function isMatchingUser(db: Db, text: string): SQL {
  const ofUsers = (condition: SQL) => db.select({ id: users.id }).from(users).where(condition).limit(MOST_MATCHES);
  const phone = containsPhone(users.phone, text);
  const queries = [
    ofUsers(containsText(users.staffName, text)),
    ofUsers(containsText(users.email, text)),
    ...(phone ? [ofUsers(phone)] : []),
    db.select({ id: doctors.id }).from(doctors).where(containsText(doctors.fullName, text)).limit(MOST_MATCHES),
    db.select({ id: patients.id }).from(patients).where(containsText(patients.name, text)).limit(MOST_MATCHES),
  ];
  const found = queries.map((query) => sql`${query}`);
  return inArray(users.id, sql`(${sql.join(found, sql` union all `)})`);
}
