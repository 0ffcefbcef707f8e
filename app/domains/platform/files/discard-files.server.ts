import { inArray, sql } from "drizzle-orm";
import { files } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { days } from "#app/lib/durations.ts";

export type DiscardedFile = { id: string; key: string };

/**
 * Discards files in the transaction of `tx`: deletes their keys, so that stored bytes cannot be decrypted. Call `removeDiscarded`
 * after the commit. If the process ends before that, the sweep deletes bytes and rows.
 */
export async function discardFiles(tx: Ctx, ids: readonly string[]): Promise<DiscardedFile[]> {
  if (!ids.length) return [];
  return tx.db
    .update(files)
    .set({
      status: "pending",
      createdAt: new Date(tx.now.getTime() - days(2)),
      // Unencrypted bytes have no key to delete. The sealing job would replace a null key.
      dataKey: sql`case when ${files.sealed} then null else ${files.dataKey} end`,
    })
    .where(inArray(files.id, [...ids]))
    .returning({ id: files.id, key: files.storageKey });
}

/** Deletes the bytes of discarded files, then their rows. */
export async function removeDiscarded(ctx: Ctx, discarded: readonly DiscardedFile[]): Promise<void> {
  for (const { key } of discarded) await ctx.integrations.storage.remove(key);
  if (!discarded.length) return;
  await ctx.db.delete(files).where(
    inArray(
      files.id,
      discarded.map(({ id }) => id),
    ),
  );
}
