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
/** Times the model may ask for something before it must answer. */
const MAX_ROUNDS = 4;
/** Bytes on the wire; 2048 tokens one at a time, each in its envelope, are below. */
const MAX_BYTES = 1024 * 1024;
/** Wishes of one round that are granted; the rest are not heard. */
const MAX_CALLS = 8;
/** Characters; a longer answer ends here. */
const MAX_ANSWER = 16_000;
const MAX_TOKENS = 2048;
/** A second try with less time than this left would only fail later. */
const WORTH_A_TRY = seconds(2);
/** What the model was kept from saying is not said in part. */
const WITHHELD = new Set<string>([FinishReason.SAFETY, FinishReason.BLOCKLIST, FinishReason.PROHIBITED_CONTENT, FinishReason.SPII]);

type Settings = { apiKey: string; model?: string | undefined; baseUrl?: string | undefined };

/**
 * Gemini through Google's own package, streaming. One retry, and only before the first word; 20 s for all of it. After
 * three failures in a row, or with 20 questions under way, the next one fails at once (breaker.ts).
 */
export function googleGemini(
  { apiKey, model = DEFAULT_MODEL, baseUrl }: Settings,
  options: { limit?: number; now?: () => number } = {},
): Gemini {
  const client = new GoogleGenerativeAI(apiKey);
  const now = options.now ?? (() => performance.now());
  // An emergency search waits four seconds, a chat twenty: what is too slow for the one says nothing of the other.
  const guards = { chat: breaker({ now }), emergency: breaker({ now }) };
  const chat = client.getGenerativeModel({ model }, baseUrl ? { baseUrl } : {});

  /** One call. Gives the parts of the model's turn, text as it comes to `onText`. */
  async function call(content: GenerateContentRequest, signal: AbortSignal, answer: GeminiAnswer, onText: (piece: string) => void) {
    signal.throwIfAborted();
    const { stream, response } = await withBoundedFetch(MAX_BYTES, () => chat.generateContentStream(content, { signal }));
    // Rejects beside the stream, where nobody listens.
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
        // A model that thinks aloud marks it so.
        const said = typeof part.text === "string" && !(part as { thought?: boolean }).thought ? part.text : "";
        // No database keeps a zero, nor half a letter.
        const spoken = said.replaceAll("\0", "").toWellFormed();
        if (!spoken || withheld) continue;
        // What was said before a tool was asked is a paragraph of its own.
        const piece = `${first ? "\n\n" : ""}${spoken}`.slice(0, MAX_ANSWER - answer.text.length);
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
      // Each wish that is sent back stands beside its answer.
      contents.push({
        role: "model",
        parts: parts.filter((part) => !part.functionCall || calls.includes(part.functionCall)),
      });
      const results = await Promise.all(
        calls.map(async ({ name, args }) => {
          const tool = tools.find((t) => t.name === name);
          // A tool that fails is told to the model, which answers without it.
          const response = tool
            ? await tool.run(args).catch(() => ({ error: "This is away just now." }))
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
      // Whatever of the answer is still on its way when this one has ended is not read.
      const over = new AbortController();
      const signal = AbortSignal.any([timeout, over.signal, ...(request.signal ? [request.signal] : [])]);
      const pass = guards[request.purpose ?? "chat"].enter();
      if (!pass) throw unavailable("Gemini", "left alone after failures");
      // The package cannot be relied on to end by itself when the line goes silent.
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
            throw unavailable("Gemini", "nobody waits any more");
          }
          const left = until - performance.now();
          if (attempt === 1 && answer.text === "" && mayPass(error) && !timeout.aborted && left > Math.min(WORTH_A_TRY, limit / 4))
            continue;
          pass.done("failed");
          over.abort();
          throw unavailable("Gemini", timeout.aborted ? "no answer in time" : kindOf(error));
        }
      }
    },
  };
}

/** Worth a second try: not when Google says that the request or the key is wrong. */
const mayPass = (error: unknown) =>
  !(error instanceof GoogleGenerativeAIFetchError) || error.status === undefined || error.status === 429 || error.status >= 500;
/** Google's messages repeat what was asked: only the kind of failure reaches the log. */
const kindOf = (error: unknown) =>
  error instanceof GoogleGenerativeAIFetchError && error.status ? `status ${error.status}` : error instanceof Error ? error.name : "failed";
