import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { inboundMessages, messageThreads } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { findRedFlag } from "#app/domains/guidance/triage/red-flags.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { enqueueAll } from "#app/queue/queue.server.ts";
import { openThread, UNSEEN } from "../answers/open-thread.server.ts";

/** A message or a missed call as a provider reports it. */
export type Received = {
  provider: string;
  /** Unique for the provider: a message that is reported again is stored once. */
  providerId: string;
  channel: MessageChannel;
  phone: Phone;
  kind: "text" | "call";
  text: string;
  /** The value of a pressed button, or the key of a call. */
  pressed?: string | undefined;
  sentAt: Date;
};

/** As long as WhatsApp allows. Longer texts are cut. */
const LONGEST = 4_096;
/** Messages of one number that are stored in half an hour. Those after FLOOD (answer-thread.server.ts) get no answer. */
const MOST_STORED = 300;
const WINDOW = minutes(30);
/** A provider reports a message again for a week, and its clock may be wrong: other times are taken for the time of arrival. */
const CLOCK_ERROR = days(8);

/** Stores a message before it is answered, each once. @returns the conversation; null when it was stored before */
export async function receiveMessage(ctx: Ctx, message: Received): Promise<string | null> {
  return transact(ctx, async (tx) => {
    // Statements that do not need each other are sent together, here and below.
    const [thread, recent] = await Promise.all([openThread(tx, message), countRecent(tx, message)]);
    // Danger words are stored in any flood, but not without end.
    if (recent >= MOST_STORED && recent >= MOST_STORED * (findRedFlag(message.text) ? 2 : 1)) return null;
    const { provider, providerId, kind, pressed = null } = message;
    const known = Math.abs(message.sentAt.getTime() - ctx.now.getTime()) < CLOCK_ERROR;
    const sentAt = known && message.sentAt < ctx.now ? message.sentAt : ctx.now;
    const [stored] = await tx.db
      .insert(inboundMessages)
      .values({
        ...{ provider, providerId, threadId: thread, kind, pressed },
        content: sealed(inboundMessages.content, [provider, providerId], plainText(message.text)),
        ...{ sentAt, receivedAt: ctx.now },
      })
      .onConflictDoNothing()
      .returning({ id: inboundMessages.id });
    if (!stored) return null;
    // Of messages that come late the newest counts.
    const lastInAt = sql`greatest(${messageThreads.lastInAt}, ${sentAt.toISOString()}::timestamptz)`;
    await Promise.all([
      tx.db.update(messageThreads).set({ lastInAt }).where(eq(messageThreads.id, thread)),
      enqueueAll(tx, [{ name: "conversation", data: { threadId: thread } }]),
    ]);
    return thread;
  });
}

/** Returns how many messages of a number were stored lately. */
function countRecent({ db, now }: Ctx, { phone, channel }: Received): Promise<number> {
  const own = db
    .select({ id: messageThreads.id })
    .from(messageThreads)
    .where(and(eq(messageThreads.phone, phone), eq(messageThreads.channel, channel)));
  const since = new Date(now.getTime() - WINDOW);
  return db.$count(inboundMessages, and(inArray(inboundMessages.threadId, own), gt(inboundMessages.receivedAt, since)));
}

/** Removes NUL, which PostgreSQL refuses. */
const plainText = (text: string): string => text.replaceAll("\0", "").slice(0, LONGEST);

/** How long the texts of conversations are stored. */
const TEXTS = days(90);

/** Longer than the retries of a message last (queue.server.ts). */
const RETRIES = hours(28);

/**
 * Deletes old texts, and conversations of numbers that were not seen for a year. A message whose retries have ended is `failed`, and shown so to
 * the clinic. Run by the hourly sweep.
 */
export async function sweepMessages(ctx: Ctx): Promise<void> {
  const before = (life: number) => sql`${new Date(ctx.now.getTime() - life).toISOString()}::timestamptz`;
  await ctx.db.execute(sql`delete from inbound_messages where received_at < ${before(TEXTS)}`);
  await ctx.db.execute(sql`delete from outbound_messages where created_at < ${before(TEXTS)}`);
  await ctx.db.execute(
    sql`update outbound_messages set state = 'failed' where state in ('queued', 'sending') and created_at < ${before(RETRIES)}`,
  );
  await ctx.db.delete(messageThreads).where(sql`coalesce(${messageThreads.lastInAt}, ${messageThreads.createdAt}) < ${before(UNSEEN)}`);
}
