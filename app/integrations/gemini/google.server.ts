import {
  type Content,
  FinishReason,
  type FunctionCall,
  FunctionCallingMode,
  type GenerateContentRequest,
  type GenerationConfig,
  GoogleGenerativeAIFetchError,
  type Part,
} from "@google/generative-ai";
import { seconds } from "#app/lib/durations.ts";
import { unavailable } from "../failure.server.ts";
import { breaker } from "./breaker.ts";
import type { Gemini, GeminiAnswer, GeminiRequest, GeminiTool } from "./gemini.server.ts";
import { modelList } from "./model-list.ts";
import { streamContent } from "./stream-content.server.ts";

const GOOGLE = "https://generativelanguage.googleapis.com";
const GEMINI_LIMIT = seconds(20);
/** Most rounds of tool calls before the model must answer. */
const MAX_ROUNDS = 4;
/** Response bytes. The longest answer has a tenth of it. */
const MAX_BYTES = 1024 * 1024;
/** Tool calls of one round that are run. The rest get an error. */
const MAX_CALLS = 8;
/** Characters. A longer answer is cut. */
const MAX_ANSWER = 16_000;
/** Thoughts count too. */
const MAX_TOKENS = 4096;
/** A retry with less time left would fail too. */
const WORTH_A_TRY = seconds(2);
/** Names of the Gemini API for types that have another one elsewhere. */
const MIME_TYPES: Record<string, string> = { "audio/mpeg": "audio/mp3" };
/** Finish reasons after which the whole answer is withheld. */
const WITHHELD = new Set<string>([FinishReason.SAFETY, FinishReason.BLOCKLIST, FinishReason.PROHIBITED_CONTENT, FinishReason.SPII]);

type Settings = { apiKey: string; models: readonly string[]; baseUrl?: string | undefined };
type Options = { limit?: number; now?: () => number; onRetired?: (model: string, next: string | null) => void };

/**
 * Calls the first model of the list that is not retired, with streaming. Retries once, and changes the
 * model, only before the first text. The circuit breaker (breaker.ts) fails fast after three failures in a row or with 20 calls
 * running.
 */
export function googleGemini({ apiKey, models: names, baseUrl = GOOGLE }: Settings, options: Options = {}): Gemini {
  const now = options.now ?? (() => performance.now());
  // Separate circuits: an emergency search waits four seconds, a chat twenty, so too slow for one may be fine for the other.
  const guards = { chat: breaker({ now }), emergency: breaker({ now }) };
  const models = modelList(names, { now, ...(options.onRetired && { onRetired: options.onRetired }) });

  return {
    get connected() {
      return models.usable() !== null;
    },
    models: models.states,
    async ask(request) {
      const limit = request.limit ?? options.limit ?? GEMINI_LIMIT;
      const until = performance.now() + limit;
      const { timeout, over, signal, gone } = endsOf(request, limit);
      let model = models.usable();
      if (model === null) throw unavailable("Gemini", "all models are retired");
      const pass = guards[request.purpose ?? "chat"].enter();
      if (!pass) throw unavailable("Gemini", "circuit open after failures");
      for (let attempt = 1; ; attempt++) {
        const answer: GeminiAnswer = { text: "", links: [] };
        try {
          await Promise.race([converse({ apiKey, baseUrl, model, signal, answer }, request), gone]);
          models.answered(model);
          pass.done("answered");
          over.abort();
          return answer;
        } catch (error) {
          if (request.signal?.aborted) {
            pass.done("unknown");
            throw unavailable("Gemini", "the client disconnected");
          }
          if (isRetired(error, model)) {
            models.retire(model);
            model = models.usable();
            if (model !== null && answer.text === "") {
              attempt--;
              continue;
            }
            // The service is well.
            pass.done("unknown");
            over.abort();
            throw unavailable("Gemini", "the model is retired");
          }
          const left = until - performance.now();
          if (attempt === 1 && answer.text === "" && isRetryable(error) && !timeout.aborted && left > Math.min(WORTH_A_TRY, limit / 4))
            continue;
          // A recording that the model cannot read says nothing about the service.
          pass.done(request.audio && isRefused(error) ? "unknown" : "failed");
          over.abort();
          throw unavailable("Gemini", timeout.aborted ? "no answer in time" : kindOf(error));
        }
      }
    },
  };
}

/** What ends a question: its deadline, its end, and its client. `gone` rejects then. */
function endsOf(request: GeminiRequest, limit: number) {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(limit)));
  // Aborts the rest of the response at the end.
  const over = new AbortController();
  const signal = AbortSignal.any([timeout, over.signal, ...(request.signal ? [request.signal] : [])]);
  // A reader may not end by itself when the connection goes silent.
  const gone = new Promise<never>((_, no) => signal.addEventListener("abort", () => no(signal.reason), { once: true }));
  gone.catch(() => undefined);
  return { timeout, over, signal, gone };
}

type Attempt = { apiKey: string; baseUrl: string; model: string; signal: AbortSignal; answer: GeminiAnswer };

