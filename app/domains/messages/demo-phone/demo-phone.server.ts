import { randomUUID } from "node:crypto";
import { and, desc, eq, ne } from "drizzle-orm";
import { doctors, inboundMessages, messageThreads, outboundMessages, outboxMessages, practices, users } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { env } from "#app/runtime/env.server.ts";
import { answerThread } from "../answers/answer-thread.server.ts";
import type { Rendered } from "../conversation/render.ts";
import { receiveMessage } from "../receive/receive-message.server.ts";

/** The page of the demo that is a phone. */
const requireDemo = () => {
  if (!env().demo) throw new DomainError("not-found");
};
const MOST = 60;

export type PhoneLine = { id: string; own: boolean; body: string; at: Date; choices: Rendered["choices"] };

/** Returns what is on the screen of a phone, oldest first. @throws DomainError("not-found") outside demo mode */
export async function readDemoPhone(ctx: Ctx, phone: Phone, channel: MessageChannel): Promise<PhoneLine[]> {
  requireDemo();
  const thread = and(eq(messageThreads.phone, phone), eq(messageThreads.channel, channel));
  const [wrote, got, others] = await Promise.all([
    ctx.db
      .select({ id: inboundMessages.id, body: opened(inboundMessages.content), kind: inboundMessages.kind, at: inboundMessages.receivedAt })
      .from(inboundMessages)
      .innerJoin(messageThreads, eq(messageThreads.id, inboundMessages.threadId))
      .where(thread)
      .orderBy(desc(inboundMessages.receivedAt))
      .limit(MOST),
    ctx.db
      .select({ id: outboundMessages.id, content: opened(outboundMessages.content), at: outboundMessages.createdAt })
      .from(outboundMessages)
      .innerJoin(messageThreads, eq(messageThreads.id, outboundMessages.threadId))
      .where(thread)
      .orderBy(desc(outboundMessages.createdAt))
      .limit(MOST),
    // Codes and notifications. Those of the conversation are among the rows above.
    ctx.db
      .select({ id: outboxMessages.id, body: outboxMessages.body, at: outboxMessages.sentAt })
      .from(outboxMessages)
      .where(and(eq(outboxMessages.to, phone), eq(outboxMessages.channel, channel)))
      .orderBy(desc(outboxMessages.sentAt))
      .limit(MOST),
  ]);
  const replies = got.map(({ id, content, at }) => ({ id, at, ...(content as unknown as Rendered) }));
  const said = new Set(replies.map(({ body }) => body));
  return [
    ...wrote.map(({ id, body, kind, at }) => ({ id, own: true, body: kind === "call" ? "☎" : body, at, choices: [] })),
    ...replies.map(({ id, body, at, choices }) => ({ id, own: false, body, at, choices })),
    ...others.flatMap(({ id, body, at }) =>
      said.has(body.split("\n[")[0]!) || said.has(body) ? [] : [{ id, own: false, body, at, choices: [] }],
    ),
  ].sort((a, b) => a.at.getTime() - b.at.getTime() || Number(b.own) - Number(a.own));
}

/** Sends what was typed, and answers it at once. @throws DomainError("not-found") outside demo mode */
export async function writeOnDemoPhone(
  ctx: Ctx,
  message: { phone: Phone; channel: MessageChannel; kind: "text" | "call"; text: string; pressed?: string | undefined },
): Promise<void> {
  requireDemo();
  const thread = await receiveMessage(ctx, { ...message, provider: "demo", providerId: randomUUID(), sentAt: ctx.now });
  if (thread) await answerThread(ctx, thread);
}

/** Returns keywords and phones to try. */
export async function listDemoHints(ctx: Ctx): Promise<{ keywords: { keyword: string; doctor: string }[]; phones: string[] }> {
  requireDemo();
  const [keywords, phones] = await Promise.all([
    ctx.db
      .select({ keyword: practices.keyword, doctor: doctors.fullName })
      .from(practices)
      .innerJoin(doctors, eq(doctors.id, practices.doctorId))
      .where(and(ne(practices.keyword, ""), listedDoctor(doctors)))
      .orderBy(practices.keyword)
      .limit(5),
    ctx.db
      .select({ phone: users.phone })
      .from(users)
      .where(and(eq(users.role, "patient"), users.isDemo))
      .orderBy(users.createdAt, users.id)
      .limit(3),
  ]);
  return {
    keywords: keywords.map(({ keyword, doctor }) => ({ keyword: keyword!, doctor })),
    phones: phones.flatMap(({ phone }) => phone ?? []),
  };
}
