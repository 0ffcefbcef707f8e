import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, isNull, max, type SQLWrapper, sql } from "drizzle-orm";
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
import type { Command, Incoming, Room, Say, State } from "../conversation/conversation.ts";
import { NEW } from "../conversation/conversation.ts";
import { readWord } from "../conversation/incoming-words.ts";
import { reduce } from "../conversation/reduce.ts";
import { type Pushed, render, type StoredMessage, segmentsOf } from "../conversation/render.ts";
import { findByKeyword } from "./refs.server.ts";
import { ownerOf, runCommand } from "./run-command.server.ts";
import { returnAnswers, spendAnswers } from "./total-limit.server.ts";

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
/**
 * Locks all conversations of phones in one order, WhatsApp before SMS: STOP, and a message that WhatsApp did not deliver, change both. A message that
 * is stored meanwhile does not wait.
 */
export const lockThreadsOf = ({ db }: Ctx, phones: SQLWrapper) =>
  db
    .select({ id: messageThreads.id })
    .from(messageThreads)
    .where(inArray(messageThreads.phone, phones))
    .orderBy(asc(messageThreads.phone), desc(messageThreads.channel))
    .for("no key update");

/** A conversation that is locked. */
type Locked = { thread: Thread; state: State };
/** Returns a conversation with its state, and locks it with the others of its phone until the commit. */
export async function lockThread(tx: Ctx, id: string): Promise<Locked | null> {
  return (await lockThreads(tx, [id]))[0] ?? null;
}
async function lockThreads(tx: Ctx, ids: readonly string[]): Promise<Locked[]> {
  const own = inArray(messageThreads.id, [...ids]);
  await lockThreadsOf(tx, tx.db.select({ phone: messageThreads.phone }).from(messageThreads).where(own));
  const rows = await tx.db
    .select({ ...getTableColumns(messageThreads), state: opened(messageThreads.state), stopped: isStopped(messageThreads.phone) })
    .from(messageThreads)
    .where(own);
  const states = await followMerged(
    tx,
    rows.map(({ state }) => (state ?? {}) as Partial<State>),
  );
  return rows.map(({ state: _, stopped, ...thread }, i) => {
    const { language, doctorId, hospitalId, answerer } = thread;
    const inbox = hospitalId === null ? null : { hospitalId, doctorId };
    return { thread, state: { ...NEW, ...states[i], language, inbox, answerer, stopped } };
  });
}

