import {
  type Content,
  FinishReason,
  FunctionCallingMode,
  type GenerateContentRequest,
  GoogleGenerativeAI,
  GoogleGenerativeAIFetchError,
  type Part,
} from "@google/generative-ai";
import { seconds } from "#app/lib/durations.ts";
import { unavailable } from "../failure.server.ts";
import { withBoundedFetch } from "./bounded-fetch.server.ts";
import { breaker } from "./breaker.ts";
import type { Gemini, GeminiAnswer, GeminiRequest } from "./gemini.server.ts";

const GEMINI_LIMIT = seconds(20);
const DEFAULT_MODEL = "gemini-2.5-flash";
/** Most rounds of tool calls before the model must answer. */
const MAX_ROUNDS = 4;
/** Response bytes. 2048 tokens, each in its own event, are fewer. */
const MAX_BYTES = 1024 * 1024;
/** Tool calls of one round that are run. The rest are ignored. */
const MAX_CALLS = 8;
/** Characters. A longer answer is cut. */
const MAX_ANSWER = 16_000;
const MAX_TOKENS = 2048;
/** A retry with less time left would fail too. */
const WORTH_A_TRY = seconds(2);
/** Finish reasons after which the whole answer is withheld. */
const WITHHELD = new Set<string>([FinishReason.SAFETY, FinishReason.BLOCKLIST, FinishReason.PROHIBITED_CONTENT, FinishReason.SPII]);

type Settings = { apiKey: string; model?: string | undefined; baseUrl?: string | undefined };

/**
 * Calls Gemini through Google's package, with streaming. Retries once, only before the first text. The circuit breaker
 * (breaker.ts) fails fast after three failures in a row or with 20 calls running.
 */
export function googleGemini(
  { apiKey, model = DEFAULT_MODEL, baseUrl }: Settings,
  options: { limit?: number; now?: () => number } = {},
): Gemini {
  const client = new GoogleGenerativeAI(apiKey);
  const now = options.now ?? (() => performance.now());
  // Separate circuits: an emergency search waits four seconds, a chat twenty, so too slow for one may be fine for the other.
  const guards = { chat: breaker({ now }), emergency: breaker({ now }) };
  const chat = client.getGenerativeModel({ model }, baseUrl ? { baseUrl } : {});

  /** Makes one request. Returns the parts of the model's turn. */
  async function call(content: GenerateContentRequest, signal: AbortSignal, answer: GeminiAnswer, onText: (piece: string) => void) {
    signal.throwIfAborted();
    const { stream, response } = await withBoundedFetch(MAX_BYTES, () => chat.generateContentStream(content, { signal }));
    // The stream reports the same error.
    response.catch(() => undefined);
    const parts: Part[] = [];
    let withheld = false;
    let first = answer.text !== "";
    for await (const chunk of stream) {
      signal.throwIfAborted();
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
        if (piece) onText(piece);
        if (answer.text.length >= MAX_ANSWER) return parts;
      }
    }
    if (withheld) answer.text = "";
    return parts;
  }

  async function converse(request: GeminiRequest, signal: AbortSignal, answer: GeminiAnswer): Promise<void> {
    const { system, turns, audio, tools = [], json, onText = () => undefined } = request;
    const contents: Content[] = turns.map(({ role, text }) => ({ role, parts: text ? [{ text }] : [] }));
    if (audio)
      contents.at(-1)?.parts.push({ inlineData: { mimeType: audio.mediaType, data: Buffer.from(audio.bytes).toString("base64") } });
    for (let round = 0; round <= MAX_ROUNDS; round++) {
      const parts = await call(
        {
          contents,
          systemInstruction: { role: "system", parts: [{ text: system }] },
          generationConfig: { maxOutputTokens: MAX_TOKENS, temperature: 0.3, ...(json && { responseMimeType: "application/json" }) },
          ...(tools.length > 0 && {
            tools: [{ functionDeclarations: tools.map(({ run: _, ...declaration }) => declaration) }],
            toolConfig: { functionCallingConfig: { mode: round < MAX_ROUNDS ? FunctionCallingMode.AUTO : FunctionCallingMode.NONE } },
          }),
        },
        signal,
        answer,
        onText,
      );
      const calls = parts.flatMap((part) => (part.functionCall ? [part.functionCall] : [])).slice(0, MAX_CALLS);
      if (calls.length === 0 || round === MAX_ROUNDS) return;
      // Gemini requires a response for each call that is sent back.
      contents.push({
        role: "model",
        parts: parts.filter((part) => !part.functionCall || calls.includes(part.functionCall)),
      });
      const results = await Promise.all(
        calls.map(async ({ name, args }) => {
          const tool = tools.find((t) => t.name === name);
          // The model answers without a tool that fails.
          const response = tool
            ? await tool.run(args).catch(() => ({ error: "This is unavailable just now." }))
            : { error: "There is no such tool." };
          return { functionResponse: { name, response } };
        }),
      );
      signal.throwIfAborted();
      contents.push({ role: "function", parts: results });
    }
  }

  return {
    connected: true,
    async ask(request) {
      const limit = request.limit ?? options.limit ?? GEMINI_LIMIT;
      const until = performance.now() + limit;
      const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(limit)));
      // Aborts the rest of the response at the end.
      const over = new AbortController();
      const signal = AbortSignal.any([timeout, over.signal, ...(request.signal ? [request.signal] : [])]);
      const pass = guards[request.purpose ?? "chat"].enter();
      if (!pass) throw unavailable("Gemini", "circuit open after failures");
      // The package may not end by itself when the connection goes silent.
      const gone = new Promise<never>((_, no) => signal.addEventListener("abort", () => no(signal.reason), { once: true }));
      gone.catch(() => undefined);
      for (let attempt = 1; ; attempt++) {
        const answer: GeminiAnswer = { text: "", links: [] };
        try {
          await Promise.race([converse(request, signal, answer), gone]);
          pass.done("answered");
          over.abort();
          return answer;
        } catch (error) {
          if (request.signal?.aborted) {
            pass.done("unknown");
            throw unavailable("Gemini", "the client disconnected");
          }
          const left = until - performance.now();
          if (attempt === 1 && answer.text === "" && isRetryable(error) && !timeout.aborted && left > Math.min(WORTH_A_TRY, limit / 4))
            continue;
          pass.done("failed");
          over.abort();
          throw unavailable("Gemini", timeout.aborted ? "no answer in time" : kindOf(error));
        }
      }
    },
  };
}

/** True unless Google reports that the request or the key is wrong. */
const isRetryable = (error: unknown) =>
  !(error instanceof GoogleGenerativeAIFetchError) || error.status === undefined || error.status === 429 || error.status >= 500;
/** Google's error messages repeat the question: logs only the kind of failure. */
const kindOf = (error: unknown) =>
  error instanceof GoogleGenerativeAIFetchError && error.status ? `status ${error.status}` : error instanceof Error ? error.name : "failed";
