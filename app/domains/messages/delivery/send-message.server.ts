import { and, eq, inArray, lt, or } from "drizzle-orm";
import { messageThreads, outboundMessages } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { fillWhatsAppTemplate } from "#app/integrations/whatsapp/templates.ts";
import { Batches } from "#app/lib/batches.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hours, minutes, seconds } from "#app/lib/durations.ts";
import { BASE_LANGUAGE } from "#app/lib/language.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { log } from "#app/runtime/log.server.ts";
import type { StoredMessage } from "../conversation/render.ts";
import { lockThreadOf, sendAsSms } from "./send-as-sms.server.ts";
import { isStillTrue } from "./still-true.server.ts";

/** For this long after a user wrote, WhatsApp takes any text. Its clock decides, so ours ends earlier. */
const WINDOW = hours(24) - minutes(5);
/** Longer than a call takes: after this a process that was sending is taken for dead. */
const SENDING = seconds(30);

type Claimed = {
  id: string;
  threadId: string;
  content: StoredMessage;
  createdAt: Date;
  phone: string;
  channel: MessageChannel;
  lastInAt: Date | null;
};
const areSending = (ids: readonly string[]) => and(inArray(outboundMessages.id, [...ids]), eq(outboundMessages.state, "sending"));
const isSending = (id: string) => areSending([id]);

/** Messages that providers took while others were noted are noted together. */
const AT_ONCE = { most: 100, waiting: Number.POSITIVE_INFINITY };

/** Sends one message. @internal @throws DomainError("unavailable") to be tried again */
export async function sendMessage(ctx: Ctx, messageId: string): Promise<void> {
  const [result] = await sendMessages(ctx, [messageId]);
  if (result?.status === "rejected") throw result.reason;
}

/**
 * Sends messages of conversations to their provider: by WhatsApp, or by SMS where WhatsApp will not. No connection to the database waits for the
 * provider, and no second run sends them too.
 * @returns the outcome of each message: one that failed is tried again
 */
export async function sendMessages(ctx: Ctx, messageIds: readonly string[]): Promise<PromiseSettledResult<void>[]> {
  const { claimed, busy } = await claim(ctx, messageIds);
  const sent = new Batches(
    async (ids: readonly string[]) => {
      await ctx.db.update(outboundMessages).set({ state: "sent" }).where(areSending(ids));
      return ids;
    },
    AT_ONCE,
    () => false,
  );
  return Promise.allSettled(
    messageIds.map(async (id) => {
      if (busy.has(id)) throw new DomainError("unavailable");
      const message = claimed.get(id);
      // Not twice.
      claimed.delete(id);
      if (message) await sendClaimed(ctx, message, (one) => sent.add(one));
    }),
  );
}

/** `noteSent`: notes that a provider without ids took a message. */
async function sendClaimed(ctx: Ctx, message: Claimed, noteSent: (id: string) => Promise<unknown>): Promise<void> {
  const { id: messageId } = message;
  try {
    if (!(await isStillTrue(ctx, message, message.content))) {
      // Nothing was said: neither the inbox nor the demo's phone shows it.
      await ctx.db.delete(outboundMessages).where(isSending(messageId));
      return;
    }
    const sent = message.channel === "sms" ? await giveSms(ctx, message) : await giveWhatsApp(ctx, message);
    if (sent && sent.id === null) await noteSent(messageId);
    else if (sent) await ctx.db.update(outboundMessages).set({ state: "sent", providerId: sent.id }).where(isSending(messageId));
    else
      await transact(ctx, async (tx) => {
        await lockThreadOf(tx, eq(outboundMessages.id, messageId));
        const [failed] = await tx.db
          .update(outboundMessages)
          .set({ state: "failed" })
          .where(isSending(messageId))
          .returning({ id: outboundMessages.id });
        if (failed) await sendAsSms(tx, message);
      });
  } catch (error) {
    const waits = await ctx.db
      .update(outboundMessages)
      .set({ state: "queued" })
      .where(isSending(messageId))
      .returning({ id: outboundMessages.id });
    // None: meanwhile WhatsApp reported what became of it. Only its answer was lost.
    if (waits.length) throw error;
  }
}

/** Takes messages that wait, and those whose sender died. `busy`: those that another run sends. The others are sent. */
async function claim(ctx: Ctx, messageIds: readonly string[]): Promise<{ claimed: Map<string, Claimed>; busy: ReadonlySet<string> }> {
  const own = inArray(outboundMessages.id, [...messageIds]);
  const died = and(eq(outboundMessages.state, "sending"), lt(outboundMessages.sentAt, new Date(ctx.now.getTime() - SENDING)));
  const rows = await ctx.db
    .update(outboundMessages)
    .set({ state: "sending", sentAt: ctx.now })
    .from(messageThreads)
    .where(and(own, eq(messageThreads.id, outboundMessages.threadId), or(eq(outboundMessages.state, "queued"), died)))
    .returning({
      id: outboundMessages.id,
      threadId: outboundMessages.threadId,
      content: opened(outboundMessages.content),
      createdAt: outboundMessages.createdAt,
      phone: messageThreads.phone,
      channel: messageThreads.channel,
      lastInAt: messageThreads.lastInAt,
    });
  const claimed = new Map(rows.map((row) => [row.id, { ...row, content: row.content as unknown as StoredMessage }]));
  const others = [...new Set(messageIds)].filter((id) => !claimed.has(id));
  if (!others.length) return { claimed, busy: new Set() };
  const sending = await ctx.db.select({ id: outboundMessages.id }).from(outboundMessages).where(areSending(others));
  return { claimed, busy: new Set(sending.map(({ id }) => id)) };
}

type Sent = { id: string | null };
async function giveSms({ integrations }: Ctx, { phone, content }: Claimed): Promise<Sent> {
  const { template, variables, body } = content;
  await integrations.sms.send({ to: phone, template, variables, body });
  return { id: null };
}

/** Returns null where WhatsApp is not configured any more, has no approved text for this message, or refuses it. */
async function giveWhatsApp(ctx: Ctx, { id, phone, content, lastInAt }: Claimed): Promise<Sent | null> {
  const { whatsapp } = ctx.integrations;
  if (!whatsapp) return null;
  const { reply, body, choices, as } = content;
  const language = reply?.language ?? BASE_LANGUAGE;
  const isOpen = lastInAt !== null && ctx.now.getTime() - lastInAt.getTime() < WINDOW;
  const approved = isOpen || !reply ? null : fillWhatsAppTemplate(reply.say.say, language, content);
  if (!isOpen && !approved) return null;
  // What the inbox and the demo's phone show is what is sent.
  if (approved) {
    const { template: _, ...shown } = approved;
    await ctx.db
      .update(outboundMessages)
      .set({ content: sealed(outboundMessages.content, id, { ...content, ...shown }) })
      .where(isSending(id));
  }
  const sent = await whatsapp.send({ ...{ id, to: phone, language, body, choices, as }, ...approved });
  if (!("refused" in sent)) return sent;
  log.warn({ requestId: ctx.requestId, code: sent.refused }, "WhatsApp refused a message: it is sent by SMS");
  return null;
}
