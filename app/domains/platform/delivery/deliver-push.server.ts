import { createHash } from "node:crypto";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { notifications, pushSubscriptions, sessions, users } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { unavailable } from "#app/integrations/failure.server.ts";
import { formatDate, formatTime, instantInIndia } from "#app/lib/dates.ts";
import { hours, seconds } from "#app/lib/durations.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { log } from "#app/runtime/log.server.ts";
import {
  isNotificationKind,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationLook,
  type NotificationParams,
} from "../notifications/kinds.ts";
import { PUSH_GROUPS } from "../notifications/push-groups.ts";
import { wordsOf } from "../notifications/words.ts";
import { settingsOf } from "../settings/queries.server.ts";
import type { AppointmentQueries } from "./deliver.server.ts";

/** `tries`: how often the push service asked to wait. `refusals`: how often it answered this message with 403. */
type Job = { notificationId: string; subscriptionId: string; tries?: number; refusals?: number };

/** A message that could not be delivered for this long is not news. */
const NEWS_FOR = hours(12);
/** A push service may ask this often to wait. */
const MAX_TRIES = 10;
/** How often a message is offered to a push service that answers 403, and the seconds between. */
const REFUSALS = 4;
const AFTER_REFUSAL = 30 * 60;
/** A subscription that is refused for this long may end: as long as one message is offered. */
const REFUSED_FOR = seconds((REFUSALS - 1) * AFTER_REFUSAL);
/** The shortest wait in seconds. */
const MIN_WAIT = 30;

/** Returns the notification and the browser; null when one of them is gone, read, or its session has ended. */
async function findMessage(ctx: Ctx, { notificationId, subscriptionId }: Job) {
  const [row] = await ctx.db
    .select({
      userId: notifications.userId,
      kind: notifications.kind,
      params: notifications.params,
      targetPath: notifications.targetPath,
      createdAt: notifications.createdAt,
      language: users.language,
      role: users.role,
      endpointHash: pushSubscriptions.endpointHash,
      address: opened(pushSubscriptions.address),
    })
    .from(pushSubscriptions)
    .innerJoin(sessions, and(eq(sessions.tokenHash, pushSubscriptions.sessionHash), gt(sessions.expiresAt, ctx.now)))
    .innerJoin(users, and(eq(users.id, pushSubscriptions.userId), eq(users.status, "active")))
    .innerJoin(notifications, eq(notifications.userId, users.id))
    .where(
      and(
        eq(pushSubscriptions.id, subscriptionId),
        eq(notifications.id, notificationId),
        isNull(notifications.readAt),
        isNull(notifications.deletedAt),
      ),
    );
  return row && isNotificationKind(row.kind) ? { ...row, kind: row.kind } : null;
}
type Message = NonNullable<Awaited<ReturnType<typeof findMessage>>>;

async function isWanted(ctx: Ctx, { userId, kind, params }: Message, ask: AppointmentQueries): Promise<boolean> {
  const group = PUSH_GROUPS[kind];
  const settings = await settingsOf(ctx, userId);
  if (!group || !settings.push[group]) return false;
  const look: NotificationLook = NOTIFICATION_KINDS[kind];
  return !look.reminder || (settings.notifications.appointmentReminders && (await ask.isReminderDue(ctx, params)));
}

/** Returns when a message is no longer news: a reminder ends with the start of its visit, an offer with its own end. */
function endOf({ kind, params, createdAt }: Message): Date {
  const look: NotificationLook = NOTIFICATION_KINDS[kind];
  if (look.offer && params.ends) return new Date(params.ends);
  if (look.reminder && !look.follow && params.date && params.time) return instantInIndia(params.date, params.expected ?? params.time);
  return new Date(createdAt.getTime() + NEWS_FOR);
}

/**
 * Returns the text for a lock screen: what an SMS about it may say. The title of a kind has no name; day and time are added where
 * the SMS has them.
 * @internal read by a test
 */
export function pushWords(kind: NotificationKind, params: NotificationParams): { title: string; body: string } {
  const look: NotificationLook = NOTIFICATION_KINDS[kind];
  const { title } = wordsOf(kind, params);
  const time = params.expected ?? params.time;
  const dated = look.cancelled || look.booked || look.offer || (look.reminder && !look.follow);
  return {
    title,
    body: dated && params.date && time ? m.push_body_at({ date: formatDate(params.date), time: formatTime(time) }) : m.push_body(),
  };
}

