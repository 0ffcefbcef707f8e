import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domains/context.server.ts";

/**
 * Returns true after the owner of a phone wrote STOP by SMS or WhatsApp. Whatever sends a message to a phone asks this first, except codes and
 * answers to the user's own messages.
 */
export async function hasStopped(ctx: Ctx, phone: string): Promise<boolean> {
  const [row] = await ctx.db.execute<{ stopped: boolean }>(
    sql`select exists (select from message_threads t where t.phone = ${phone} and t.stopped_at is not null) as stopped`,
  );
  return row?.stopped ?? false;
}
