import type { Db } from "#app/db/client.server.ts";
import { sealedTables } from "#app/db/sealed.server.ts";
import { rehashNumbers } from "#app/domains/credentials/identity/identity-hash.server.ts";
import { resealReplays } from "#app/domains/platform/limits/replay.server.ts";
import { resealNumbers } from "./reseal-numbers.server.ts";
import { sealPage } from "./seal-columns.server.ts";

/**
 * Seals every stored value again with the first key of ENCRYPTION_KEY: sealed columns, the keys of files, numbers of doctors,
 * answers of the API. The older keys may go then. Safe to repeat, and while people go on working.
 * @returns how many values were sealed again
 * @throws when a value opens with no key of the list
 */
export async function resealEverything(db: Db): Promise<number> {
  let count = (await resealNumbers(db)) + (await resealReplays(db));
  // Hashes under an older key, from before they had a key of their own.
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
