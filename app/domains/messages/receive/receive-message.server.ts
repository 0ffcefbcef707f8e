import { and, eq, gt, lt, ne, or, sql } from "drizzle-orm";
import { inboundMessages, messageThreads, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { days, minutes } from "#app/lib/durations.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { enqueue } from "#app/queue/queue.server.ts";

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

/** A number that was not seen for this long may have another owner. */
const UNSEEN = days(365);
/** Longer texts are cut. */
const LONGEST = 1_000;
/** Messages of one number that are stored in half an hour. Those after FLOOD (answer-thread.server.ts) get no answer. */
const MOST_STORED = 300;
const WINDOW = minutes(30);
/** A provider's clock may be wrong by this much: other times are taken for the time of arrival. */
const CLOCK_ERROR = days(2);

/** Stores a message before it is answered, each once. @returns the conversation; null when it was stored before */
export async function receiveMessage(ctx: Ctx, message: Received): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const thread = await openThread(tx, message);
    const recent = await tx.db.$count(
      inboundMessages,
      and(eq(inboundMessages.threadId, thread), gt(inboundMessages.receivedAt, new Date(ctx.now.getTime() - WINDOW))),
    );
    if (recent >= MOST_STORED) return null;
    const { provider, providerId, kind, pressed = null } = message;
    const known = Math.abs(message.sentAt.getTime() - ctx.now.getTime()) < CLOCK_ERROR;
    const [stored] = await tx.db
      .insert(inboundMessages)
      .values({
        ...{ provider, providerId, threadId: thread, kind, pressed },
        content: sealed(inboundMessages.content, [provider, providerId], message.text.slice(0, LONGEST)),
        sentAt: known && message.sentAt < ctx.now ? message.sentAt : ctx.now,
        receivedAt: ctx.now,
      })
      .onConflictDoNothing()
      .returning({ id: inboundMessages.id });
    if (!stored) return null;
    await tx.db.update(messageThreads).set({ lastInAt: ctx.now }).where(eq(messageThreads.id, thread));
    await enqueue(tx, "conversation", { threadId: thread });
    return thread;
  });
}

/** Returns the conversation of a number. One that was not seen for a year, or whose phone another account has now, begins again. */
async function openThread(tx: Ctx, { channel, phone }: Received): Promise<string> {
  const own = and(eq(messageThreads.phone, phone), eq(messageThreads.channel, channel));
  const claimed = sql`exists (select from ${users} u where u.role = 'patient' and u.phone = ${phone} and u.id <> ${messageThreads.patientId})`;
  await tx.db.delete(messageThreads).where(and(own, or(lt(messageThreads.lastInAt, new Date(tx.now.getTime() - UNSEEN)), claimed)));
  const [made] = await tx.db
    .insert(messageThreads)
    .values({ channel, phone, createdAt: tx.now })
    .onConflictDoNothing()
    .returning({ id: messageThreads.id });
  if (made) return made.id;
  const [found] = await tx.db.select({ id: messageThreads.id }).from(messageThreads).where(own);
  if (!found) throw new Error("a conversation was deleted while a message came in");
  return found.id;
}

/** How long the texts of conversations are stored. */
const TEXTS = days(90);

/** Deletes old texts, and conversations of numbers that were not seen for a year. Run by the hourly sweep. */
export async function sweepMessages(ctx: Ctx): Promise<void> {
  const before = (life: number) => sql`${new Date(ctx.now.getTime() - life).toISOString()}::timestamptz`;
  await ctx.db.execute(sql`delete from inbound_messages where received_at < ${before(TEXTS)}`);
  await ctx.db.execute(sql`delete from outbound_messages where created_at < ${before(TEXTS)}`);
  await ctx.db.delete(messageThreads).where(and(lt(messageThreads.lastInAt, before(UNSEEN)), ne(messageThreads.answerer, "waiting")));
}
