import { and, eq, isNull, sql } from "drizzle-orm";
import { notifications } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { publish } from "#app/realtime/channels.server.ts";

const own = (ctx: Ctx<Actor>, id: string) => {
  if (!isUuid(id)) throw new DomainError("not-found");
  return and(eq(notifications.id, id), eq(notifications.userId, ctx.actor.userId));
};

/** Marks one of the actor's notifications as read and returns its target path; null for none. @throws DomainError("not-found") */
export function readNotification(ctx: Ctx<Actor>, id: string): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const [row] = await tx.db
      .update(notifications)
      .set({ readAt: sql`coalesce(${notifications.readAt}, ${ctx.now.toISOString()}::timestamptz)` })
      .where(own(tx, id))
      .returning({ targetPath: notifications.targetPath });
    if (!row) throw new DomainError("not-found");
    await publish(tx, tx.actor.userId, "notificationRead", { _id: id });
    return row.targetPath;
  });
}

/** Marks all of the actor's notifications as read. */
export function readAllNotifications(ctx: Ctx<Actor>): Promise<void> {
  return transact(ctx, async (tx) => {
    await tx.db
      .update(notifications)
      .set({ readAt: tx.now })
      .where(and(eq(notifications.userId, tx.actor.userId), isNull(notifications.readAt)));
    await publish(tx, tx.actor.userId, "notificationRead", { _id: null });
  });
}

/** Deletes one of the actor's notifications. @throws DomainError("not-found") */
export function deleteNotification(ctx: Ctx<Actor>, id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    const [gone] = await tx.db.delete(notifications).where(own(tx, id)).returning({ id: notifications.id });
    if (!gone) throw new DomainError("not-found");
    await publish(tx, tx.actor.userId, "notificationDeleted", { _id: id });
  });
}
