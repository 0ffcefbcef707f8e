import { and, desc, eq, isNull, lte } from "drizzle-orm";
import { type Answerer, type AnswerState, chatMessages, conversations, files, type Source } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { isHeard } from "#app/domains/platform/files/content-type.ts";
import { readStored, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import type { GeminiTurn } from "#app/integrations/gemini/gemini.server.ts";
import { clockTime, formatDay, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import { findRedFlag } from "../triage/red-flags.ts";
import { consent, whoAnswers } from "./choose-answerer.server.ts";
import { askHelper, MAX_CARDS } from "./helper.server.ts";
import { instructionFor, VOICE_NOTE } from "./instruction.ts";
import { redact } from "./redact.ts";
import { safeAddress, titleOf } from "./rich-text.ts";
import { toolsFor } from "./tools.server.ts";

/** Most turns sent to the model. */
const MAX_TURNS = 12;
const MAX_HISTORY = 6000;
/** How long a second request for the same question waits for the answer to the first. */
const WAIT = seconds(25);

type Made = { state: AnswerState; content: string; by: Answerer | null; sources: Source[]; doctorIds: string[]; transcript?: string };
type Line = { id: string; role: "user" | "assistant"; content: string; voice: boolean; fileId: string | null; state: AnswerState | null };
/** `onText` receives pieces of the answer. `signal`: the client has disconnected. */
export type Listener = { onText?: (piece: string) => void; signal?: AbortSignal };

const refusal = (state: AnswerState): Made => ({ state, content: "", by: null, sources: [], doctorIds: [] });
const byHelper = (content: string, rest: { sources?: Source[]; doctorIds?: string[] } = {}): Made => ({
  state: "answered",
  content,
  by: "helper",
  sources: rest.sources ?? [],
  doctorIds: rest.doctorIds ?? [],
});

/** Creates the pending answer and stores the result, also a failure. For the caller whose `addQuestion` was fresh. */
export async function answerQuestion(ctx: Ctx<Actor>, answerId: string, listener: Listener = {}): Promise<AnswerState> {
  let made: Made;
  let question: Line | undefined;
  try {
    const lines = await linesBefore(ctx, answerId);
    question = lines.at(-1);
    made = question ? await make(ctx, lines, question, listener) : refusal("unreachable");
  } catch (error) {
    await save(ctx, answerId, refusal("unreachable"));
    // An unavailable model is a normal result. Other errors are logged.
    if (!(error instanceof DomainError)) throw error;
    return "unreachable";
  }
  await save(ctx, answerId, made, question);
  return made.state;
}

/** Returns the last lines of the conversation before this answer. */
async function linesBefore(ctx: Ctx<Actor>, answerId: string): Promise<Line[]> {
  const [answer] = await ctx.db
    .select({ seq: chatMessages.seq, conversationId: chatMessages.conversationId })
    .from(chatMessages)
    .innerJoin(conversations, eq(conversations.id, chatMessages.conversationId))
    .where(and(eq(chatMessages.id, answerId), eq(conversations.ownerId, ctx.actor.userId)));
  if (!answer) throw new DomainError("not-found");
  const lines = await ctx.db
    .select({
      id: chatMessages.id,
      role: chatMessages.role,
      content: opened(chatMessages.content),
      voice: chatMessages.voice,
      fileId: chatMessages.fileId,
      state: chatMessages.state,
    })
    .from(chatMessages)
    .where(and(eq(chatMessages.conversationId, answer.conversationId), lte(chatMessages.seq, answer.seq)))
    .orderBy(desc(chatMessages.seq))
    .limit(MAX_TURNS + 1);
  return lines.filter((line) => line.id !== answerId).reverse();
}

async function make(ctx: Ctx<Actor>, lines: Line[], question: Line, listener: Listener): Promise<Made> {
  const who = await whoAnswers(ctx);
  if (who === "model")
    try {
      return await askModel(ctx, lines, question, listener);
    } catch (error) {
      // Without a model the helper answers, also the question that found the last one retired.
      if (ctx.integrations.gemini.connected) throw error;
    }
  if (question.voice) return byHelper(who === "helper-chosen" ? m.assistant_voice_needs_consent() : m.assistant_voice_needs_ai());
  const { content, ...rest } = await askHelper(ctx, question.content);
  return byHelper(content, rest);
}

async function askModel(ctx: Ctx<Actor>, lines: Line[], question: Line, { onText, signal }: Listener): Promise<Made> {
  await consent(ctx);
  const { tools, trace } = toolsFor(ctx);
  const audio = question.voice ? await recordingOf(ctx, question) : undefined;
  const system = instructionFor(ctx.actor.role, `${formatDay(todayInIndia(ctx.now))}, ${clockTime(timeInIndia(ctx.now))}`);
  const answer = await ctx.integrations.gemini.ask({
    system: audio ? `${system}\n\n${VOICE_NOTE}` : system,
    turns: turnsOf(lines),
    tools,
    ...(audio && { audio }),
    // A voice message is transcribed and checked for emergencies before anything is shown.
    ...(onText && !audio && { onText }),
    ...(signal && { signal }),
  });
  const { transcript, text } = audio ? splitTranscript(answer.text) : { transcript: "", text: answer.text.trim() };
  if (transcript && findRedFlag(transcript)) return { ...refusal("emergency"), transcript };
  if (!text) return { ...refusal("empty"), ...(transcript && { transcript }) };
  const links = answer.links.flatMap((link) => safeAddress(link) ?? []).map((to) => ({ label: new URL(to).hostname, to }));
  return {
    state: "answered",
    content: text,
    by: "model",
    sources: [...trace.sources, ...links],
    doctorIds: trace.doctorIds.slice(0, MAX_CARDS),
    ...(transcript && { transcript }),
  };
}

/** Splits "HEARD: …" on the first line from the answer below it (VOICE_NOTE). */
function splitTranscript(answer: string): { transcript: string; text: string } {
  const found = /^\s*\**HEARD:?\**:?[ \t]*([^\n]*)\n?([\s\S]*)$/i.exec(answer);
  return found
    ? { transcript: (found[1] ?? "").trim().slice(0, 2000), text: (found[2] ?? "").trim() }
    : { transcript: "", text: answer.trim() };
}

/** @throws DomainError("unavailable") */
async function recordingOf(ctx: Ctx<Actor>, { fileId }: Line): Promise<{ mediaType: string; bytes: Uint8Array }> {
  const [file] = await ctx.db
    .select({ ...storedFile, mediaType: files.mediaType })
    .from(files)
    .where(and(eq(files.id, fileId ?? ""), eq(files.ownerId, ctx.actor.userId)));
  const bytes = file && (await readStored(ctx, file));
  if (!file || !bytes || !isHeard(file.mediaType)) throw new DomainError("unavailable");
  return { mediaType: file.mediaType, bytes };
}

/**
 * Returns the conversation for the model: limited, in turns, without personal identifiers. The first and last turn are the
 * user's.
 */
function turnsOf(lines: Pick<Line, "role" | "content" | "state">[]): GeminiTurn[] {
  const turns: GeminiTurn[] = [];
  let left = MAX_HISTORY;
  for (const line of lines.slice(-MAX_TURNS).reverse()) {
    if (line.role === "assistant" && line.state !== "answered") continue;
    const role = line.role === "user" ? "user" : "model";
    const text = redact(line.content);
    left -= text.length;
    if (left < 0 && turns.length) break;
    const later = turns[0];
    if (later?.role === role) later.text = [text, later.text].filter(Boolean).join("\n");
    else turns.unshift({ role, text });
  }
  while (turns[0]?.role === "model") turns.shift();
  return turns;
}

/** Stores a pending answer. Does nothing if it was answered or the chat deleted meanwhile. */
async function save(ctx: Ctx<Actor>, answerId: string, made: Made, question?: Line): Promise<void> {
  const { transcript, content, sources, doctorIds, ...rest } = made;
  const answer = {
    ...rest,
    content: sealed(chatMessages.content, answerId, content),
    sources: sealed(chatMessages.sources, answerId, sources),
    doctorIds: sealed(chatMessages.doctorIds, answerId, doctorIds),
  };
  await transact(ctx, async (tx) => {
    const [row] = await tx.db
      .update(chatMessages)
      .set(answer)
      .where(and(eq(chatMessages.id, answerId), eq(chatMessages.state, "waiting")))
      .returning({ conversationId: chatMessages.conversationId });
    if (!row) return;
    if (transcript && question) {
      const spoken = sealed(chatMessages.content, question.id, transcript);
      await tx.db.update(chatMessages).set({ content: spoken }).where(eq(chatMessages.id, question.id));
    }
    if (answer.state === "answered")
      await tx.db
        .update(conversations)
        .set({ title: sealed(conversations.title, row.conversationId, titleOf(content)) })
        .where(and(eq(conversations.id, row.conversationId), isNull(conversations.title)));
  });
}

/** Waits for the answer to the first request, with a timeout, for a second request of the same question. */
export async function awaitAnswer(ctx: Ctx<Actor>, answerId: string, signal?: AbortSignal): Promise<AnswerState> {
  const until = performance.now() + WAIT;
  for (let pause = 100; performance.now() < until && !signal?.aborted; pause = Math.min(1000, pause * 1.5)) {
    const [row] = await ctx.db.select({ state: chatMessages.state }).from(chatMessages).where(eq(chatMessages.id, answerId));
    if (row?.state !== "waiting") return row?.state ?? "unreachable";
    await new Promise((resume) => setTimeout(resume, pause));
  }
  return "waiting";
}
