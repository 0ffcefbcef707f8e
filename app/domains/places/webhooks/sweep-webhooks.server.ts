import { and, isNotNull, lt } from "drizzle-orm";
import { deleteInBatches } from "#app/db/delete-in-batches.server.ts";
import { webhookDeliveries, webhookEndpoints } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DELIVERY_LIFE } from "./retry.ts";

/** Deletes old deliveries, and secrets that are no longer valid. */
export async function sweepWebhooks(ctx: Ctx): Promise<void> {
  await deleteInBatches(ctx.db, webhookDeliveries, lt(webhookDeliveries.createdAt, new Date(ctx.now.getTime() - DELIVERY_LIFE)));
  await ctx.db
    .update(webhookEndpoints)
    .set({ previousSecret: null, previousUntil: null })
    .where(and(isNotNull(webhookEndpoints.previousUntil), lt(webhookEndpoints.previousUntil, ctx.now)));
}
