import { and, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { notifications, users } from "#app/db/schema/index.ts";
import { unreadOf } from "#app/db/schema/unread.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { isNotificationKind, type NotificationKind, type NotificationLook, type NotificationParams } from "./kinds.ts";

/** Counts unread notifications of the actor, at most 99. */
export async function countUnread(ctx: Ctx<Actor>): Promise<number> {
  const query = hot(ctx.db, "count_unread", (db) =>
    db
      .select({ n: unreadOf(users.id) })
      .from(users)
      .where(eq(users.id, sql.placeholder("user")))
      .prepare("count_unread"),
  );
  const [row] = await query.execute({ user: ctx.actor.userId });
  return row?.n ?? 0;
}

export type NotificationRow = {
  id: string;
  kind: NotificationKind;
  type: NotificationLook["type"];
  params: NotificationParams;
  createdAt: Date;
  read: boolean;
  deleted: boolean;
  targetPath: string | null;
};
export const PAGE = 30;

/**
 * Returns a page of the actor's notifications, newest first. `before`: the `next` of the previous page. `undo`: a deleted one to
 * return too, at its place. Apps use `limit` and `offset`.
 */
export async function listNotifications(
  ctx: Ctx<Actor>,
  before: string | null,
  { limit, offset, undo }: { limit: number; offset: number; undo?: string | null } = { limit: PAGE, offset: 0 },
): Promise<{ rows: NotificationRow[]; next: string | null }> {
  const at = before && !Number.isNaN(Date.parse(before)) ? new Date(before) : null;
  const shown = isNull(notifications.deletedAt);
  const rows = await ctx.db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, ctx.actor.userId),
        undo && isUuid(undo) ? or(shown, eq(notifications.id, undo)) : shown,
        at ? lt(notifications.createdAt, at) : undefined,
      ),
    )
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(limit + 1)
    .offset(offset);
  const page = rows.slice(0, limit);
  return {
    // An old process has no texts for a kind of a newer version.
    rows: page.flatMap((r) =>
      isNotificationKind(r.kind)
        ? [
            {
              id: r.id,
              kind: r.kind,
              type: r.type,
              params: r.params,
              createdAt: r.createdAt,
              read: r.readAt !== null,
              deleted: r.deletedAt !== null,
              targetPath: r.targetPath,
            },
          ]
        : [],
    ),
    next: rows.length > limit ? (page.at(-1)?.createdAt.toISOString() ?? null) : null,
  };
}
