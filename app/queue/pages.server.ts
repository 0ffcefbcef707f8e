/** Changes of public pages: the cached pages of every server process, and of a CDN (docs/decisions/087). */
import type { Db } from "#app/db/client.server.ts";
import { keysToPurge } from "#app/lib/page-keys.ts";
import { notifyCachedPages } from "#app/realtime/channels.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { enqueue } from "./queue.server.ts";

/**
 * Drops the cached public pages of every server process after the commit, and those of the CDN by a job of the same transaction.
 * @param doctorId when only this doctor changed: the CDN keeps the pages of other doctors
 */
export async function notifyPagesChanged(ctx: { db: Db }, doctorId?: string): Promise<void> {
  await notifyCachedPages(ctx);
  for (const url of env().cdn.purgeUrls) await enqueue(ctx, "purge-cdn", { url, keys: keysToPurge(doctorId) });
}
