import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domains/context.server.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { AT_ONCE, claimDeliveries } from "./claim-deliveries.server.ts";
import { errorOf, settleDeliveries } from "./settle-deliveries.server.ts";
import { signedHeaders } from "./signature.server.ts";

/** Batches to one endpoint in one run. A job goes on with the rest, after the other endpoints. */
const BATCHES = 3;
/** Endpoints served at once by one run. */
const ENDPOINTS_AT_ONCE = 20;

/**
 * Sends the deliveries that are due. A slow endpoint delays others for some batches at most; one that fails gets one batch in a run. Safe to run
 * twice at once. @returns how many were sent
 */
export async function sendWebhooks(ctx: Ctx): Promise<number> {
  const due = await ctx.db.execute<{ id: string }>(sql`
    select w.id from webhook_endpoints w where w.state = 'active' and exists (
      select from webhook_deliveries d where d.endpoint_id = w.id and d.state = 'waiting' and d.next_at <= ${ctx.now.toISOString()})
    order by w.failing_since nulls first, w.id`);
  const endpoints = due.map(({ id }) => id);
  let sent = 0;
  let rest = false;
  const serve = async () => {
    for (let id = endpoints.shift(); id; id = endpoints.shift()) {
      const served = await sendTo(ctx, id);
      sent += served.sent;
      rest ||= served.rest;
    }
  };
  await Promise.all(Array.from({ length: ENDPOINTS_AT_ONCE }, serve));
  if (rest) await enqueue(ctx, "webhooks", {});
  return sent;
}

/** Sends batches to one endpoint. `rest`: more may be due. */
async function sendTo(ctx: Ctx, endpointId: string): Promise<{ sent: number; rest: boolean }> {
  let sent = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const deliveries = await claimDeliveries(ctx, endpointId);
    if (!deliveries.length) return { sent, rest: false };
    const results = await Promise.all(
      deliveries.map(async (delivery) => {
        const headers = signedHeaders({ id: delivery.id, at: ctx.now, body: delivery.body }, delivery.secrets);
        const result = await ctx.integrations.postPublic(
          delivery.url,
          { "content-type": "application/json", "user-agent": "Nadi-Webhooks/1", ...headers },
          delivery.body,
        );
        return { delivery, result };
      }),
    );
    await settleDeliveries(ctx, endpointId, results);
    sent += results.length;
    if (results.every(({ result }) => errorOf(result) !== null)) return { sent, rest: false };
    if (deliveries.length < AT_ONCE) return { sent, rest: false };
  }
  return { sent, rest: true };
}