/** Asks the model until it answers without calling tools. */
async function converse(attempt: Attempt, request: GeminiRequest): Promise<void> {
  const { model, signal, answer } = attempt;
  const contents = contentsOf(request);
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    const parts = await call(attempt, contentOf(model, request, contents, round), request.onText);
    const calls = parts.flatMap((part) => (part.functionCall ? [part.functionCall] : []));
    if (calls.length === 0 || round === MAX_ROUNDS || answer.text.length >= MAX_ANSWER) return;
    // Gemini 3 refuses a turn whose parts are not all as it sent them: their `thoughtSignature` and their order count. It requires a response for each call, with the call's id.
    contents.push({ role: "model", parts });
    const results = await runTools(request.tools ?? [], calls);
    signal.throwIfAborted();
    contents.push({ role: "function", parts: results });
  }
}

function contentsOf({ turns, audio }: GeminiRequest): Content[] {
  const contents: Content[] = turns.map(({ role, text }) => ({ role, parts: text ? [{ text }] : [] }));
  if (audio)
    contents.at(-1)?.parts.push({
      inlineData: { mimeType: MIME_TYPES[audio.mediaType] ?? audio.mediaType, data: Buffer.from(audio.bytes).toString("base64") },
    });
  return contents;
}

const contentOf = (model: string, { system, tools = [], json }: GeminiRequest, contents: Content[], round: number) => ({
  contents,
  systemInstruction: { role: "system", parts: [{ text: system }] },
  generationConfig: {
    maxOutputTokens: MAX_TOKENS,
    ...(json && { responseMimeType: "application/json" }),
    ...thinkingOf(model),
  },
  ...(tools.length > 0 && {
    tools: [{ functionDeclarations: tools.map(({ run: _, ...declaration }) => declaration) }],
    toolConfig: { functionCallingConfig: { mode: round < MAX_ROUNDS ? FunctionCallingMode.AUTO : FunctionCallingMode.NONE } },
  }),
});

const runTools = (tools: readonly GeminiTool[], calls: readonly (FunctionCall & { id?: string })[]) =>
  Promise.all(
    calls.map(async ({ name, args, id }, nth) => {
      const tool = tools.find((t) => t.name === name);
      // The model answers without a tool that fails.
      const response = !tool
        ? { error: "There is no such tool." }
        : nth >= MAX_CALLS
          ? { error: "Too many calls at once." }
          : await tool.run(args).catch(() => ({ error: "This is unavailable just now." }));
      return { functionResponse: { ...(id !== undefined && { id }), name, response } };
    }),
  );

/** Makes one request. Returns the parts of the model's turn. */
async function call({ answer, ...attempt }: Attempt, content: GenerateContentRequest, onText: GeminiRequest["onText"]) {
  attempt.signal.throwIfAborted();
  const parts: Part[] = [];
  let withheld = false;
  let first = answer.text !== "";
  for await (const chunk of streamContent({ ...attempt, content, longest: MAX_BYTES })) {
    attempt.signal.throwIfAborted();
    refuseError(chunk);
    const candidate = chunk.candidates?.[0];
    if (chunk.promptFeedback?.blockReason || (candidate?.finishReason && WITHHELD.has(candidate.finishReason))) withheld = true;
    for (const source of candidate?.citationMetadata?.citationSources ?? []) if (source.uri) answer.links.push(source.uri);
    for (const part of candidate?.content?.parts ?? []) {
      parts.push(part);
      // Thoughts are not part of the answer.
      const text = typeof part.text === "string" && !(part as { thought?: boolean }).thought ? part.text : "";
      // Postgres stores neither NUL characters nor lone surrogates.
      const clean = text.replaceAll("\0", "").toWellFormed();
      if (!clean || withheld) continue;
      // Text before and after a tool call are separate paragraphs.
      const piece = `${first ? "\n\n" : ""}${clean}`.slice(0, MAX_ANSWER - answer.text.length);
      first = false;
      answer.text += piece;
      if (piece) onText?.(piece);
      if (answer.text.length >= MAX_ANSWER) return parts;
    }
  }
  if (withheld) answer.text = "";
  return parts;
}

/** Gemini 3 thinks for seconds by default, and SOS has four. Earlier models refuse the field, which the types of the package lack. */
const thinkingOf = (model: string): GenerationConfig & { thinkingConfig?: { thinkingLevel: string } } =>
  /^(models\/)?gemini-([3-9]|.*-latest$)/.test(model) ? { thinkingConfig: { thinkingLevel: "low" } } : {};

/** Throws an error that the service sends in the middle of a stream. */
function refuseError(chunk: object): void {
  const { error } = chunk as { error?: { code?: number; message?: string } };
  if (error) throw new GoogleGenerativeAIFetchError(`[${error.code} in a stream] ${error.message}`, error.code);
}

/** True if Google reports that it does not have the model. */
function isRetired(error: unknown, model: string): boolean {
  if (!(error instanceof GoogleGenerativeAIFetchError)) return false;
  if (error.status === 404 || error.status === 410) return true;
  return isRefused(error) && error.message.includes(model) && /not found|no longer available/i.test(error.message);
}

const isRefused = (error: unknown) => error instanceof GoogleGenerativeAIFetchError && error.status === 400;
/** True unless Google reports that the request or the key is wrong. */
const isRetryable = (error: unknown) =>
  !(error instanceof GoogleGenerativeAIFetchError) || error.status === undefined || error.status === 429 || error.status >= 500;
/** Google's error messages repeat the question: logs only the kind of failure. */
const kindOf = (error: unknown) =>
  error instanceof GoogleGenerativeAIFetchError && error.status ? `status ${error.status}` : error instanceof Error ? error.name : "failed";
