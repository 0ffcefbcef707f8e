import { randomUUID } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { webhookEndpoints } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { type ActingCtx, requireActing } from "../members/acting.server.ts";
import { lockPlace } from "../members/lock-place.server.ts";
import { SECRET_OVERLAP } from "./retry.ts";
import { newSecret } from "./signature.server.ts";
import type { WebhookInput } from "./webhooks.schema.ts";

/** Endpoints of a place. */
export const MOST_ENDPOINTS = 5;
export type WebhookId = { hospitalId: string | undefined; id: string | undefined };

const hostOf = (url: string) => new URL(url).host;
const ownEndpoint = (hospitalId: string, id: string) => and(eq(webhookEndpoints.hospitalId, hospitalId), eq(webhookEndpoints.id, id));

/** Runs a change of an endpoint as an owner of its place, with its row locked. @throws DomainError("not-found" | "forbidden") */
export function changeEndpoint<T>(
  ctx: Ctx<Actor>,
  { hospitalId, id }: WebhookId,
  change: (tx: ActingCtx, endpoint: typeof webhookEndpoints.$inferSelect) => Promise<T>,
): Promise<T> {
  return transact(ctx, async (outer) => {
    const tx = await requireActing(outer, hospitalId, "manage-staff");
    const [endpoint] = isUuid(id)
      ? await tx.db.select().from(webhookEndpoints).where(ownEndpoint(tx.actor.onBehalfOf.hospitalId, id)).for("no key update")
      : [];
    if (!endpoint) throw new DomainError("not-found");
    return change(tx, endpoint);
  });
}

type Kind = "add-webhook" | "edit-webhook" | "pause-webhook" | "resume-webhook" | "remove-webhook" | "rotate-webhook-secret";
/** Records a change of an endpoint. Not the whole address: it may contain a key. */
const recordOf = (tx: ActingCtx, kind: Kind, url: string) =>
  recordChange(tx, kind, { subject: { hospital: tx.actor.onBehalfOf.hospitalId }, details: { websites: hostOf(url) } });

/**
 * Adds an endpoint to a place, as an owner. It gets the events from now on. @returns its id
 * @throws DomainError("not-found" | "forbidden" | "unproven" | "too-many"), "conflict" when the place has too many, or this address already
 */
export async function addWebhook(ctx: Ctx<Actor>, { hospitalId, ...input }: WebhookInput & { hospitalId: string }): Promise<string> {
  await requireActing(ctx, hospitalId, "manage-staff");
  requireProof(ctx, "manage-webhook");
  await spendLimits(ctx, [{ limit: "webhook-change", key: hospitalId }]);
  return transact(ctx, async (outer) => {
    await lockPlace(outer, hospitalId);
    const tx = await requireActing(outer, hospitalId, "manage-staff");
    const others = await tx.db
      .select({ url: webhookEndpoints.url })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.hospitalId, hospitalId));
    const refused = others.some(({ url }) => url === input.url)
      ? m.hooks_url_taken()
      : others.length >= MOST_ENDPOINTS
        ? m.hooks_too_many({ max: MOST_ENDPOINTS })
        : null;
    if (refused) throw new DomainError("conflict", refused, { fields: { url: [refused] } });
    const id = randomUUID();
    await tx.db.insert(webhookEndpoints).values({
      id,
      hospitalId,
      ...input,
      secret: sealed(webhookEndpoints.secret, id, newSecret()),
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    await recordOf(tx, "add-webhook", input.url);
    return id;
  });
}

