import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "#app/db/client.server.ts";
import { beyond, inPages, ROWS_AT_ONCE } from "#app/db/in-pages.server.ts";
import { doctorBankAccounts, doctors, profileChanges } from "#app/db/schema/index.ts";
import { macOf, openNumber, sealNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { openChangedAccount, sealChangedAccount } from "#app/domains/credentials/profile-changes/changed-account.server.ts";
import { isSealedByFirst } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";

/** An encrypted column, and the new values of a row whose value an older key encrypted. */
type Sealed = { table: PgTable; id: PgColumn; value: PgColumn; encryptAgain: (id: string, sealed: string) => Record<string, string> };

/** Columns that are encrypted without db/sealed.server.ts, with their own associated data. */
const SEALED: readonly Sealed[] = [
  {
    table: doctors,
    id: doctors.id,
    value: doctors.aadhaarSealed,
    // Its hash has its own key (identity-hash.server.ts).
    encryptAgain: (id, sealed) => ({ aadhaarSealed: sealNumber("aadhaar", id, openNumber("aadhaar", id, sealed)) }),
  },
  {
    table: doctors,
    id: doctors.id,
    value: doctors.panSealed,
    encryptAgain(id, sealed) {
      const plain = openNumber("pan", id, sealed);
      return { panSealed: sealNumber("pan", id, plain), panMac: macOf("pan", plain) };
    },
  },
  {
    table: doctorBankAccounts,
    id: doctorBankAccounts.doctorId,
    value: doctorBankAccounts.accountSealed,
    encryptAgain: (id, sealed) => ({ accountSealed: sealNumber("account", id, openNumber("account", id, sealed)) }),
  },
  {
    table: profileChanges,
    id: profileChanges.id,
    value: profileChanges.accountSealed,
    encryptAgain: (id, sealed) => ({ accountSealed: sealChangedAccount(id, openChangedAccount(id, sealed)) }),
  },
];

/**
 * Encrypts every number again with the first key that an older key of the list encrypted. Skips a value that changes meanwhile:
 * it is encrypted with the first key too. Idempotent.
 * @returns the number of changed values
 * @throws when no key of the list decrypts a value
 */
export async function resealNumbers(db: Db): Promise<number> {
  const keys = env().encryptionKeys;
  let count = 0;
  for (const { table, id, value, encryptAgain } of SEALED) {
    const rows = inPages(
      (after) =>
        db
          .select({ id, sealed: value })
          .from(table)
          .where(and(isNotNull(value), beyond(id, after)))
          .orderBy(asc(id))
          .limit(ROWS_AT_ONCE) as PromiseLike<{ id: string; sealed: string }[]>,
    );
    for await (const row of rows) {
      if (row.sealed === "" || isSealedByFirst(row.sealed, keys)) continue;
      const same = and(eq(id, row.id), eq(value, row.sealed));
      count += (await db.update(table).set(encryptAgain(row.id, row.sealed)).where(same)).count;
    }
  }
  return count;
}
