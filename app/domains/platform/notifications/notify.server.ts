import { eq } from "drizzle-orm";
import { notifications, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { pathOf, type Target } from "#app/lib/targets.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { publish } from "#app/realtime/channels.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind, type NotificationLook, type NotificationParams } from "./kinds.ts";
import { wordsOf } from "./words.ts";

/**
 * Writes a notification for one user and publishes it, in the transaction of `ctx`. The relay sends the event after the commit, so
 * a socket never announces what was rolled back. Emails and SMS are jobs of the same transaction.
 */
export async function notify(ctx: Ctx, to: string, kind: NotificationKind, params: NotificationParams, target: Target): Promise<void> {
  const targetPath = pathOf(target);
  const [row] = await ctx.db
    .insert(notifications)
    .values({ userId: to, kind, type: NOTIFICATION_KINDS[kind].type, params, targetPath, createdAt: ctx.now })
    .returning({ id: notifications.id });
  const { type, email, sms }: NotificationLook = NOTIFICATION_KINDS[kind];
  if (email) await enqueue(ctx, "notification-email", { notificationId: row!.id });
  if (sms) await enqueue(ctx, "notification-sms", { notificationId: row!.id });
  const person = await ctx.db.select({ language: users.language }).from(users).where(eq(users.id, to));
  const { title, message } = withLanguage(person[0]?.language, () => wordsOf(kind, params));
  // An event has at most 8,000 bytes. The page has the whole text.
  const data = { _id: row!.id, title, message: message.slice(0, 500), type, read: false, createdAt: ctx.now.toISOString(), targetPath };
  await publish(ctx, to, "receiveNotification", data);
}
