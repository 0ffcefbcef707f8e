import { sql } from "drizzle-orm";
import { isDatabaseUnavailable } from "#app/db/client.server.ts";
import { inboundMessages, messageThreads } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { findRedFlag } from "#app/domains/guidance/triage/red-flags.ts";
import { Batches } from "#app/lib/batches.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { enqueueAll } from "#app/queue/queue.server.ts";
import { isOfAnother, openThread, UNSEEN } from "../answers/open-thread.server.ts";

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

/** A message with the context in which it arrived. */
type Arrived = { ctx: Ctx; message: Received };
/** What is known of a message before it is stored. `recent`: how many messages of its number were stored lately. */
type Found = { threadId: string | null; ofAnother: boolean; recent: number; isKnown: boolean };

/** Messages of one statement, and those that may wait for it in a process: more are refused, and the provider reports them again. */
const AT_ONCE = { most: 100, waiting: 300 };
const batches = new WeakMap<object, Batches<Arrived, string | null>>();

/**
 * Stores a message before it is answered, each once. Messages that arrive while others are written are written together.
 * @returns the conversation; null when it was stored before
 * @throws DomainError("unavailable") when too many wait
 */
export function receiveMessage(ctx: Ctx, message: Received): Promise<string | null> {
  const own = batches.get(ctx.db) ?? new Batches(storeMessages, AT_ONCE, (error) => !isDatabaseUnavailable(error));
  batches.set(ctx.db, own);
  return own.add({ ctx, message });
}

/** Stores messages, and returns the conversation of each that was not stored before. Rows are locked in one order. */
async function storeMessages(arrived: readonly Arrived[]): Promise<(string | null)[]> {
  return transact(arrived[0]!.ctx, async (tx) => {
    const found = await findStored(tx, arrived);
    const wanted = arrived.flatMap((one, i) => (isStorable(one.message, found[i]!) ? [{ ...one, ...found[i]! }] : []));
    if (!wanted.length) return arrived.map(() => null);
    const threads = await openThreads(tx, wanted);
    const rows = new Map<string, typeof inboundMessages.$inferInsert>();
    for (const { ctx, message } of wanted) {
      const { provider, providerId, kind, pressed = null, text } = message;
      const known = Math.abs(message.sentAt.getTime() - ctx.now.getTime()) < CLOCK_ERROR;
      if (!rows.has(keyOf(message)))
        rows.set(keyOf(message), {
          ...{ provider, providerId, threadId: threads.get(addressOf(message))!, kind, pressed },
          content: sealed(inboundMessages.content, [provider, providerId], plainText(text)),
          ...{ sentAt: known && message.sentAt < ctx.now ? message.sentAt : ctx.now, receivedAt: ctx.now },
        });
    }
    const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    const stored = await tx.db
      .insert(inboundMessages)
      .values(sorted)
      .onConflictDoNothing()
      .returning({ provider: inboundMessages.provider, providerId: inboundMessages.providerId, threadId: inboundMessages.threadId });
    const jobs = [...new Set(stored.map(({ threadId }) => threadId))].map(
      (threadId) => ({ name: "conversation", data: { threadId } }) as const,
    );
    await enqueueAll(tx, jobs);
    const news = new Map(stored.map((row) => [keyOf(row), row.threadId]));
    return arrived.map(({ message }) => {
      const thread = news.get(keyOf(message)) ?? null;
      // The first of equal messages is the one that was stored.
      news.delete(keyOf(message));
      return thread;
    });
  });
}
const keyOf = ({ provider, providerId }: Pick<Received, "provider" | "providerId">) => `${provider} ${providerId}`;
const addressOf = ({ phone, channel }: Pick<Received, "phone" | "channel">) => `${phone} ${channel}`;

/** False for one that is stored, and in a flood of its number. Danger words are stored in any flood, but not without end. */
const isStorable = ({ text }: Received, { isKnown, recent }: Found): boolean =>
  !isKnown && (recent < MOST_STORED || recent < MOST_STORED * (findRedFlag(text) ? 2 : 1));

/** Returns what is known of messages, in their order. */
async function findStored({ db }: Ctx, arrived: readonly Arrived[]): Promise<Found[]> {
  const asked = arrived.map(({ ctx: { now }, message: { provider, providerId, phone, channel } }, place) => ({
    ...{ place, provider, id: providerId, phone, channel },
    since: new Date(now.getTime() - WINDOW),
    seen: new Date(now.getTime() - UNSEEN),
  }));
  const rows = await db.execute<Found>(sql`
    select t.id as "threadId", ${isOfAnother(sql`t`, sql`a.phone`, sql`a.seen`)} as "ofAnother",
      (select count(*)::int from ${inboundMessages} i where i.thread_id = t.id and i.received_at > a.since) as recent,
      exists (select from ${inboundMessages} i where i.provider = a.provider and i.provider_id = a.id) as "isKnown"
    from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb)
      as a(place int, provider text, id text, phone text, channel text, since timestamptz, seen timestamptz)
    left join ${messageThreads} t on t.phone = a.phone and t.channel = a.channel
    order by a.place`);
  // Those of one number in this batch count too.
  const before = new Map<string, number>();
  return [...rows].map((row, i) => {
    const address = addressOf(arrived[i]!.message);
    const n = before.get(address) ?? 0;
    before.set(address, n + 1);
    return { ...row, recent: row.recent + n };
  });
}

/** Returns the conversations of messages by their addresses. */
async function openThreads(tx: Ctx, wanted: readonly (Arrived & Found)[]): Promise<Map<string, string>> {
  const threads = new Map<string, string>();
  const news = new Map<string, Arrived>();
  for (const { ctx, message, threadId, ofAnother } of wanted)
    if (threadId !== null && !ofAnother) threads.set(addressOf(message), threadId);
    else news.set(addressOf(message), { ctx, message });
  const sorted = [...news].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [address, { ctx, message }] of sorted) threads.set(address, await openThread({ ...tx, now: ctx.now }, message));
  return threads;
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
