import { randomUUID } from "node:crypto";
import { and, asc, count, eq, gt, isNull, lte } from "drizzle-orm";
import { inboundMessages, messageThreads, outboundMessages } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { findRedFlag } from "#app/domains/guidance/triage/red-flags.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Incoming, Room, Say, State } from "../conversation/conversation.ts";
import { NEW } from "../conversation/conversation.ts";
import { reduce } from "../conversation/reduce.ts";
import { type Pushed, render, type StoredMessage } from "../conversation/render.ts";
import { findByKeyword } from "./refs.server.ts";
import { actingOwner, runCommand } from "./run-command.server.ts";

/** How many times and doctors a channel shows at once. */
const ROOM: Record<MessageChannel, Room> = { sms: { times: 3, doctors: 3 }, whatsapp: { times: 2, doctors: 9 } };
/** Messages of one number in half an hour that are answered. The next one is told so, further ones get no answer. */
const FLOOD = { most: 40, per: minutes(30) };
/** A member who has not answered for this long no longer keeps Nadi from answering. */
const MEMBER_ANSWERS_FOR = hours(24);
/** A chain of commands ends: each conversation needs three at most. */
const MOST_COMMANDS = 6;

export type Thread = typeof messageThreads.$inferSelect;
/** Locks a conversation with its state until the commit. */
export async function lockThread(tx: Ctx, id: string): Promise<{ thread: Thread; state: State } | null> {
  const [thread] = await tx.db.select().from(messageThreads).where(eq(messageThreads.id, id)).for("update");
  if (!thread) return null;
  const [row] = await tx.db
    .select({ state: opened(messageThreads.state) })
    .from(messageThreads)
    .where(eq(messageThreads.id, id));
  const { language, doctorId, hospitalId, stoppedAt, answerer } = thread;
  const stored = (row?.state ?? {}) as Partial<State>;
  return { thread, state: { ...NEW, ...stored, language, doctorId, hospitalId, answerer, stopped: stoppedAt !== null } };
}

/** Stores the state of a conversation. */
export async function storeState(tx: Ctx, thread: Thread, state: State): Promise<void> {
  const { language, doctorId, hospitalId, stopped, answerer, ...others } = state;
  const owner = thread.patientId === null ? await actingOwner(tx, thread) : null;
  await tx.db
    .update(messageThreads)
    .set({
      ...{ language, doctorId, hospitalId, answerer },
      state: sealed(messageThreads.state, thread.id, others),
      stoppedAt: stopped ? (thread.stoppedAt ?? tx.now) : null,
      waitingSince: answerer === "waiting" ? (thread.waitingSince ?? tx.now) : thread.waitingSince,
      ...(owner && { patientId: owner.actor.userId }),
    })
    .where(eq(messageThreads.id, thread.id));
}

/**
 * Answers the messages of a conversation that wait, in the order in which they were sent. All of it is one transaction: a command, the state and the
 * replies, which are sent after the commit, happen together or not at all.
 */
export async function answerThread(ctx: Ctx, threadId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const locked = await lockThread(tx, threadId);
    if (!locked) return;
    const { thread } = locked;
    let state = locked.state;
    if (state.answerer === "clinic" && isForgotten(thread, ctx.now)) state = { ...state, answerer: "nadi" };
    for (const message of await listWaiting(tx, threadId)) {
      const before = state;
      const flood = await floodOf(tx, threadId, message);
      if (flood === "over") {
        await markAnswered(tx, message.id);
        continue;
      }
      const said: Say[] = flood === "first" ? [{ say: "flood" }] : [];
      if (flood === "none") {
        const talk = await converse(tx, thread, state, message);
        state = talk.state;
        said.push(...talk.said);
      }
      // A member is to see what Nadi did not understand, also while they already answer.
      if (before.answerer === "clinic" && state.answerer === "clinic") await wait(tx, thread);
      await reply(tx, thread, state, said);
      await markAnswered(tx, message.id);
    }
    await storeState(tx, thread, state);
  });
}

