import { and, eq, exists, ne } from "drizzle-orm";
import { pushSubscriptions, sessions } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { PushAddress } from "#app/integrations/push/push.server.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { addressColumns } from "./subscriptions.server.ts";

/**
 * After a login: the browser's subscription follows from the session before to the new one of the same user. It ends with the old
 * session when another user logged in.
 */
export async function movePushBrowser(ctx: Ctx, from: string, to: string): Promise<void> {
  const sameUser = ctx.db
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, to), eq(sessions.userId, pushSubscriptions.userId)));
  await ctx.db
    .update(pushSubscriptions)
    .set({ sessionHash: to })
    .where(and(eq(pushSubscriptions.sessionHash, from), exists(sameUser)));
}

type Report = { endpoint: string; next?: PushAddress | undefined };

/**
 * Applies what a browser's service worker reports about its subscription. `session`: who is logged in there now; null for a
 * visitor, whose expired login may have the subscription. The endpoint is a secret of the browser and the push service.
 * @returns false when the browser has to end its subscription: nothing is sent to it
 * @throws DomainError("invalid")
 */
export async function followPushBrowser(
  ctx: Ctx,
  session: { userId: string; tokenHash: string } | null,
  { endpoint, next }: Report,
): Promise<boolean> {
  const ours = eq(pushSubscriptions.endpointHash, hashToken(endpoint));
  const [row] = await ctx.db.select().from(pushSubscriptions).where(ours);
  if (!row) return false;
  if (!session) return true;
  if (row.userId !== session.userId) {
    await ctx.db.delete(pushSubscriptions).where(ours);
    return false;
  }
  const { tokenHash } = session;
  if (row.sessionHash !== tokenHash)
    await ctx.db.delete(pushSubscriptions).where(and(eq(pushSubscriptions.sessionHash, tokenHash), ne(pushSubscriptions.id, row.id)));
  if (next || row.sessionHash !== tokenHash)
    await ctx.db
      .update(pushSubscriptions)
      .set({ sessionHash: tokenHash, ...(next && addressColumns(row.id, next)) })
      .where(eq(pushSubscriptions.id, row.id));
  return true;
}
