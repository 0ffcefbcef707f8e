import { inArray } from "drizzle-orm";
import { sealingProgress } from "#app/db/schema/index.ts";
import { sealedTables } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { eraseApprovedIdentities } from "#app/domains/credentials/identity/erase-identity.server.ts";
import { rehashNumbers } from "#app/domains/credentials/identity/identity-hash.server.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { type Sealing, sealPage } from "./seal-columns.server.ts";
import { sealFilesPage } from "./seal-files.server.ts";

/** Time limit of a job. The next one continues. */
const RUN = minutes(3);
/** During a deployment the old version may still write plain text, so tables are checked again. */
const LOOK_AGAIN = hours(24);

type Part = { name: string; page: (ctx: Ctx, after: string[] | null) => Promise<Sealing> };
const parts = (): Part[] => [
  ...sealedTables().map((table) => ({
    name: table.name,
    page: (ctx: Ctx, after: string[] | null) => sealPage(ctx.db, table, "plain", after),
  })),
  { name: "files/bytes", page: (ctx, after) => sealFilesPage(ctx, after?.[0] ?? null) },
  { name: "doctors/identity-hashes", page: (ctx, after) => rehashNumbers(ctx.db, after?.[0] ?? null) },
  { name: "doctors/approved-identities", page: (ctx, after) => eraseApprovedIdentities(ctx, after?.[0] ?? null) },
];

/**
 * Encrypts rows and files that were stored before encryption, and erases identities of doctors who were approved before that
 * erased them. Works in pages and stores the position in `sealing_progress`, so that the next run continues. Checks each part
 * again once a day.
 * @returns the number of changed values, files and doctors
 */
export async function sealExisting(ctx: Ctx, options: { until?: number } = {}): Promise<number> {
  const until = options.until ?? performance.now() + RUN;
  const all = parts();
  const known = await ctx.db
    .select()
    .from(sealingProgress)
    .where(
      inArray(
        sealingProgress.part,
        all.map(({ name }) => name),
      ),
    );
  let total = 0;
  for (const { name, page } of all) {
    const before = known.find((row) => row.part === name);
    if (before?.after === null && before.finishedAt && ctx.now.getTime() - before.finishedAt.getTime() < LOOK_AGAIN) continue;
    let after = before?.after ?? null;
    let count = before?.count ?? 0;
    do {
      if (performance.now() >= until) return total;
      const done = await page(ctx, after);
      after = done.after;
      count += done.count;
      total += done.count;
      const progress = { after, count, updatedAt: ctx.now, ...(after === null && { finishedAt: ctx.now }) };
      await ctx.db
        .insert(sealingProgress)
        .values({ part: name, ...progress })
        .onConflictDoUpdate({ target: sealingProgress.part, set: progress });
    } while (after !== null);
  }
  return total;
}