/** Returns stored states, which the merging of hospitals cannot change, with the hospitals into which those of their questions were merged. */
async function followMerged(tx: Ctx, stored: Partial<State>[]): Promise<Partial<State>[]> {
  const texts = stored.map((state) => JSON.stringify(state));
  const ids = [...new Set(texts.flatMap((text) => [...text.matchAll(/"hospitalId":"([^"]+)"/g)].map(([, id]) => id!)))].filter(isUuid);
  if (!ids.length) return stored;
  const merged = await tx.db
    .select({ id: hospitals.id, into: hospitals.mergedInto })
    .from(hospitals)
    .where(and(inArray(hospitals.id, ids), isNotNull(hospitals.mergedInto)));
  return texts.map((text) => JSON.parse(merged.reduce((now, { id, into }) => now.replaceAll(id, into!), text)) as Partial<State>);
}

/** Stores the state of a conversation. */
export const storeState = (tx: Ctx, thread: Thread, state: State): Promise<void> => storeStates(tx, [{ thread, state }]);
async function storeStates(tx: Ctx, all: readonly (Locked & { lastInAt?: Date })[]): Promise<void> {
  const rows = all.map(({ thread, state: { language, inbox, stopped: _, answerer, ...others }, lastInAt }) => ({
    ...{ id: thread.id, language, answerer, hospitalId: inbox?.hospitalId ?? null, doctorId: inbox?.doctorId ?? null },
    state: sealed(messageThreads.state, thread.id, others),
    waitingSince: answerer === "waiting" ? (thread.waitingSince ?? tx.now) : thread.waitingSince,
    lastInAt,
  }));
  // Of messages that come late the newest counts.
  await tx.db.execute(sql`
    update ${messageThreads} t set language = a.language, answerer = a.answerer, hospital_id = a."hospitalId", doctor_id = a."doctorId",
      state = a.state, waiting_since = a."waitingSince", last_in_at = greatest(t.last_in_at, a."lastInAt"),
      patient_id = coalesce(t.patient_id, (${ownerOf(tx, sql`t.phone`)}))
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as a(id uuid, language text, answerer text, "hospitalId" uuid, "doctorId" uuid, state jsonb, "waitingSince" timestamptz, "lastInAt" timestamptz)
    where t.id = a.id`);
}

/**
 * Answers the messages of conversations that wait, in the order in which they were sent, danger words first. A command, the state and the replies,
 * which are sent after the commit, happen together or not at all. While all numbers together send too much, only what is urgent is answered now.
 * @returns the outcome of each conversation
 */
export async function answerThreads(ctx: Ctx, threadIds: readonly string[]): Promise<PromiseSettledResult<void>[]> {
  const ids = [...new Set(threadIds)];
  // Mostly one message of each waits.
  const wait = await spendAnswers(ctx, ids.length);
  let alone = ids;
  let counted = 0;
  const answer = async (own: readonly string[], together: boolean) => {
    const done = await transact(ctx, (tx) => answerLocked(tx, own, { wait, together }));
    counted += done.counted;
    return done.others;
  };
  try {
    if (ids.length > 1) alone = await answer(ids, true);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.warn({ requestId: ctx.requestId, err: error }, "conversations are answered one by one");
  }
  const results = await Promise.allSettled(alone.map((id) => answer([id], false)));
  if (!wait) returnAnswers(ids.length - counted);
  const failed = new Map(results.flatMap((result, i) => (result.status === "rejected" ? [[alone[i], result] as const] : [])));
  return threadIds.map((id) => failed.get(id) ?? { status: "fulfilled", value: undefined });
}

/** Answers one conversation. @throws when the job is to run again */
export async function answerThread(ctx: Ctx, threadId: string): Promise<void> {
  const [result] = await answerThreads(ctx, [threadId]);
  if (result?.status === "rejected") throw result.reason;
}

/** `wait`: seconds that messages beyond the total wait. `together`: with other conversations, so that a command that writes is left to a transaction of its own. */
type How = { wait: number; together: boolean };
/** Returns the conversations that are left, and how many of the answered messages count against the total. */
async function answerLocked(tx: Ctx, ids: readonly string[], { wait, together }: How): Promise<{ others: string[]; counted: number }> {
  const locked = await lockThreads(tx, ids);
  const waiting = Map.groupBy(await listWaiting(tx, ids), ({ threadId }) => threadId);
  const others: string[] = [];
  const later: string[] = [];
  const all: Answered[] = [];
  let counted = 0;
  const work = locked.map(async ({ thread, state }) => {
    const own = waiting.get(thread.id) ?? [];
    const usual = own.filter(({ isUrgent }) => !isUrgent).length;
    if (wait && usual) later.push(thread.id);
    const due = own.filter(({ isUrgent }) => !wait || isUrgent);
    if (!due.length) return;
    const answered = await answerDue(tx, { thread, state }, due, together);
    if (!answered) others.push(thread.id);
    else {
      all.push(answered);
      // No more of one number are answered.
      counted += wait ? 0 : Math.min(usual, FLOOD.most);
    }
  });
  // All end before the transaction does.
  for (const result of await Promise.allSettled(work)) if (result.status === "rejected") throw result.reason;
  for (const threadId of later) if (!others.includes(threadId)) await enqueue(tx, "conversation", { threadId }, wait);
  await store(tx, all);
  return { others, counted };
}

/** What is stored of an answered conversation. */
type Answered = Locked & { answers: Finished[] };
/** Returns what answers the messages of a conversation; null when a command of theirs needs a transaction of its own. */
async function answerDue(tx: Ctx, { thread, state: before }: Locked, due: readonly Waiting[], together: boolean): Promise<Answered | null> {
  let state = before;
  if (state.answerer === "clinic" && (await isForgotten(tx, thread.id))) state = { ...state, answerer: "nadi" };
  const answers: Finished[] = [];
  for (const message of [...due.filter((one) => one.isDanger), ...due.filter((one) => !one.isDanger)]) {
    const talk = together ? await answerByReading(tx, thread, state, message) : await answerMessage(tx, thread, state, message);
    if (!talk) return null;
    // A member is to see what comes while they answer.
    if (state.answerer === "clinic" && talk.state.answerer === "clinic") thread.waitingSince ??= tx.now;
    state = talk.state;
    answers.push(talk);
  }
  return { thread, state, answers };
}

/** Stores replies, states and what was answered: one statement each. */
async function store(tx: Ctx, all: readonly Answered[]): Promise<void> {
  if (!all.length) return;
  const answers = all.flatMap((one) => one.answers);
  const done = answers.map(({ message, state }) => ({ id: message.id, place: placeOf(state) }));
  // Sent together.
  await Promise.all([
    storeReplies(
      tx,
      answers.flatMap(({ replies }) => replies),
    ),
    tx.db.execute(sql`
      update ${inboundMessages} i set answered_at = ${tx.now.toISOString()}::timestamptz, hospital_id = a.place
      from jsonb_to_recordset(${JSON.stringify(done)}::text::jsonb) as a(id uuid, place uuid) where i.id = a.id`),
    storeStates(
      tx,
      all.map(({ thread, state, answers: own }) => ({
        ...{ thread, state },
        lastInAt: new Date(Math.max(...own.map(({ message }) => message.sentAt.getTime()))),
      })),
    ),
  ]);
}

/**
 * Answers one message in a savepoint. One that cannot be answered is passed to the clinic, so that it does not hold up those after it.
 * @throws while the database or a service is unavailable, and after a deadlock: the job runs again
 */
async function answerMessage(tx: Ctx, thread: Thread, before: State, message: Waiting): Promise<Finished> {
  try {
    return await transact(tx, async (own) => finished(own, thread, message, await talkOf(own, thread, before, message, false)));
  } catch (error) {
    if (isDatabaseUnavailable(error) || wasRolledBack(error) || (error instanceof DomainError && error.code === "unavailable")) throw error;
    log.error({ requestId: tx.requestId, err: error }, "a message could not be answered");
    const isAsked = before.hospitalId !== null && before.answerer === "nadi";
    const inbox = isAsked ? { hospitalId: before.hospitalId!, doctorId: before.doctorId } : before.inbox;
    const state: State = { ...before, inbox, ...(isAsked && { answerer: "waiting" }) };
    const said: Say[] = [message.isDanger ? { say: "danger" } : { say: isAsked ? "to-clinic" : "menu" }];
    return finished(tx, thread, message, { state, said });
  }
}

/** Answers a message that leads to commands that only read; null for another one. */
async function answerByReading(tx: Ctx, thread: Thread, before: State, message: Waiting): Promise<Finished | null> {
  try {
    return finished(tx, thread, message, await talkOf(tx, thread, before, message, true));
  } catch (error) {
    if (error === WRITES) return null;
    throw error;
  }
}
/** Thrown before a command that writes. */
const WRITES = new Error("a command writes");
const READS: ReadonlySet<Command["do"]> = new Set([
  ...(["find-doctors", "find-times", "find-days", "find-next", "find-token", "find-address", "confirm", "pass-on"] as const),
]);

type Talk = { state: State; said: Say[] };
/** The answer to a message as it is stored. */
type Finished = { message: Waiting; state: State; replies: ReplyRow[] };
const finished = (ctx: Ctx, thread: Thread, message: Waiting, { state, said }: Talk): Finished => ({
  ...{ message, state },
  replies: said.map((one) => replyRow(ctx, thread, state, one)),
});
/** The clinic that a conversation is about: while a member is to answer, the one that was asked. */
const placeOf = ({ answerer, inbox, hospitalId }: State): string | null => (answerer === "nadi" ? hospitalId : (inbox?.hospitalId ?? null));

/** `isUrgent`: danger words and STOP are answered in any flood. `nth`: of its kind and number lately. */
type Waiting = {
  id: string;
  threadId: string;
  kind: "text" | "call";
  text: string;
  pressed: string | null;
  sentAt: Date;
  nth: number;
  isDanger: boolean;
  isUrgent: boolean;
};
async function listWaiting(tx: Ctx, threadIds: readonly string[]): Promise<Waiting[]> {
  const rows = await tx.db
    .select({
      id: inboundMessages.id,
      threadId: inboundMessages.threadId,
      kind: inboundMessages.kind,
      text: opened(inboundMessages.content),
      pressed: inboundMessages.pressed,
      sentAt: inboundMessages.sentAt,
      // Drizzle writes the columns of the only table without its name, which the inner query has too.
      nth: sql<number>`(select count(*)::int from inbound_messages o where o.thread_id = inbound_messages.thread_id and o.kind = inbound_messages.kind
        and o.received_at <= inbound_messages.received_at and o.received_at > inbound_messages.received_at - interval '1 ms'
          * case when inbound_messages.kind = 'call' and inbound_messages.pressed is null then ${CALLS}::int else ${FLOOD.per}::int end)`,
    })
    .from(inboundMessages)
    .where(and(inArray(inboundMessages.threadId, [...threadIds]), isNull(inboundMessages.answeredAt)))
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

/**
 * Returns how a message counts against the limit of its number. Danger words and STOP are always answered. Calls are counted apart, and answered
 * once in ten minutes: each costs an SMS to a number that may be faked.
 */
function floodOf(state: State, { kind, isUrgent, pressed, nth }: Waiting): "none" | "first" | "over" {
  if (isUrgent) return "none";
  if (kind === "call" && state.stopped) return "over";
  if (kind === "call" && pressed === null) return nth <= 1 ? "none" : "over";
  return nth <= FLOOD.most ? "none" : nth === FLOOD.most + 1 ? "first" : "over";
}

/** Returns what a message leads to. */
async function talkOf(tx: Ctx, thread: Thread, before: State, message: Waiting, onlyReads: boolean): Promise<Talk> {
  const flood = floodOf(before, message);
  if (flood === "none") return converse(tx, thread, before, message, onlyReads);
  return { state: before, said: flood === "first" ? [{ say: "flood" }] : [] };
}

/** Takes one message through the state machine, with the commands that it leads to. */
async function converse(tx: Ctx, thread: Thread, before: State, message: Waiting, onlyReads: boolean): Promise<Talk> {
  const { id: threadId, channel, phone } = thread;
  const { text, isDanger } = message;
  const at = message.sentAt.getTime();
  let incoming: Incoming =
    message.kind === "call"
      ? { kind: "call", at, ...(message.pressed && { key: message.pressed }) }
      : { kind: "text", text, at, isDanger, keyword: await findByKeyword(tx, text), ...(message.pressed && { pressed: message.pressed }) };
  let state = before;
  const said: Say[] = [];
  for (let n = 0; n < MOST_COMMANDS; n++) {
    const next = reduce(state, incoming, ROOM[channel]);
    state = next.state;
    said.push(...next.replies);
    const { command } = next;
    if (!command) break;
    if (onlyReads && !READS.has(command.do)) throw WRITES;
    const of = { threadId, channel, phone, language: state.language, doctorId: state.doctorId, hospitalId: state.hospitalId, text };
    const outcome = await withLanguage(state.language, () => runCommand(tx, command, of));
    // Its question is asked now, however long ago the message was sent.
    incoming = { kind: "result", at: Math.max(at, tx.now.getTime()), of: command, outcome };
  }
  return { state, said };
}

type ReplyRow = typeof outboundMessages.$inferInsert & { id: string };
/** Returns a reply in the language of the conversation. `about`: what a reminder or an offer is about. */
function replyRow({ now }: Ctx, { id: threadId, channel }: Thread, state: State, say: Say, about?: Pushed): ReplyRow {
  const content: StoredMessage = withLanguage(state.language, () => ({
    ...render(say, channel, env().appUrl.hostname),
    reply: { say, language: language(), ...(about && { about }) },
  }));
  const id = randomUUID();
  return {
    ...{ id, threadId, hospitalId: placeOf(state), template: content.template, createdAt: now },
    segments: segmentsOf(content, channel),
    content: sealed(outboundMessages.content, id, content),
  };
}
async function storeReplies(tx: Ctx, rows: readonly ReplyRow[]): Promise<void> {
  if (!rows.length) return;
  const jobs = rows.map(({ id }) => ({ name: "message", data: { messageId: id } }) as const);
  await Promise.all([tx.db.insert(outboundMessages).values([...rows]), enqueueAll(tx, jobs)]);
}

/** Stores replies, and sends them after the commit. `about`: what a reminder or an offer is about. */
export const reply = (tx: Ctx, thread: Thread, state: State, said: readonly Say[], about?: Pushed): Promise<void> =>
  storeReplies(
    tx,
    said.map((one) => replyRow(tx, thread, state, one, about)),
  );
