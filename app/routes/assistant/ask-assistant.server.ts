/** Sends a question to the assistant: from a form without JavaScript, and as a stream. Both use the same command. */

import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type Asked, addQuestion } from "#app/domains/guidance/assistant/add-question.server.ts";
import { answerQuestion, awaitAnswer, type Listener } from "#app/domains/guidance/assistant/answer-question.server.ts";
import { type Question, QuestionSchema } from "#app/domains/guidance/assistant/assistant.schema.ts";
import type { StreamEvent } from "#app/domains/guidance/assistant/talk.ts";
import { storeChatFile, storeVoice } from "#app/domains/platform/files/store-chat-file.server.ts";
import { MAX_CHAT_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { asRefusal, noteFault, refusalHeaders, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { readForm, type UploadRules } from "#app/http/submit-form.server.ts";
import { wroteCookie } from "#app/http/wrote-cookie.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";

/** Upload rules of the chat. Only forms without JavaScript send a file and a recording together. */
export const chatUploads = (ctx: Ctx<Actor>): UploadRules => ({
  field: ["file", "voice"],
  maxFiles: 2,
  tooMany: () => m.assistant_one_file(),
  // A little more than the limit, so that the error of a slightly larger file is shown next to its field.
  maxFileSize: MAX_CHAT_BYTES + 1024 * 1024,
  onFile: async ({ name, bytes, fieldName }) =>
    (await (fieldName === "voice" ? storeVoice(ctx, { bytes }) : storeChatFile(ctx, { name, bytes }))).id,
});

export const saysNothing = ({ message, file, voice }: Question) => !message && !file && !voice;

/** Creates the answer, or waits for a concurrent request with the same question. False: no answer came. */
async function settle(ctx: Ctx<Actor>, { answerId, fresh, emergency }: Asked, listener: Listener): Promise<boolean> {
  if (!answerId || emergency) return true;
  try {
    const state = fresh ? await answerQuestion(ctx, answerId, listener) : await awaitAnswer(ctx, answerId, listener.signal);
    return state !== "unreachable";
  } catch (error) {
    // The chat shows that no answer came.
    noteFault(error, "assistant");
    return false;
  }
}

/** Asks and waits until the answer is in the chat. @throws DomainError like `addQuestion` */
export async function askAndWait(ctx: Ctx<Actor>, question: Question, signal: AbortSignal): Promise<Asked & { answered: boolean }> {
  const asked = await addQuestion(ctx, question);
  return { ...asked, answered: await settle(ctx, asked, { signal }) };
}

/**
 * Streams the answer to a `fetch` as JSON lines (`StreamEvent`). Stops when the client disconnects. An error is `{ message }` with
 * its status.
 */
export async function askStreaming(ctx: Ctx<Actor>, request: Request, uploads?: UploadRules): Promise<Response> {
  try {
    const { formData, problem } = await readForm(request, uploads);
    if (problem) throw problem;
    // An empty field counts as absent.
    const given = Object.fromEntries([...formData].filter(([, value]) => value !== ""));
    const parsed = QuestionSchema.safeParse(given);
    if (!parsed.success)
      throw new DomainError("invalid", parsed.error.issues[0]?.path[0] === "message" ? parsed.error.issues[0].message : undefined);
    if (saysNothing(parsed.data)) throw new DomainError("invalid");
    const asked = await addQuestion(ctx, parsed.data);
    return new Response(streamOf(ctx, asked), {
      // X-Accel-Buffering: proxies must not buffer the stream.
      headers: {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "X-Accel-Buffering": "no",
        "Cache-Control": "no-store",
        ...(asked.emergency && ctx.actor.role === "patient" && { "Set-Cookie": wroteCookie(request, parsed.data.message) }),
      },
    });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    const message = Object.values(refusal.fields ?? {})[0]?.[0] ?? refusalOf(refusal).message;
    return Response.json({ message }, { status: refusals[refusal.code].status, headers: refusalHeaders(refusal) });
  }
}

function streamOf(ctx: Ctx<Actor>, asked: Asked): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const emit = (event: StreamEvent) => gone.signal.aborted || controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      emit({ type: "start", conversation: asked.conversationId });
      const answered = await settle(ctx, asked, { signal: gone.signal, onText: (text) => emit({ type: "text", text }) });
      emit({ type: "end", emergency: asked.emergency, answered });
      if (!gone.signal.aborted) controller.close();
    },
    cancel: () => gone.abort(),
  });
}
