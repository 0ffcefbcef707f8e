import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, inArray, or } from "drizzle-orm";
import { pushSubscriptions, sessions } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { readPublicUrl } from "#app/integrations/public-http/public-address.ts";
import { areBrowserKeys } from "#app/integrations/push/encrypt-message.server.ts";
import type { PushAddress } from "#app/integrations/push/push.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken, isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { spendLimits } from "../limits/limit.server.ts";
import { type Device, deviceOf } from "../users/device.ts";
import { lockAccount, requireOpenAccount } from "../users/lock-account.server.ts";

/** The browsers of a user that show notifications. Beyond it the one that was added first is removed. */
const MAX_BROWSERS = 10;

export type PushBrowser = { id: string; device: Device; since: Date; current: boolean };

/** @throws DomainError("not-found") without VAPID keys, and "forbidden" for users without a settings page */
function requirePush({ integrations, actor }: Ctx<Actor>): void {
  if (!integrations.push) throw new DomainError("not-found");
  if (actor.role !== "patient" && actor.role !== "doctor") throw new DomainError("forbidden");
}

/** Returns the actor's browsers: this one first, then the newest. Does not return addresses. */
export async function listPushBrowsers(ctx: Ctx<Actor>, sessionHash: string): Promise<PushBrowser[]> {
  requirePush(ctx);
  const { id, userAgent, createdAt, userId } = pushSubscriptions;
  const rows = await ctx.db
    .select({ id, userAgent, since: createdAt, sessionHash: pushSubscriptions.sessionHash })
    .from(pushSubscriptions)
    .where(eq(userId, ctx.actor.userId))
    .orderBy(desc(eq(pushSubscriptions.sessionHash, sessionHash)), desc(createdAt));
  return rows.map((row) => ({ id: row.id, device: deviceOf(row.userAgent), since: row.since, current: row.sessionHash === sessionHash }));
}

/** @throws DomainError("invalid") for an address that must not be called, or keys that are none */
function checkAddress(address: PushAddress): void {
  if (!readPublicUrl(address.endpoint, env().webhookTestOrigin) || !areBrowserKeys(address))
    throw new DomainError("invalid", m.push_refused());
}

/** Returns the columns of an address, for a row with this id. */
export function addressColumns(id: string, address: PushAddress) {
  checkAddress(address);
  const { endpoint, p256dh, auth } = address;
  return { endpointHash: hashToken(endpoint), address: sealed(pushSubscriptions.address, id, { endpoint, p256dh, auth }) };
}

/**
 * Shows notifications of the actor in the browser of this session. Replaces what this browser had before, also of another user.
 * @throws DomainError("invalid" | "too-many" | "not-found" | "forbidden")
 */
export async function addPushBrowser(ctx: Ctx<Actor>, sessionHash: string, address: PushAddress, userAgent: string): Promise<void> {
  requirePush(ctx);
  const { userId } = ctx.actor;
  const id = randomUUID();
  const columns = addressColumns(id, address);
  await spendLimits(ctx, [{ limit: "push-subscribe", key: userId }]);
  await transact(ctx, async (tx) => {
    // Two at once would both count the same rows.
    await lockAccount(tx, userId);
    await requireOpenAccount(tx);
    const [open] = await tx.db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.tokenHash, sessionHash), eq(sessions.userId, userId), gt(sessions.expiresAt, tx.now)))
      .for("key share");
    if (!open) throw new DomainError("unauthenticated");
    const { endpointHash } = columns;
    await tx.db
      .delete(pushSubscriptions)
      .where(or(eq(pushSubscriptions.sessionHash, sessionHash), eq(pushSubscriptions.endpointHash, endpointHash)));
    await tx.db
      .insert(pushSubscriptions)
      .values({ id, userId, sessionHash, ...columns, userAgent: userAgent.slice(0, 300), createdAt: tx.now })
      .onConflictDoNothing();
    const all = await tx.db
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(desc(pushSubscriptions.createdAt), pushSubscriptions.id);
    const beyond = all.slice(MAX_BROWSERS).map((row) => row.id);
    if (beyond.length) await tx.db.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, beyond));
    await recordChange(tx, "add-push", { people: { user: userId } });
  });
}

/** Shows no more notifications in one of the actor's browsers. Idempotent. */
export async function removePushBrowser(ctx: Ctx<Actor>, id: string): Promise<void> {
  requirePush(ctx);
  const { userId } = ctx.actor;
  if (!isUuid(id)) return;
  await transact(ctx, async (tx) => {
    const [gone] = await tx.db
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.userId, userId)))
      .returning({ id: pushSubscriptions.id });
    if (gone) await recordChange(tx, "remove-push", { people: { user: userId } });
  });
}
