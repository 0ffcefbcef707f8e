import { and, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { deleteInBatches } from "#app/db/delete-in-batches.server.ts";
import { notifications } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { notifyMarked } from "#app/realtime/channels.server.ts";

const own = (ctx: Ctx<Actor>, id: string) => {
  if (!isUuid(id)) throw new DomainError("not-found");
  return and(eq(notifications.id, id), eq(notifications.userId, ctx.actor.userId));
};
/** How long a deletion can be undone. */
const UNDO = days(1);

/** Marks one of the actor's notifications as read and returns its target path; null for none. @throws DomainError("not-found") */
export function readNotification(ctx: Ctx<Actor>, id: string): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const [row] = await tx.db
      .update(notifications)
      .set({ readAt: sql`coalesce(${notifications.readAt}, ${ctx.now.toISOString()}::timestamptz)` })
      .where(and(own(tx, id), isNull(notifications.deletedAt)))
      .returning({ targetPath: notifications.targetPath });
    if (!row) throw new DomainError("not-found");
    await notifyMarked(tx, tx.actor.userId, "notificationRead", { _id: id });
    return row.targetPath;
  });
}

/** Marks all of the actor's notifications as read. */
export function readAllNotifications(ctx: Ctx<Actor>): Promise<void> {
  return transact(ctx, async (tx) => {
    await tx.db
      .update(notifications)
      .set({ readAt: tx.now })
      .where(and(eq(notifications.userId, tx.actor.userId), isNull(notifications.readAt), isNull(notifications.deletedAt)));
    await notifyMarked(tx, tx.actor.userId, "notificationRead", { _id: null });
  });
}

/** Deletes one of the actor's notifications. `restoreNotification` undoes it for a day. @throws DomainError("not-found") */
export function deleteNotification(ctx: Ctx<Actor>, id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    const [gone] = await tx.db
      .update(notifications)
      .set({ deletedAt: tx.now })
      .where(and(own(tx, id), isNull(notifications.deletedAt)))
      .returning({ id: notifications.id });
    if (!gone) throw new DomainError("not-found");
    await notifyMarked(tx, tx.actor.userId, "notificationDeleted", { _id: id });
  });
}

/** Undoes a deletion. Idempotent. @throws DomainError("not-found") for another user's id, and after a day */
export function restoreNotification(ctx: Ctx<Actor>, id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    const [back] = await tx.db.update(notifications).set({ deletedAt: null }).where(own(tx, id)).returning({ id: notifications.id });
    if (!back) throw new DomainError("not-found");
    // The open pages of the user load their lists again.
    await notifyMarked(tx, tx.actor.userId, "notificationRead", { _id: id });
  });
}

/** Removes notifications that were deleted a day ago. */
export async function sweepNotifications(ctx: Ctx): Promise<void> {
  const old = and(isNotNull(notifications.deletedAt), lt(notifications.deletedAt, new Date(ctx.now.getTime() - UNDO)));
  await deleteInBatches(ctx.db, notifications, old);
}
