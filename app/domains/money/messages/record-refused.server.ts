import { lt, sql } from "drizzle-orm";
import { refusedMessages } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { days, hours } from "#app/lib/durations.ts";
import type { MessageRefusal } from "#app/lib/vocabulary.ts";
import { log } from "#app/runtime/log.server.ts";
import { MOST_COUNTED } from "./refusals.ts";

/** How long the counts are stored. */
const LIFE = days(90);

/**
 * Counts a refused message to the webhook of the configured provider. Other paths are not counted.
 * @param eventId the provider's id, only of a message with a valid signature
 */
export async function recordRefused(ctx: Ctx, refused: Refused): Promise<void> {
  // The sender gets its refusal, counted or not.
  await count(ctx, refused).catch((error: unknown) =>
    log.warn({ requestId: ctx.requestId, err: error }, "a refused payment message was not counted"),
  );
}

type Refused = { provider: string | undefined; reason: MessageRefusal; eventId?: string | null };
async function count(ctx: Ctx, { provider, reason, eventId = null }: Refused): Promise<void> {
  const name = ctx.integrations.payments?.name;
  if (!name || provider !== name) return;
  const hour = new Date(Math.floor(ctx.now.getTime() / hours(1)) * hours(1)).toISOString();
  const now = ctx.now.toISOString();
  await ctx.db.execute(sql`
    insert into refused_messages (provider, hour, reason, count, first_at, last_at, event_id)
    select ${name}, ${hour}::timestamptz, ${reason}, 1, ${now}::timestamptz, ${now}::timestamptz, ${eventId}
    where not exists (select from refused_messages f where f.provider = ${name} and f.hour = ${hour}::timestamptz and f.reason = ${reason}
      and f.count >= ${MOST_COUNTED})
    on conflict (provider, hour, reason) do update set count = refused_messages.count + 1,
      last_at = greatest(refused_messages.last_at, excluded.last_at), event_id = coalesce(excluded.event_id, refused_messages.event_id)
      where refused_messages.count < ${MOST_COUNTED}`);
}

/** Deletes old counts. Run by the hourly sweep. */
export async function sweepRefused(ctx: Ctx): Promise<void> {
  await ctx.db.delete(refusedMessages).where(lt(refusedMessages.hour, new Date(ctx.now.getTime() - LIFE)));
}
