import { and, asc, eq, isNotNull, notLike } from "drizzle-orm";
import { type Db, violatedConstraint } from "#app/db/client.server.ts";
import { beyond, ROWS_AT_ONCE } from "#app/db/in-pages.server.ts";
import { doctors } from "#app/db/schema/index.ts";
import { serverKey } from "#app/db/server-keys.server.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import { macsOf, openNumber } from "./numbers.server.ts";

/** Prefix of hashes under the key of `server_keys`. Hashes without it are older, under ENCRYPTION_KEY. */
const PREFIX = "k1.";

/**
 * Returns the keyed hash that finds a second doctor with the same Aadhaar number. Its key does not change when
 * ENCRYPTION_KEY rotates: the number may be erased by then, and could not be hashed again.
 */
export const identityHash = async (db: Db, aadhaar: string, keys?: readonly [string, ...string[]]): Promise<string> =>
  PREFIX + hmac(aadhaar, await serverKey(db, "identity-hash", keys), "aadhaar");

/** Returns every hash a doctor with this number may be stored under, until `rehashNumbers` has reached all rows. */
export const identityHashes = async (db: Db, aadhaar: string): Promise<string[]> => [
  await identityHash(db, aadhaar),
  ...macsOf("aadhaar", aadhaar),
];

/** Returns the hash to store for a number that is about to be erased. A number that no key opens preserves its hash. */
export async function lastingHash(
  db: Db,
  doctor: { id: string; aadhaarSealed: string | null; aadhaarMac: string | null },
): Promise<string | null> {
  const { id, aadhaarSealed, aadhaarMac } = doctor;
  if (!aadhaarSealed || aadhaarMac?.startsWith(PREFIX)) return aadhaarMac;
  const number = numberOrNull(id, aadhaarSealed);
  return number === null ? aadhaarMac : identityHash(db, number);
}

function numberOrNull(doctorId: string, sealed: string): string | null {
  try {
    return openNumber("aadhaar", doctorId, sealed);
  } catch {
    return null;
  }
}

/**
 * Hashes one page of Aadhaar numbers again that are still hashed under ENCRYPTION_KEY. Safe to repeat, and in two processes
 * at once. Leaves numbers that no key opens, and duplicates that two submissions at the same instant created.
 */
export async function rehashNumbers(db: Db, after: string | null): Promise<{ count: number; after: string[] | null }> {
  const rows = await db
    .select({ id: doctors.id, aadhaarSealed: doctors.aadhaarSealed, aadhaarMac: doctors.aadhaarMac })
    .from(doctors)
    .where(and(isNotNull(doctors.aadhaarSealed), notLike(doctors.aadhaarMac, `${PREFIX}%`), beyond(doctors.id, after)))
    .orderBy(asc(doctors.id))
    .limit(ROWS_AT_ONCE);
  let count = 0;
  for (const row of rows) {
    const aadhaarMac = await lastingHash(db, row);
    if (!aadhaarMac?.startsWith(PREFIX) || !row.aadhaarMac) continue;
    try {
      const unchanged = and(eq(doctors.id, row.id), eq(doctors.aadhaarMac, row.aadhaarMac));
      count += (await db.update(doctors).set({ aadhaarMac }).where(unchanged)).count;
    } catch (error) {
      if (violatedConstraint(error) !== "doctors_aadhaar") throw error;
    }
  }
  return { count, after: rows.length < ROWS_AT_ONCE ? null : [rows.at(-1)!.id] };
}
