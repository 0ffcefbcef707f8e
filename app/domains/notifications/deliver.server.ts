import { eq } from "drizzle-orm";
import { notifications, users } from "#app/db/schema/index.ts";
import { env } from "#app/env.server.ts";
import { decisionMessage } from "#app/integrations/sms/templates.ts";
import { m } from "#app/paraglide/messages.js";
import type { Ctx } from "../context.server.ts";
import { settingsOf } from "../settings/queries.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind, type NotificationLook } from "./kinds.ts";
import { wordsOf } from "./words.ts";

async function findNotice(ctx: Ctx, id: string) {
  const [row] = await ctx.db
    .select({
      userId: notifications.userId,
      kind: notifications.kind,
      params: notifications.params,
      targetPath: notifications.targetPath,
      email: users.email,
      phone: users.phone,
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .where(eq(notifications.id, id));
  return row ? { ...row, words: wordsOf(row.kind as NotificationKind, row.params) } : null;
}

/** What the person wants at the moment of sending; what is sent always is not asked. */
async function isWanted(ctx: Ctx, notice: { userId: string; kind: string }, way: "email" | "sms"): Promise<boolean> {
  const look: NotificationLook | undefined = NOTIFICATION_KINDS[notice.kind as NotificationKind];
  return look?.always === true || (await settingsOf(ctx, notice.userId)).notifications[way];
}

/** The letter of a notification, to the person's address; nothing when there is none, or they want none. @throws DomainError("unavailable") */
export async function sendNoticeLetter(ctx: Ctx, notificationId: string): Promise<void> {
  const notice = await findNotice(ctx, notificationId);
  if (!notice?.email || !(await isWanted(ctx, notice, "email"))) return;
  const link = new URL(notice.targetPath ?? "/", env().appUrl).href;
  await ctx.integrations.email.send({
    to: notice.email,
    subject: m.notifications_letter_subject({ title: notice.words.title }),
    body: m.notifications_letter({ message: notice.words.message, link }),
  });
}

/** The text message of a notification: only that there is news, because an SMS can be read by others. @throws DomainError("unavailable") */
export async function sendNoticeSms(ctx: Ctx, notificationId: string): Promise<void> {
  const notice = await findNotice(ctx, notificationId);
  if (!notice?.phone || !(await isWanted(ctx, notice, "sms"))) return;
  await ctx.integrations.sms.send(decisionMessage({ to: notice.phone, title: notice.words.title, host: env().appUrl.hostname }));
}