type Waiting = { id: string; kind: "text" | "call"; text: string; pressed: string | null; sentAt: Date; receivedAt: Date };
const listWaiting = (tx: Ctx, threadId: string): Promise<Waiting[]> =>
  tx.db
    .select({
      id: inboundMessages.id,
      kind: inboundMessages.kind,
      text: opened(inboundMessages.content),
      pressed: inboundMessages.pressed,
      sentAt: inboundMessages.sentAt,
      receivedAt: inboundMessages.receivedAt,
    })
    .from(inboundMessages)
    .where(and(eq(inboundMessages.threadId, threadId), isNull(inboundMessages.answeredAt)))
    .orderBy(asc(inboundMessages.sentAt), asc(inboundMessages.receivedAt));
const markAnswered = (tx: Ctx, id: string) => tx.db.update(inboundMessages).set({ answeredAt: tx.now }).where(eq(inboundMessages.id, id));

const isForgotten = ({ lastInAt, waitingSince }: Thread, now: Date): boolean =>
  waitingSince === null && lastInAt !== null && now.getTime() - lastInAt.getTime() > MEMBER_ANSWERS_FOR;

/** Adds the conversation to those that wait for a member. */
async function wait(tx: Ctx, thread: Thread): Promise<void> {
  if (thread.waitingSince !== null) return;
  thread.waitingSince = tx.now;
  await tx.db.update(messageThreads).set({ waitingSince: tx.now }).where(eq(messageThreads.id, thread.id));
}

/** Danger words are always answered. */
async function floodOf(tx: Ctx, threadId: string, { text, receivedAt }: Waiting): Promise<"none" | "first" | "over"> {
  if (findRedFlag(text)) return "none";
  const [row] = await tx.db
    .select({ n: count() })
    .from(inboundMessages)
    .where(
      and(
        eq(inboundMessages.threadId, threadId),
        gt(inboundMessages.receivedAt, new Date(receivedAt.getTime() - FLOOD.per)),
        lte(inboundMessages.receivedAt, receivedAt),
      ),
    );
  const n = row?.n ?? 0;
  return n <= FLOOD.most ? "none" : n === FLOOD.most + 1 ? "first" : "over";
}

/** Takes one message through the state machine, with the commands that it leads to. */
async function converse(tx: Ctx, thread: Thread, before: State, message: Waiting): Promise<{ state: State; said: Say[] }> {
  const { id: threadId, channel, phone } = thread;
  const { text } = message;
  const at = message.sentAt.getTime();
  let incoming: Incoming =
    message.kind === "call"
      ? { kind: "call", at, ...(message.pressed && { key: message.pressed }) }
      : { kind: "text", text, at, keyword: await findByKeyword(tx, text), ...(message.pressed && { pressed: message.pressed }) };
  let state = before;
  const said: Say[] = [];
  for (let n = 0; n < MOST_COMMANDS; n++) {
    const next = reduce(state, incoming, ROOM[channel]);
    state = next.state;
    said.push(...next.replies);
    const { command } = next;
    if (!command) break;
    const of = { threadId, channel, phone, language: state.language, hospitalId: state.hospitalId, text };
    const outcome = await withLanguage(state.language, () => runCommand(tx, command, of));
    // Its question is asked now, however long ago the message was sent.
    incoming = { kind: "result", at: Math.max(at, tx.now.getTime()), of: command, outcome };
  }
  return { state, said };
}

/** Stores replies in the language of the conversation, and sends them after the commit. `about`: what a reminder or an offer is about. */
export async function reply(tx: Ctx, { id: threadId, channel }: Thread, state: State, said: readonly Say[], about?: Pushed): Promise<void> {
  for (const one of said) {
    const content: StoredMessage = withLanguage(state.language, () => ({
      ...render(one, channel, env().appUrl.hostname),
      reply: { say: one, language: language(), ...(about && { about }) },
    }));
    const id = randomUUID();
    await tx.db.insert(outboundMessages).values({
      ...{ id, threadId, template: content.template, createdAt: tx.now },
      content: sealed(outboundMessages.content, id, content),
    });
    await enqueue(tx, "message", { messageId: id });
  }
}