/** A later message about the same thing replaces this one, in the push service and on the screen. */
const topicOf = ({ kind, params, endpointHash }: Message, id: string) => {
  const group = PUSH_GROUPS[kind] === "reminders" ? "appointments" : PUSH_GROUPS[kind];
  return createHash("sha256")
    .update(`${endpointHash}|${group}|${params.appointment ?? id}`)
    .digest("base64url")
    .slice(0, 32);
};

/**
 * Sends a notification to one browser, in the language of its reader. Sends nothing after it was read, after the session of the
 * browser ended, when it is no longer news, or when the reader does not want its kind. Deletes a subscription that the push
 * service no longer knows, or refuses again and again.
 * @throws DomainError("unavailable") to be tried again
 */
export async function sendNotificationPush(ctx: Ctx, job: Job, ask: AppointmentQueries): Promise<void> {
  const { push } = ctx.integrations;
  if (!push) return;
  const message = await findMessage(ctx, job);
  if (!message) return;
  const end = endOf(message);
  const ttl = Math.floor((end.getTime() - ctx.now.getTime()) / 1000);
  if (ttl <= 0 || !(await isWanted(ctx, message, ask))) return;
  const topic = topicOf(message, job.notificationId);
  const look: NotificationLook = NOTIFICATION_KINDS[message.kind];
  const content = withLanguage(message.language, () =>
    JSON.stringify({ ...pushWords(message.kind, message.params), lang: language(), tag: topic, path: message.targetPath ?? "/" }),
  );
  const outcome = await push.send({
    to: message.address,
    content,
    ttl,
    urgency: look.always || look.offer || look.reminder ? "high" : "normal",
    topic,
  });
  const ours = eq(pushSubscriptions.id, job.subscriptionId);
  const service = new URL(message.address.endpoint).origin;
  if (outcome.state === "sent")
    await ctx.db.update(pushSubscriptions).set({ lastSentAt: ctx.now, service, refusedSince: null }).where(ours);
  else if (outcome.state === "gone") await ctx.db.delete(pushSubscriptions).where(ours);
  else if (outcome.state === "refused") {
    log.warn({ why: outcome.why, bytes: content.length }, "a push service refused a message");
    if (outcome.why === "403") await tryAgainOrEnd(ctx, job, message, { ttl, service });
  } else if (outcome.seconds === undefined) throw unavailable("push", outcome.why);
  else {
    const wait = Math.max(MIN_WAIT, outcome.seconds);
    const tries = (job.tries ?? 0) + 1;
    if (tries <= MAX_TRIES && wait < ttl) await enqueue(ctx, "notification-push", { ...job, tries }, wait);
  }
}

/**
 * Offers a message again that was refused with 403, which is an endpoint that has ended or a wrong key of ours. A subscription that is refused for 90
 * minutes, by one or several messages, ends and its user is told, if the same push service accepted a message for another browser since the first
 * refusal: with a wrong key it accepts none, and none ends.
 */
async function tryAgainOrEnd(
  ctx: Ctx,
  job: Job,
  { userId, role }: Message,
  { ttl, service }: { ttl: number; service: string },
): Promise<void> {
  const [refused] = await ctx.db
    .update(pushSubscriptions)
    .set({ service, refusedSince: sql`coalesce(${pushSubscriptions.refusedSince}, ${ctx.now.toISOString()}::timestamptz)` })
    .where(eq(pushSubscriptions.id, job.subscriptionId))
    .returning({ since: pushSubscriptions.refusedSince });
  if (!refused) return;
  const since = refused.since!;
  if (ctx.now.getTime() - since.getTime() < REFUSED_FOR) {
    const refusals = (job.refusals ?? 0) + 1;
    if (refusals < REFUSALS && AFTER_REFUSAL < ttl) await enqueue(ctx, "notification-push", { ...job, refusals }, AFTER_REFUSAL);
    return;
  }
  const accepted = await ctx.db.$count(
    pushSubscriptions,
    and(eq(pushSubscriptions.service, service), gt(pushSubscriptions.lastSentAt, since)),
  );
  if (accepted === 0) return log.error({ service }, "a push service refuses all messages: check VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY");
  await transact(ctx, async (tx) => {
    const gone = await tx.db
      .delete(pushSubscriptions)
      .where(eq(pushSubscriptions.id, job.subscriptionId))
      .returning({ id: pushSubscriptions.id });
    const notice = { params: {}, target: { page: role === "patient" ? "patient-push" : "doctor-push" } } as const;
    if (gone.length) await recordChange(tx, "end-push", { people: { user: userId }, notify: { user: notice } });
  });
}
