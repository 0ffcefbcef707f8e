import { randomUUID } from "node:crypto";
import { and, asc, count, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lte, max, type SQLWrapper, sql } from "drizzle-orm";
import { isDatabaseUnavailable, wasRolledBack } from "#app/db/client.server.ts";
import { hospitals, inboundMessages, messageThreads, outboundMessages } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { findRedFlag } from "#app/domains/guidance/triage/red-flags.ts";
import { isStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { enqueue, enqueueAll } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import type { Incoming, Room, Say, State } from "../conversation/conversation.ts";
import { NEW } from "../conversation/conversation.ts";
import { readWord } from "../conversation/incoming-words.ts";
import { reduce } from "../conversation/reduce.ts";
import { type Pushed, render, type StoredMessage, segmentsOf } from "../conversation/render.ts";
import { findByKeyword } from "./refs.server.ts";
import { ownerOf, runCommand } from "./run-command.server.ts";
import { spendAnswers } from "./total-limit.server.ts";

/** How many times and doctors a channel shows at once. */
const ROOM: Record<MessageChannel, Room> = { sms: { times: 3, doctors: 3 }, whatsapp: { times: 2, doctors: 9 } };
/** Messages of one number in half an hour that are answered. The next one is told so, further ones get no answer. */
const FLOOD = { most: 40, per: minutes(30) };
/** A missed call of a number is answered once in this time. */
const CALLS = minutes(10);
/** A member who has not answered for this long no longer keeps Nadi from answering. */
const MEMBER_ANSWERS_FOR = hours(24);
/** A chain of commands ends: each conversation needs three at most. */
const MOST_COMMANDS = 6;

export type Thread = Omit<typeof messageThreads.$inferSelect, "state">;
/** Locks all conversations of phones, WhatsApp before SMS: STOP, and a message that WhatsApp did not deliver, change both. */
export const lockThreadsOf = ({ db }: Ctx, phones: SQLWrapper) =>
  db
    .select({ id: messageThreads.id })
    .from(messageThreads)
    .where(inArray(messageThreads.phone, phones))
    .orderBy(desc(messageThreads.channel))
    .for("update");

/** Returns a conversation with its state, and locks it with the others of its phone until the commit. */
export async function lockThread(tx: Ctx, id: string): Promise<{ thread: Thread; state: State } | null> {
  await lockThreadsOf(tx, tx.db.select({ phone: messageThreads.phone }).from(messageThreads).where(eq(messageThreads.id, id)));
  const [row] = await tx.db
    .select({ ...getTableColumns(messageThreads), state: opened(messageThreads.state), stopped: isStopped(messageThreads.phone) })
    .from(messageThreads)
    .where(eq(messageThreads.id, id));
  if (!row) return null;
  const { state, stopped, ...thread } = row;
  const { language, doctorId, hospitalId, answerer } = thread;
  const stored = await followMerged(tx, (state ?? {}) as Partial<State>);
  const inbox = hospitalId === null ? null : { hospitalId, doctorId };
  return { thread, state: { ...NEW, ...stored, language, inbox, answerer, stopped } };
}

/** Returns a stored state, which the merging of hospitals cannot change, with the hospitals into which those of its questions were merged. */
async function followMerged(tx: Ctx, stored: Partial<State>): Promise<Partial<State>> {
  const text = JSON.stringify(stored);
  const ids = [...new Set([...text.matchAll(/"hospitalId":"([^"]+)"/g)].flatMap(([, id]) => (isUuid(id) ? [id] : [])))];
  if (!ids.length) return stored;
  const merged = await tx.db
    .select({ id: hospitals.id, into: hospitals.mergedInto })
    .from(hospitals)
    .where(and(inArray(hospitals.id, ids), isNotNull(hospitals.mergedInto)));
  return JSON.parse(merged.reduce((now, { id, into }) => now.replaceAll(id, into!), text)) as Partial<State>;
}

/** Stores the state of a conversation. */
export async function storeState(tx: Ctx, thread: Thread, state: State): Promise<void> {
  const { language, inbox, stopped: _, answerer, ...others } = state;
  await tx.db
    .update(messageThreads)
    .set({
      ...{ language, answerer, hospitalId: inbox?.hospitalId ?? null, doctorId: inbox?.doctorId ?? null },
      state: sealed(messageThreads.state, thread.id, others),
      waitingSince: answerer === "waiting" ? (thread.waitingSince ?? tx.now) : thread.waitingSince,
      ...(thread.patientId === null && { patientId: sql`(${ownerOf(tx, thread.phone)})` }),
    })
    .where(eq(messageThreads.id, thread.id));
}

/**
 * Answers the messages of a conversation that wait, in the order in which they were sent, danger words first. A command, the state and the replies,
 * which are sent after the commit, happen together or not at all. While all numbers together send too much, only what is urgent is answered now.
 */
export async function answerThread(ctx: Ctx, threadId: string): Promise<void> {
  const counted = (await listWaiting(ctx, threadId)).filter((one) => !one.isUrgent).length;
  // No more of one number are answered.
  const wait = counted ? await spendAnswers(ctx, Math.min(counted, FLOOD.most)) : 0;
  await transact(ctx, async (tx) => {
    if (wait) await enqueue(tx, "conversation", { threadId }, wait);
    const locked = await lockThread(tx, threadId);
    if (!locked) return;
    const { thread } = locked;
    let state = locked.state;
    if (state.answerer === "clinic" && (await isForgotten(tx, threadId))) state = { ...state, answerer: "nadi" };
    const waiting = (await listWaiting(tx, threadId)).filter((one) => !wait || one.isUrgent);
    for (const message of [...waiting.filter((one) => one.isDanger), ...waiting.filter((one) => !one.isDanger)])
      state = await answerMessage(tx, thread, state, message);
    await storeState(tx, thread, state);
  });
}

/**
 * Answers one message in a savepoint. One that cannot be answered is passed to the clinic, so that it does not hold up those after it.
 * @throws while the database or a service is unavailable, and after a deadlock: the job runs again
 */
async function answerMessage(tx: Ctx, thread: Thread, before: State, message: Waiting): Promise<State> {
  try {
    return await transact(tx, async (own) => {
      const flood = await floodOf(own, thread, before, message);
      const talk =
        flood === "none" ? await converse(own, thread, before, message) : { state: before, said: flood === "first" ? FLOODED : [] };
      await finish(own, thread, before, talk, message);
      return talk.state;
    });
  } catch (error) {
    if (isDatabaseUnavailable(error) || wasRolledBack(error) || (error instanceof DomainError && error.code === "unavailable")) throw error;
    log.error({ requestId: tx.requestId, err: error }, "a message could not be answered");
    const isAsked = before.hospitalId !== null && before.answerer === "nadi";
    const inbox = isAsked ? { hospitalId: before.hospitalId!, doctorId: before.doctorId } : before.inbox;
    const state: State = { ...before, inbox, ...(isAsked && { answerer: "waiting" }) };
    const said: Say[] = [message.isDanger ? { say: "danger" } : { say: isAsked ? "to-clinic" : "menu" }];
    await finish(tx, thread, before, { state, said }, message);
    return state;
  }
}
const FLOODED: Say[] = [{ say: "flood" }];

type Talk = { state: State; said: Say[] };
/** Stores the replies to a message, and whose members may read them. */
async function finish(tx: Ctx, thread: Thread, before: State, { state, said }: Talk, message: Waiting): Promise<void> {
  // A member is to see what comes while they answer.
  if (before.answerer === "clinic" && state.answerer === "clinic") await wait(tx, thread);
  // Sent together.
  await Promise.all([
    reply(tx, thread, state, said),
    tx.db
      .update(inboundMessages)
      .set({ answeredAt: tx.now, hospitalId: placeOf(state) })
      .where(eq(inboundMessages.id, message.id)),
  ]);
}
/** The clinic that a conversation is about: while a member is to answer, the one that was asked. */
const placeOf = ({ answerer, inbox, hospitalId }: State): string | null => (answerer === "nadi" ? hospitalId : (inbox?.hospitalId ?? null));

/** `isUrgent`: danger words and STOP are answered in any flood. */
type Waiting = {
  id: string;
  kind: "text" | "call";
  text: string;
  pressed: string | null;
  sentAt: Date;
  receivedAt: Date;
  isDanger: boolean;
  isUrgent: boolean;
};
async function listWaiting(tx: Ctx, threadId: string): Promise<Waiting[]> {
  const rows = await tx.db
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
  return rows.map((row) => {
    const isDanger = findRedFlag(row.text) !== null;
    return { ...row, isDanger, isUrgent: isDanger || readWord(row.text)?.word === "stop" };
  });
}
/** True a day after a member wrote last: Nadi answers again. */
async function isForgotten(tx: Ctx, threadId: string): Promise<boolean> {
  const [row] = await tx.db
    .select({ last: max(outboundMessages.createdAt) })
    .from(outboundMessages)
    .where(and(eq(outboundMessages.threadId, threadId), isNotNull(outboundMessages.memberId)));
  return !row?.last || tx.now.getTime() - row.last.getTime() > MEMBER_ANSWERS_FOR;
}

/** Adds the conversation to those that wait for a member. */
async function wait(tx: Ctx, thread: Thread): Promise<void> {
  if (thread.waitingSince !== null) return;
  thread.waitingSince = tx.now;
  await tx.db.update(messageThreads).set({ waitingSince: tx.now }).where(eq(messageThreads.id, thread.id));
}

/**
 * Returns how a message counts against the limit of its number. Danger words and STOP are always answered. Calls are counted apart, and answered
 * once in ten minutes: each costs an SMS to a number that may be faked.
 */
async function floodOf(
  tx: Ctx,
  thread: Thread,
  state: State,
  { kind, isUrgent, pressed, receivedAt }: Waiting,
): Promise<"none" | "first" | "over"> {
  if (isUrgent) return "none";
  if (kind === "call" && state.stopped) return "over";
  const per = kind === "call" && pressed === null ? CALLS : FLOOD.per;
  const [row] = await tx.db
    .select({ n: count() })
    .from(inboundMessages)
    .where(
      and(
        ...[eq(inboundMessages.threadId, thread.id), eq(inboundMessages.kind, kind)],
        gt(inboundMessages.receivedAt, new Date(receivedAt.getTime() - per)),
        lte(inboundMessages.receivedAt, receivedAt),
      ),
    );
  const n = row?.n ?? 0;
  if (per === CALLS) return n <= 1 ? "none" : "over";
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
    const of = { threadId, channel, phone, language: state.language, doctorId: state.doctorId, hospitalId: state.hospitalId, text };
    const outcome = await withLanguage(state.language, () => runCommand(tx, command, of));
    // Its question is asked now, however long ago the message was sent.
    incoming = { kind: "result", at: Math.max(at, tx.now.getTime()), of: command, outcome };
  }
  return { state, said };
}

/** Stores replies in the language of the conversation, and sends them after the commit. `about`: what a reminder or an offer is about. */
export async function reply(tx: Ctx, { id: threadId, channel }: Thread, state: State, said: readonly Say[], about?: Pushed): Promise<void> {
  if (!said.length) return;
  const rows = said.map((one) => {
    const content: StoredMessage = withLanguage(state.language, () => ({
      ...render(one, channel, env().appUrl.hostname),
      reply: { say: one, language: language(), ...(about && { about }) },
    }));
    const id = randomUUID();
    return {
      ...{ id, threadId, hospitalId: placeOf(state), template: content.template, createdAt: tx.now },
      segments: segmentsOf(content, channel),
      content: sealed(outboundMessages.content, id, content),
    };
  });
  const jobs = rows.map(({ id }) => ({ name: "message", data: { messageId: id } }) as const);
  await Promise.all([tx.db.insert(outboundMessages).values(rows), enqueueAll(tx, jobs)]);
}
