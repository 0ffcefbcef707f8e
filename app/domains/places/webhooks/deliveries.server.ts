import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { domainEvents, hospitals, webhookDeliveries, webhookEndpoints } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { requireActing } from "../members/acting.server.ts";
import { changeEndpoint, type WebhookId } from "./manage-webhooks.server.ts";

const shown = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  label: webhookEndpoints.label,
  subjects: webhookEndpoints.subjects,
  state: webhookEndpoints.state,
  failingSince: webhookEndpoints.failingSince,
};
/** Deliveries that the page of an endpoint shows. */
const SHOWN = 50;

/** Returns the endpoints of a place, for an owner. @throws DomainError("not-found" | "forbidden") */
export async function listWebhooks(ctx: Ctx<Actor>, hospitalId: string | undefined) {
  const acting = await requireActing(ctx, hospitalId, "manage-staff");
  const id = acting.actor.onBehalfOf.hospitalId;
  const [[place], endpoints] = await Promise.all([
    ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, id)),
    ctx.db.select(shown).from(webhookEndpoints).where(eq(webhookEndpoints.hospitalId, id)).orderBy(asc(webhookEndpoints.createdAt)),
  ]);
  return { place: place!.name, endpoints };
}

/** Returns an endpoint with its last deliveries, for an owner. @throws DomainError("not-found" | "forbidden") */
export async function getWebhook(ctx: Ctx<Actor>, { hospitalId, id }: WebhookId) {
  const acting = await requireActing(ctx, hospitalId, "manage-staff");
  const own = isUuid(id) && and(eq(webhookEndpoints.hospitalId, acting.actor.onBehalfOf.hospitalId), eq(webhookEndpoints.id, id));
  const [endpoint] = own ? await ctx.db.select(shown).from(webhookEndpoints).where(own) : [];
  if (!endpoint) throw new DomainError("not-found");
  const of = eq(webhookDeliveries.endpointId, endpoint.id);
  const [deliveries, waiting, failed] = await Promise.all([
    ctx.db
      .select({
        id: webhookDeliveries.id,
        kind: domainEvents.kind,
        state: webhookDeliveries.state,
        attempts: webhookDeliveries.attempts,
        nextAt: webhookDeliveries.nextAt,
        triedAt: webhookDeliveries.triedAt,
        status: webhookDeliveries.status,
        error: webhookDeliveries.error,
        createdAt: webhookDeliveries.createdAt,
      })
      .from(webhookDeliveries)
      .leftJoin(domainEvents, eq(domainEvents.id, webhookDeliveries.eventId))
      .where(of)
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.eventId))
      .limit(SHOWN),
    ctx.db.$count(webhookDeliveries, and(of, eq(webhookDeliveries.state, "waiting"))),
    ctx.db.$count(webhookDeliveries, and(of, eq(webhookDeliveries.state, "failed"))),
  ]);
  return { endpoint, deliveries, waiting, failed };
}

/** Queues a test event for an endpoint. @throws DomainError("not-found" | "forbidden" | "too-many"), "conflict" when it is not active */
export async function sendTestWebhook(ctx: Ctx<Actor>, which: WebhookId): Promise<void> {
  await requireActing(ctx, which.hospitalId, "manage-staff");
  await spendLimits(ctx, [{ limit: "webhook-test", key: which.hospitalId! }]);
  await changeEndpoint(ctx, which, async (tx, { id, state }) => {
    if (state !== "active") throw new DomainError("conflict");
    await tx.db.insert(webhookDeliveries).values({ endpointId: id, nextAt: tx.now, createdAt: tx.now });
    await enqueue(tx, "webhooks", {});
  });
}

/**
 * Sends deliveries of an endpoint again, with the same id: one that was delivered or failed, or all that failed. One that waits is sent at once.
 * @returns how many
 * @throws DomainError("not-found" | "forbidden" | "too-many")
 */
export async function resendWebhooks(ctx: Ctx<Actor>, which: WebhookId, delivery: string | "failed"): Promise<number> {
  await requireActing(ctx, which.hospitalId, "manage-staff");
  await spendLimits(ctx, [{ limit: "webhook-resend", key: which.hospitalId! }]);
  return transact(ctx, (outer) =>
    changeEndpoint(outer, which, async (tx, { id }) => {
      const chosen = delivery === "failed" ? eq(webhookDeliveries.state, "failed") : inArray(webhookDeliveries.id, [delivery]);
      const rows = await tx.db
        .update(webhookDeliveries)
        .set({ state: "waiting", attempts: 0, nextAt: sql`least(${webhookDeliveries.nextAt}, ${tx.now.toISOString()})` })
        .where(and(eq(webhookDeliveries.endpointId, id), chosen))
        .returning({ id: webhookDeliveries.id });
      if (rows.length) await enqueue(tx, "webhooks", {});
      return rows.length;
    }),
  );
}
