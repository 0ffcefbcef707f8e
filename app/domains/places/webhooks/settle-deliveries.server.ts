import { and, eq, sql } from "drizzle-orm";
import { hospitals, webhookEndpoints } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { PostFailure, PostResult } from "#app/integrations/public-http/post-public.server.ts";
import { listActiveOwners } from "../members/place-owners.server.ts";
import type { ClaimedDelivery } from "./claim-deliveries.server.ts";
import { DISABLE_AFTER, retryAt } from "./retry.ts";

/** Why an attempt failed. `redirect`: the answer was a redirect. `status`: another answer than 2xx. */
export type DeliveryError = PostFailure | "redirect" | "status";
export type SentDelivery = { delivery: Pick<ClaimedDelivery, "id" | "attempt">; result: PostResult };

/** Returns why the receiver has not accepted the message; null: it has. */
export function errorOf(result: PostResult): DeliveryError | null {
  if ("failure" in result) return result.failure;
  if (result.status >= 200 && result.status < 300) return null;
  return result.status >= 300 && result.status < 400 ? "redirect" : "status";
}

/**
 * Stores the results of attempts. A result that comes after its delivery was claimed again is dropped. Disables the endpoint when it answered
 * 410 or has failed for days, and tells the owners of the place.
 */
export function settleDeliveries(ctx: Ctx, endpointId: string, sent: readonly SentDelivery[]): Promise<void> {
  const results = sent.map(({ delivery, result }) => {
    const error = errorOf(result);
    const next = error && retryAt(delivery.attempt, ctx.now, Math.random());
    const state = error ? (next ? "waiting" : "failed") : "delivered";
    return { ...delivery, state, next_at: next, status: "status" in result ? result.status : null, error };
  });
  return transact(ctx, async (tx) => {
    await tx.db.execute(sql`
      update webhook_deliveries d set state = r.state, next_at = r.next_at, status = r.status, error = r.error
      from json_to_recordset(${JSON.stringify(results)}::json) as r(id uuid, attempt int, state text, next_at timestamptz, status int, error text)
      where d.id = r.id and d.attempts = r.attempt and d.state = 'waiting'`);
    await settleEndpoint(tx, endpointId, {
      worked: results.some(({ error }) => error === null),
      gone: results.some(({ status }) => status === 410),
    });
  });
}

async function settleEndpoint(tx: Ctx, endpointId: string, { worked, gone }: { worked: boolean; gone: boolean }): Promise<void> {
  const own = and(eq(webhookEndpoints.id, endpointId), eq(webhookEndpoints.state, "active"));
  if (worked && !gone) {
    await tx.db
      .update(webhookEndpoints)
      .set({ failingSince: null })
      .where(and(own, sql`${webhookEndpoints.failingSince} is not null`));
    return;
  }
  const [endpoint] = await tx.db
    .update(webhookEndpoints)
    .set({ failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${tx.now.toISOString()})` })
    .where(own)
    .returning({ hospitalId: webhookEndpoints.hospitalId, url: webhookEndpoints.url, since: webhookEndpoints.failingSince });
  if (!endpoint) return;
  if (!gone && tx.now.getTime() - endpoint.since!.getTime() < DISABLE_AFTER) return;
  await tx.db.update(webhookEndpoints).set({ state: "disabled", updatedAt: tx.now }).where(eq(webhookEndpoints.id, endpointId));
  const { hospitalId } = endpoint;
  const [place] = await tx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, hospitalId));
  const params = { place: place!.name, website: new URL(endpoint.url).host };
  const owners = (await listActiveOwners(tx, hospitalId)).map(({ userId }) => userId);
  await recordChange(tx, "disable-webhook", {
    subject: { hospital: hospitalId },
    people: { owners },
    details: { websites: params.website },
    notify: { owners: { params, target: { page: "clinic-webhooks", id: hospitalId } } },
  });
}
