import { eq, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { messageStops, messageThreads } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hashToken } from "#app/lib/ids.server.ts";

/**
 * Returns true after the owner of a phone wrote STOP by SMS or WhatsApp. Whatever sends a message to a phone asks this first, except codes, alarms of
 * an account, and answers to the user's own messages.
 */
export async function hasStopped(ctx: Ctx, phone: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ one: sql`1` })
    .from(messageStops)
    .where(eq(messageStops.phoneHash, hashToken(phone)));
  return row !== undefined;
}

/** SQL: the same for a column with a phone. */
export const isStopped = (phone: AnyPgColumn): SQL<boolean> =>
  sql<boolean>`exists (select from ${messageStops} s where s.phone_hash = encode(sha256(convert_to(${phone}, 'UTF8')), 'hex'))`;

/** Stops messages to a phone in all channels, or begins them again. */
export async function setStopped(tx: Ctx, phone: string, stopped: boolean): Promise<void> {
  const phoneHash = hashToken(phone);
  if (stopped) await tx.db.insert(messageStops).values({ phoneHash, stoppedAt: tx.now }).onConflictDoNothing();
  else await tx.db.delete(messageStops).where(eq(messageStops.phoneHash, phoneHash));
  await tx.db
    .update(messageThreads)
    .set({ stoppedAt: stopped ? tx.now : null })
    .where(eq(messageThreads.phone, phone));
}
