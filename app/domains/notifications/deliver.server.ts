import { eq } from "drizzle-orm";
import { notifications, users } from "#app/db/schema/index.ts";
import { env } from "#app/env.server.ts";
import { decisionMessage, passwordMessage, reminderMessage } from "#app/integrations/sms/templates.ts";
import { formatDate, formatTime } from "#app/lib/dates.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { stillStands } from "../appointments/send-reminders.server.ts";
import type { Ctx } from "../context.server.ts";
import { settingsOf } from "../settings/queries.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind, type NotificationLook, type NotificationParams } from "./kinds.ts";
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
      language: users.language,
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .where(eq(notifications.id, id));
  return row ?? null;
}

/** What the person wants at the moment of sending; what is sent always is not asked. */
async function isWanted(
  ctx: Ctx,
  notice: { userId: string; kind: string; params: NotificationParams },
  way: "email" | "sms",
): Promise<boolean> {
  const look: NotificationLook | undefined = NOTIFICATION_KINDS[notice.kind as NotificationKind];
  if (look?.always) return true;
  const { notifications: wanted } = await settingsOf(ctx, notice.userId);
  if (look?.reminder && !(wanted.appointmentReminders && (await stillStands(ctx, notice.params)))) return false;
  return wanted[way];
}

/** The letter of a notification, in the language of its reader, to the person's address; nothing when there is none, or they want none. @throws DomainError("unavailable") */
export async function sendNoticeLetter(ctx: Ctx, notificationId: string): Promise<void> {
  const notice = await findNotice(ctx, notificationId);
  if (!notice?.email || !(await isWanted(ctx, notice, "email"))) return;
  const link = new URL(notice.targetPath ?? "/", env().appUrl).href;
  const letter = withLanguage(notice.language, () => {
    const { title, message } = wordsOf(notice.kind as NotificationKind, notice.params);
    return { subject: m.notifications_letter_subject({ title }), body: m.notifications_letter({ message, link }) };
  });
  await ctx.integrations.email.send({ to: notice.email, ...letter });
}

/** The text message of a notification: only that there is news, because an SMS can be read by others. @throws DomainError("unavailable") */
export async function sendNoticeSms(ctx: Ctx, notificationId: string): Promise<void> {
  const notice = await findNotice(ctx, notificationId);
  if (!notice?.phone || !(await isWanted(ctx, notice, "sms"))) return;
  const { phone: to, params } = notice;
  const host = env().appUrl.hostname;
  const look: NotificationLook = NOTIFICATION_KINDS[notice.kind as NotificationKind];
  const message = withLanguage(notice.language, () =>
    look.alert
      ? passwordMessage({ to, host, language: language() })
      : look.reminder
        ? reminderMessage({ to, date: formatDate(params.date ?? ""), time: formatTime(params.time ?? ""), host, language: language() })
        : decisionMessage({ to, title: wordsOf(notice.kind as NotificationKind, params).title, host, language: language() }),
  );
  await ctx.integrations.sms.send(message);
}
