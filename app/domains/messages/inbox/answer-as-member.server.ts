import { randomUUID } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import { hospitals, messageThreads, outboundMessages } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hours } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { lockThread, storeState } from "../answers/answer-thread.server.ts";
import { namesIllness } from "../conversation/names-illness.ts";
import { render, segmentsOf } from "../conversation/render.ts";
import { deskMessage } from "./desk-message.ts";
import type { InboxAnswer } from "./inbox.schema.ts";

/** How long after the user's last message a clinic may write in a channel. */
export const ANSWER_WINDOW = hours(24);
type Of = { hospitalId: string; threadId: string | undefined };

/**
 * Locks a conversation of the clinic for a member who may change its appointments.
 * @throws DomainError("not-found" | "forbidden")
 */
async function lockOwn(tx: Ctx<Actor>, { hospitalId, threadId }: Of) {
  await requireActing(tx, hospitalId, "change-appointments");
  const locked = isUuid(threadId) ? await lockThread(tx, threadId) : null;
  if (locked?.thread.hospitalId !== hospitalId) throw new DomainError("not-found");
  if (locked.thread.doctorId) await requireActing(tx, hospitalId, "change-appointments", locked.thread.doctorId);
  return locked;
}

/**
 * Sends an answer of a member. A form that is sent twice sends one message.
 * @throws DomainError("conflict") when another member has answered since the page was loaded, or the 24 hours of the channel are over; "invalid"
 */
export async function answerAsMember(ctx: Ctx<Actor>, of: Of, answer: Exclude<InboxAnswer, { intent: "hand-back" }>): Promise<void> {
  await transact(ctx, async (tx) => {
    const { thread, state } = await lockOwn(tx, of);
    const [before] = await tx.db
      .select({ id: outboundMessages.id })
      .from(outboundMessages)
      .where(and(eq(outboundMessages.threadId, thread.id), eq(outboundMessages.formKey, answer.key)));
    if (before) return;
    if (!thread.lastInAt || tx.now.getTime() - thread.lastInAt.getTime() > ANSWER_WINDOW)
      throw new DomainError("conflict", m.inbox_window_over());
    const [newest] = await tx.db
      .select({ id: outboundMessages.id, memberId: outboundMessages.memberId })
      .from(outboundMessages)
      .where(eq(outboundMessages.threadId, thread.id))
      .orderBy(desc(outboundMessages.createdAt))
      .limit(1);
    if (newest?.memberId && newest.id !== answer.seen && newest.memberId !== tx.actor.userId)
      throw new DomainError("conflict", m.inbox_answered_meanwhile());
    const content = await contentOf(tx, of.hospitalId, thread, state.language, answer);
    const id = randomUUID();
    await tx.db.insert(outboundMessages).values({
      ...{
        id,
        threadId: thread.id,
        hospitalId: of.hospitalId,
        memberId: tx.actor.userId,
        formKey: answer.key,
        createdAt: tx.now,
        template: content.template,
        segments: segmentsOf(content, thread.channel),
      },
      content: sealed(outboundMessages.content, id, content),
    });
    await enqueue(tx, "message", { messageId: id });
    await storeState(tx, { ...thread, waitingSince: null }, { ...state, answerer: "clinic" });
    await tx.db.update(messageThreads).set({ memberId: tx.actor.userId }).where(eq(messageThreads.id, thread.id));
    await recordChange(tx, "answer-message", {
      subject: { "message-thread": thread.id },
      people: { patient: thread.patientId },
      place: of.hospitalId,
    });
  });
}

async function contentOf(
  tx: Ctx,
  hospitalId: string,
  { channel }: { channel: "sms" | "whatsapp" },
  language: "en" | "te" | "hi" | null,
  answer: Exclude<InboxAnswer, { intent: "hand-back" }>,
) {
  if (answer.intent === "ready") return withLanguage(language, () => render({ say: answer.ready }, channel, env().appUrl.hostname));
  const refused = (sentence: string) => new DomainError("invalid", undefined, { fields: { message: [sentence] } });
  if (namesIllness(answer.message)) throw refused(m.inbox_no_health());
  const [place] = await tx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, hospitalId));
  const content = deskMessage(place?.name ?? "", answer.message, channel);
  if (!content) throw refused(m.inbox_too_long());
  return content;
}

/** Lets Nadi answer the conversation again. Idempotent. @throws DomainError("not-found" | "forbidden") */
export async function handBack(ctx: Ctx<Actor>, of: Of): Promise<void> {
  await transact(ctx, async (tx) => {
    const { thread, state } = await lockOwn(tx, of);
    if (state.answerer === "nadi") return;
    await storeState(tx, { ...thread, waitingSince: null }, { ...state, answerer: "nadi" });
    await recordChange(tx, "hand-back-message", {
      subject: { "message-thread": thread.id },
      people: { patient: thread.patientId },
      place: of.hospitalId,
    });
  });
}
