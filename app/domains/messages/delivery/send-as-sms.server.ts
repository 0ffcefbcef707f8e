import { randomUUID } from "node:crypto";
import { and, eq, isNull, ne, type SQL } from "drizzle-orm";
import { messageThreads, outboundMessages, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { SmsMessage } from "#app/integrations/sms/sms.server.ts";
import { offerMessage, reminderMessage } from "#app/integrations/sms/templates.ts";
import { minutes } from "#app/lib/durations.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import type { Language } from "#app/lib/language.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { lockThread, lockThreadsOf, storeState } from "../answers/answer-thread.server.ts";
import { openThread } from "../answers/open-thread.server.ts";
import type { Say } from "../conversation/conversation.ts";
import { type Rendered, render, type StoredMessage, segmentsOf } from "../conversation/render.ts";
import { carryQuestion, openQuestion } from "../conversation/steps.ts";
import { isStillTrue } from "./still-true.server.ts";

/** An SMS has room for these: further ones stay open to who asks for them. */
const DOCTORS = 3;
/** A question by SMS that was asked this recently is answered first: "2" must not answer the one that comes from WhatsApp. */
const QUIET = minutes(10);

/** Locks the conversations of a message before the message itself, as those who delete a conversation do. */
export const lockThreadOf = (tx: Ctx, message: SQL) =>
  lockThreadsOf(
    tx,
    tx.db
      .select({ phone: messageThreads.phone })
      .from(messageThreads)
      .innerJoin(outboundMessages, eq(outboundMessages.threadId, messageThreads.id))
      .where(message),
  );

type Failed = { id: string; threadId: string; content: StoredMessage; createdAt: Date };
/**
 * Sends the text of a message that WhatsApp did not deliver by SMS, in the transaction in which it becomes `failed`. Its question goes along: an
 * answer by SMS is understood. A member's own text is no registered one: they see in the inbox that it failed.
 */
export async function sendAsSms(tx: Ctx, { threadId, content, createdAt }: Failed): Promise<void> {
  const from = await lockThread(tx, threadId);
  if (!from || !content.reply) return;
  const { thread } = from;
  const { say, language } = content.reply;
  // STOP came after it was written, it is no longer true, or the number has another owner by now.
  if (thread.stoppedAt && thread.stoppedAt > createdAt) return;
  if (!(await isStillTrue(tx, thread, content)) || (await isOfAnother(tx, thread.phone, thread.patientId))) return;
  const by = await lockThread(tx, await openThread(tx, { channel: "sms", phone: thread.phone }));
  if (!by) return;
  await tx.db
    .update(messageThreads)
    .set({ lastInAt: thread.lastInAt })
    .where(and(eq(messageThreads.id, by.thread.id), isNull(messageThreads.lastInAt)));
  const open = openQuestion(by.state, tx.now.getTime());
  const isBusy = open !== null && tx.now.getTime() - open.since < QUIET;
  if (!isBusy) await storeState(tx, by.thread, carryQuestion(from.state, say.n, by.state));
  const id = randomUUID();
  const sms: StoredMessage = {
    ...smsOf(say, language, { to: thread.phone, answered: !isBusy && (env().demo || env().sms.inboundProvider !== undefined) }),
    reply: content.reply,
  };
  await tx.db.insert(outboundMessages).values({
    ...{ id, threadId: by.thread.id, template: sms.template, createdAt: tx.now },
    segments: segmentsOf(sms, "sms"),
    content: sealed(outboundMessages.content, id, sms),
  });
  await enqueue(tx, "message", { messageId: id });
}

/** True after the phone of a conversation became that of another account. */
async function isOfAnother({ db }: Ctx, phone: string, patientId: string | null): Promise<boolean> {
  if (patientId === null) return false;
  const [other] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "patient"), eq(users.phone, phone), ne(users.id, patientId)));
  return other !== undefined;
}

/** Returns the text as SMS. Where numbers are not understood, a reminder and an offer have the texts without them. */
function smsOf(say: Say, language: Language, { to, answered }: { to: string; answered: boolean }): Rendered {
  const host = env().appUrl.hostname;
  const { doctor, at, other, options = [] } = say;
  if (answered) {
    const room = options.filter((option, i) => !("doctor" in option) || i < DOCTORS);
    return withLanguage(language, () => render({ ...say, options: room }, "sms", host));
  }
  const visit = doctor && at && { to, host, language, doctor: doctor.name, ...at };
  if (visit && say.say === "reminder") return plain(reminderMessage(visit));
  if (visit && other && say.say === "offer") return plain(offerMessage({ ...visit, ends: other.time }));
  return withLanguage(language, () => render({ ...say, options: [] }, "sms", host));
}
const plain = ({ template, variables, body }: SmsMessage): Rendered => ({ template, variables, body, choices: [], as: "text" });
