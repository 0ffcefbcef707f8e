import { sql } from "drizzle-orm";
import type { EVENT_NAMES, ServerEvents } from "#app/realtime/events.ts";
import type { Ctx } from "../context.server.ts";

type EventName = (typeof EVENT_NAMES)[number];

/** Sends an event to the open pages of a user. PostgreSQL delivers it only when the transaction of `ctx` commits. */
export async function publish<Name extends EventName>(
  ctx: Ctx,
  userId: string,
  event: Name,
  data: Parameters<ServerEvents[Name]>[0],
): Promise<void> {
  await ctx.db.execute(sql`select pg_notify('nadi_events', ${JSON.stringify({ userId, event, data })})`);
}
