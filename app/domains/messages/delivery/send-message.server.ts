import { and, eq, lt, or } from "drizzle-orm";
import { messageThreads, outboundMessages } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { fillWhatsAppTemplate } from "#app/integrations/whatsapp/templates.ts";
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
const isSending = (id: string) => and(eq(outboundMessages.id, id), eq(outboundMessages.state, "sending"));

/**
 * Sends a message of a conversation to its provider: by WhatsApp, or by SMS where WhatsApp will not. No connection to the database waits for the
 * provider, and no second run sends it too.
 * @throws DomainError("unavailable") to be tried again
 */
export async function sendMessage(ctx: Ctx, messageId: string): Promise<void> {
  const message = await claim(ctx, messageId);
  if (!message) return;
  try {
    if (!(await isStillTrue(ctx, message, message.content))) {
      // Nothing was said: neither the inbox nor the demo's phone shows it.
      await ctx.db.delete(outboundMessages).where(isSending(messageId));
      return;
    }
    const sent = message.channel === "sms" ? await giveSms(ctx, message) : await giveWhatsApp(ctx, message);
    if (sent) await ctx.db.update(outboundMessages).set({ state: "sent", providerId: sent.id }).where(isSending(messageId));
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

/** Takes a message that waits, or one whose sender died. null: it is sent. @throws DomainError("unavailable") while another run sends it */
async function claim(ctx: Ctx, messageId: string): Promise<Claimed | null> {
  const own = eq(outboundMessages.id, messageId);
  const died = and(eq(outboundMessages.state, "sending"), lt(outboundMessages.sentAt, new Date(ctx.now.getTime() - SENDING)));
  const [claimed] = await ctx.db
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
  if (claimed) return { ...claimed, content: claimed.content as unknown as StoredMessage };
  const [row] = await ctx.db.select({ state: outboundMessages.state }).from(outboundMessages).where(own);
  if (row?.state === "sending") throw new DomainError("unavailable");
  return null;
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
