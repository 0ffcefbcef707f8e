import { and, desc, eq, ne } from "drizzle-orm";
import { sessions, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { deviceOf, type SessionDevice } from "#app/domains/platform/users/device.ts";
import { orNull } from "#app/integrations/or-null.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { spendLimits } from "../limits/limit.server.ts";
import { nearestCity } from "../location/queries.server.ts";
import { isLiveAt } from "./queries.server.ts";
import { expireSessions } from "./sessions.server.ts";

const SHOWN = 20;
/** Most addresses that are looked up for a page. */
const LOOKUPS = 5;

/** Returns the browser sessions of the acting user with device and city: this one first, then the last used. */
export async function listSessionDevices(ctx: Ctx<Actor>, tokenHash: string): Promise<SessionDevice[]> {
  const rows = await ctx.db
    .select({
      id: sessions.id,
      tokenHash: sessions.tokenHash,
      userAgent: sessions.userAgent,
      since: sessions.createdAt,
      lastUsed: sessions.lastSeenAt,
      address: sessions.ip,
      city: sessions.city,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, ctx.actor.userId), eq(sessions.kind, "browser"), isLiveAt(ctx.now)))
    .orderBy(desc(eq(sessions.tokenHash, tokenHash)), desc(sessions.lastSeenAt))
    .limit(SHOWN);
  const unknown = [...new Set(rows.filter((row) => row.address && !row.city).map((row) => row.address ?? ""))].slice(0, LOOKUPS);
  const cities = new Map(await Promise.all(unknown.map(async (address) => [address, await cityOf(ctx, address)] as const)));
  return rows.map(({ tokenHash: own, userAgent, ...row }) => ({
    ...row,
    device: deviceOf(userAgent),
    city: row.city ?? cities.get(row.address ?? "") ?? null,
    current: own === tokenHash,
  }));
}

/** Returns the city of an address, stored with its sessions; null without a lookup service, or for an unknown address. */
async function cityOf(ctx: Ctx<Actor>, address: string): Promise<string | null> {
  const { ipPlaces } = ctx.integrations;
  if (!ipPlaces) return null;
  const at = await orNull(spendLimits(ctx, [{ limit: "locate", key: ctx.actor.userId }]).then(() => ipPlaces.placeOf(address)));
  const city = at && (await nearestCity(ctx, at.latitude, at.longitude));
  if (!city) return null;
  await ctx.db
    .update(sessions)
    .set({ city: city.displayName })
    .where(and(eq(sessions.userId, ctx.actor.userId), eq(sessions.ip, address)));
  return city.displayName;
}

/** Ends one other session of the acting user. Idempotent. @throws DomainError("not-found") for a malformed id */
export async function endOwnSession(ctx: Ctx<Actor>, input: { id: string; tokenHash: string }): Promise<void> {
  if (!isUuid(input.id)) throw new DomainError("not-found");
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const ended = await expireSessions(
      tx,
      and(eq(sessions.id, input.id), eq(sessions.userId, userId), eq(sessions.kind, "browser"), ne(sessions.tokenHash, input.tokenHash)),
    );
    if (ended === 0) return;
    await recordChange(tx, "end-other-sessions", { people: { user: userId }, details: { sessionsEnded: 1 } });
  });
}
