import type { Db } from "#app/db/client.server.ts";
import { sealedTables } from "#app/db/sealed.server.ts";
import { rehashNumbers } from "#app/domains/credentials/identity/identity-hash.server.ts";
import { resealReplays } from "#app/domains/platform/limits/replay.server.ts";
import { resealNumbers } from "./reseal-numbers.server.ts";
import { sealPage } from "./seal-columns.server.ts";

/**
 * Encrypts every stored value again with the first key of ENCRYPTION_KEY: encrypted columns, keys of files, numbers of doctors,
 * API responses. Then the older keys can be removed. Idempotent, and safe during normal use.
 * @returns the number of changed values
 * @throws when no key of the list decrypts a value
 */
export async function resealEverything(db: Db): Promise<number> {
  let count = (await resealNumbers(db)) + (await resealReplays(db));
  // Hashes under an older key, from before they had their own key.
  for (let after: string[] | null = []; after; ) {
    const page: Awaited<ReturnType<typeof rehashNumbers>> = await rehashNumbers(db, after[0] ?? null);
    count += page.count;
    after = page.after;
  }
  for (const table of sealedTables()) {
    let after: string[] | null = null;
    do {
      const page: Awaited<ReturnType<typeof sealPage>> = await sealPage(db, table, "older", after);
      count += page.count;
      after = page.after;
    } while (after !== null);
  }
  return count;
}
