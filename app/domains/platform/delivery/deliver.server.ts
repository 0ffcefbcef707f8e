import { and, eq, isNull, sql } from "drizzle-orm";
import { notificationEmails, notifications, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { cancelReasonSms } from "#app/domains/visit-reasons.ts";
import type { EmailMessage } from "#app/integrations/email/email.server.ts";
import type { SmsMessage } from "#app/integrations/sms/sms.server.ts";
import {
  bookedMessage,
  cancelledMessage,
  changedMessage,
  decisionMessage,
  offerMessage,
  passwordMessage,
  proposedMessage,
  reminderMessage,
} from "#app/integrations/sms/templates.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import { doctorOf } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind, type NotificationLook, type NotificationParams } from "../notifications/kinds.ts";
import { wordsOf } from "../notifications/words.ts";
import { settingsOf } from "../settings/queries.server.ts";
import { hasStopped } from "./stopped.server.ts";

async function findNotice(ctx: Ctx, id: string) {
  const [row] = await ctx.db
    .select({
      userId: notifications.userId,
      kind: notifications.kind,
      params: notifications.params,
      targetPath: notifications.targetPath,
      email: sql<string | null>`coalesce(${users.email}, ${notificationEmails.email})`,
      phone: users.phone,
      language: users.language,
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .leftJoin(notificationEmails, eq(notificationEmails.userId, users.id))
    .where(and(eq(notifications.id, id), isNull(notifications.deletedAt)));
  return row ?? null;
}

/** What delivery asks about the appointment of a notification. Passed in, because this module does not import appointments. */
export type AppointmentQueries = {
  /** Returns true while the appointment of a reminder is in the future. */
  isReminderDue(ctx: Ctx, params: NotificationParams): Promise<boolean>;
  /** Returns true when the patient asked in the booking form for SMS about this appointment. */
  wantsSms(ctx: Ctx, appointment: string | undefined): Promise<boolean>;
  /** Sends a reminder or an offer as a question of a conversation (app/domains/messages). None: there are no conversations. */
  pushQuestion?(
    ctx: Ctx,
    phone: string,
    notice: { userId: string; kind: string; params: NotificationParams },
  ): Promise<"sent" | "none" | "busy">;
  /** Returns the appointment as a message to the reader's calendar, if it is their own as a patient. */
  invitationFor(ctx: Ctx, reader: { userId: string; email: string }, appointment: string | undefined): Promise<EmailMessage["calendar"]>;
};

/** Returns true while an offer of the waitlist has not ended: a message may wait in the queue for longer. */
const isOpenOffer = (ctx: Ctx, { ends = "" }: NotificationParams) => ctx.now.toISOString() < ends;

/** Reads the settings at the time of sending. Some kinds are always sent. */
async function isWanted(
  ctx: Ctx,
  notice: { userId: string; kind: string; params: NotificationParams },
  way: "email" | "sms",
  ask: AppointmentQueries,
): Promise<boolean> {
  const look: NotificationLook | undefined = NOTIFICATION_KINDS[notice.kind as NotificationKind];
  if (look?.always) return true;
  const { notifications: wanted } = await settingsOf(ctx, notice.userId);
  if (look?.reminder && !(wanted.appointmentReminders && (await ask.isReminderDue(ctx, notice.params)))) return false;
  if (look?.offer) return isOpenOffer(ctx, notice.params) && (wanted[way] || (way === "sms" && notice.params.sms === "on"));
  return wanted[way] || (way === "sms" && look?.visit === true && (await ask.wantsSms(ctx, notice.params.appointment)));
}

/**
 * Sends a notification as an email in the language of its reader. Sends nothing without an address, or when the reader switched
 * emails off.
 * @throws DomainError("unavailable")
 */
export async function sendNotificationEmail(ctx: Ctx, notificationId: string, ask: AppointmentQueries): Promise<void> {
  const notice = await findNotice(ctx, notificationId);
  if (!notice?.email || !(await isWanted(ctx, notice, "email", ask))) return;
  const reader = { userId: notice.userId, email: notice.email };
  const link = new URL(notice.targetPath ?? "/", env().appUrl).href;
  const look: NotificationLook | undefined = NOTIFICATION_KINDS[notice.kind as NotificationKind];
  const email = await withLanguage(notice.language, async () => {
    const { title, message } = wordsOf(notice.kind as NotificationKind, notice.params);
    const calendar = look?.calendar ? await ask.invitationFor(ctx, reader, notice.params.appointment) : null;
    return { subject: m.notifications_email_subject({ title }), body: m.notifications_email({ message, link }), calendar };
  });
  await ctx.integrations.email.send({ to: notice.email, id: notificationId, ...email });
}

/** Returns the SMS of a notification in the current language. About a time it names doctor, day and time; never a reason of the visit. */
export function smsOf(kind: NotificationKind, params: NotificationParams, { to, host }: { to: string; host: string }): SmsMessage {
  const look: NotificationLook = NOTIFICATION_KINDS[kind];
  const { title } = wordsOf(kind, params);
  if (look.alert) return passwordMessage({ to, host, language: language() });
  if (!params.date || !params.time) return decisionMessage({ to, title, host, language: language() });
  const doctor = doctorOf(params) || m.notifications_sms_by_doctor();
  const visit = { to, doctor, date: params.date, time: params.expected ?? params.time, host, language: language() };
  const [newDate, newTime] = params.options?.split(",")[0]?.trim().split(" ") ?? [];
  if (newDate && newTime) return proposedMessage({ ...visit, newDate, newTime });
  if (look.cancelled) {
    const by =
      params.by === "clinic"
        ? m.notifications_sms_by_clinic()
        : kind === "appointment-cancelled-by-doctor"
          ? m.notifications_sms_by_doctor()
          : m.notifications_sms_by_nadi();
    return cancelledMessage({ ...visit, by, why: cancelReasonSms(params.why) });
  }
  if (look.offer) return offerMessage({ ...visit, ends: params.until ?? "" });
  // The range of the pages: its beginning alone would read as a promise.
  const timed = { ...visit, ...(params.expected && params.until && { until: params.until }) };
  if (look.booked) return bookedMessage(timed);
  return look.reminder ? reminderMessage(timed) : changedMessage({ ...timed, title });
}

/** They protect the account: STOP, whose sender may be faked, does not end them. */
const ALARMS: readonly string[] = ["password-reset", "passkey-added", "passkey-removed"] satisfies NotificationKind[];

/** When a conversation is asked again whether it waits for an answer. */
const QUIET_SECONDS = 60;

/**
 * Sends a notification as an SMS, short, because others can read an SMS.
 * @throws DomainError("unavailable")
 */
export async function sendNotificationSms(ctx: Ctx, notificationId: string, ask: AppointmentQueries): Promise<void> {
  const notice = await findNotice(ctx, notificationId);
  if (!notice?.phone || !(await isWanted(ctx, notice, "sms", ask))) return;
  if (!ALARMS.includes(notice.kind) && (await hasStopped(ctx, notice.phone))) return;
  const asked = (await ask.pushQuestion?.(ctx, notice.phone, notice)) ?? "none";
  // The user is answering another question.
  if (asked === "busy") await enqueue(ctx, "notification-sms", { notificationId }, QUIET_SECONDS);
  if (asked !== "none") return;
  const address = { to: notice.phone, host: env().appUrl.hostname };
  await ctx.integrations.sms.send(withLanguage(notice.language, () => smsOf(notice.kind as NotificationKind, notice.params, address)));
}