/** Changes address, note and events of an endpoint. @throws DomainError("not-found" | "forbidden" | "unproven" | "too-many" | "conflict") */
export async function saveWebhook(ctx: Ctx<Actor>, { hospitalId, id, ...input }: WebhookInput & WebhookId): Promise<void> {
  await requireActing(ctx, hospitalId, "manage-staff");
  requireProof(ctx, "manage-webhook");
  await spendLimits(ctx, [{ limit: "webhook-change", key: hospitalId! }]);
  await changeEndpoint(ctx, { hospitalId, id }, async (tx, before) => {
    const same = and(eq(webhookEndpoints.hospitalId, before.hospitalId), eq(webhookEndpoints.url, input.url));
    const [taken] = await tx.db
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(and(same, sql`${webhookEndpoints.id} <> ${before.id}`));
    if (taken) throw new DomainError("conflict", m.hooks_url_taken(), { fields: { url: [m.hooks_url_taken()] } });
    await tx.db
      .update(webhookEndpoints)
      .set({ ...input, updatedAt: tx.now })
      .where(eq(webhookEndpoints.id, before.id));
    await recordOf(tx, "edit-webhook", input.url);
  });
}

/** Pauses an endpoint, so that its events wait, or resumes it. Idempotent. @throws DomainError("not-found" | "forbidden") */
export function pauseWebhook(ctx: Ctx<Actor>, which: WebhookId, pause: boolean): Promise<void> {
  return changeEndpoint(ctx, which, async (tx, { id, state, url }) => {
    if (pause ? state !== "active" : state === "active") return;
    await tx.db
      .update(webhookEndpoints)
      .set({ state: pause ? "paused" : "active", failingSince: null, updatedAt: tx.now })
      .where(eq(webhookEndpoints.id, id));
    await recordOf(tx, pause ? "pause-webhook" : "resume-webhook", url);
  });
}

/** Removes an endpoint and its deliveries. Idempotent. @throws DomainError("not-found" | "forbidden") */
export function removeWebhook(ctx: Ctx<Actor>, which: WebhookId): Promise<void> {
  return changeEndpoint(ctx, which, async (tx, { id, url }) => {
    await tx.db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    await recordOf(tx, "remove-webhook", url);
  });
}

/**
 * Returns the secrets of an endpoint, for an owner who has confirmed their identity.
 * @throws DomainError("not-found" | "forbidden" | "unproven")
 */
export async function getWebhookSecret(ctx: Ctx<Actor>, { hospitalId, id }: WebhookId) {
  const acting = await requireActing(ctx, hospitalId, "manage-staff");
  requireProof(ctx, "manage-webhook");
  const [row] = isUuid(id)
    ? await ctx.db
        .select({ url: webhookEndpoints.url, secret: opened(webhookEndpoints.secret), previousUntil: webhookEndpoints.previousUntil })
        .from(webhookEndpoints)
        .where(ownEndpoint(acting.actor.onBehalfOf.hospitalId, id))
    : [];
  if (!row) throw new DomainError("not-found");
  const { previousUntil, ...rest } = row;
  return { ...rest, previousUntil: previousUntil && previousUntil > ctx.now ? previousUntil : null };
}

/**
 * Gives an endpoint a new secret. The one before signs too for a day, so that the receiver can change it without losing events. In that day it
 * is not replaced again: a second press would end the secret that the receiver has.
 * @throws DomainError("not-found" | "forbidden" | "unproven" | "conflict")
 */
export async function rotateWebhookSecret(ctx: Ctx<Actor>, which: WebhookId): Promise<void> {
  await requireActing(ctx, which.hospitalId, "manage-staff");
  requireProof(ctx, "manage-webhook");
  await changeEndpoint(ctx, which, async (tx, { id, url }) => {
    const [row] = await tx.db
      .select({ secret: opened(webhookEndpoints.secret) })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, id));
    const [rotated] = await tx.db
      .update(webhookEndpoints)
      .set({
        secret: sealed(webhookEndpoints.secret, id, newSecret()),
        previousSecret: sealed(webhookEndpoints.previousSecret, id, row!.secret),
        previousUntil: new Date(tx.now.getTime() + SECRET_OVERLAP),
        updatedAt: tx.now,
      })
      .where(and(eq(webhookEndpoints.id, id), or(isNull(webhookEndpoints.previousUntil), lt(webhookEndpoints.previousUntil, tx.now))))
      .returning({ id: webhookEndpoints.id });
    if (!rotated) throw new DomainError("conflict", m.hooks_rotated_already());
    await recordOf(tx, "rotate-webhook-secret", url);
  });
}
