import { eq, sql } from "drizzle-orm";
import { notifications, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { pathOf, type Target } from "#app/lib/targets.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { publish } from "#app/realtime/channels.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind, type NotificationLook, type NotificationParams } from "./kinds.ts";
import { PUSH_GROUPS } from "./push-groups.ts";
import { wordsOf } from "./words.ts";

/** SQL: the browsers of a user that show notifications, as JSON. */
const browsers = sql<string[]>`(select coalesce(json_agg(p.id), '[]') from push_subscriptions p where p.user_id = users.id)`;

/**
 * Writes a notification for one user and publishes it, in the transaction of `ctx`. The relay sends the event after the commit, so
 * a socket never announces what was rolled back. Emails, SMS and messages to browsers are jobs of the same transaction.
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
  const [person] = await ctx.db.select({ language: users.language, browsers }).from(users).where(eq(users.id, to));
  if (PUSH_GROUPS[kind])
    for (const subscriptionId of person?.browsers ?? [])
      await enqueue(ctx, "notification-push", { notificationId: row!.id, subscriptionId });
  const { title, message } = withLanguage(person?.language, () => wordsOf(kind, params));
  // An event has at most 8,000 bytes. The page has the whole text.
  const data = { _id: row!.id, title, message: message.slice(0, 500), type, read: false, createdAt: ctx.now.toISOString(), targetPath };
  await publish(ctx, to, "receiveNotification", data);
}
