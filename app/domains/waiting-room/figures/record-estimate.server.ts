import { and, eq, isNull } from "drizzle-orm";
import { queueEntries } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { readSnapshot } from "../token-page/snapshot.server.ts";
import { viewToken } from "../token-page/token-view.ts";

/**
 * Stores the range that a patient sees on arrival, to measure it against the call. A job of each arrival, because the estimate reads the whole
 * session. Does nothing for a patient who was called meanwhile, or when no range is shown.
 */
export async function recordEstimate(ctx: Ctx, entryId: string): Promise<void> {
  const open = and(eq(queueEntries.id, entryId), eq(queueEntries.state, "arrived"), isNull(queueEntries.estimateLowAt));
  const [entry] = await ctx.db.select({ sessionId: queueEntries.sessionId }).from(queueEntries).where(open);
  if (!entry) return;
  const expected = viewToken(await readSnapshot(ctx, entry.sessionId), entryId, ctx.now)?.expected;
  if (!expected) return;
  await ctx.db.update(queueEntries).set({ estimateLowAt: expected.from, estimateHighAt: expected.until }).where(open);
}
