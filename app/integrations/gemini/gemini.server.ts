import type { FunctionDeclarationSchema } from "@google/generative-ai";
import { unavailable } from "../failure.server.ts";
import type { ModelState } from "./model-list.ts";

/** One message of the user or the model. */
export type GeminiTurn = { role: "user" | "model"; text: string };
/** A function the model may call. `run` gets unvalidated arguments from the model; its result is sent to the model. */
export type GeminiTool = {
  name: string;
  description: string;
  parameters?: FunctionDeclarationSchema;
  run: (args: unknown) => Promise<object>;
};
export type GeminiRequest = {
  /** System instruction. */
  system: string;
  /** The conversation so far; the last turn is the question. */
  turns: GeminiTurn[];
  /** Audio of the last turn, for example "audio/ogg". */
  audio?: { mediaType: string; bytes: Uint8Array };
  tools?: GeminiTool[];
  /** Each purpose has its own circuit breaker. Default: "chat". */
  purpose?: "chat" | "emergency";
  /** Requests JSON instead of text. */
  json?: boolean;
  /** Milliseconds for everything, with retry and tools. Default: 20 s. */
  limit?: number;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
  /** Receives chunks of the answer. They are part of what `ask` returns. */
  onText?: (piece: string) => void;
};
/** `text` is "" when the model returned nothing or its answer was withheld. `links`: cited URLs, unchecked. */
export type GeminiAnswer = { text: string; links: string[] };

export type Gemini = {
  /** False without a key, and while all models are retired. */
  readonly connected: boolean;
  /** The models to call, in order. */
  readonly models: readonly ModelState[];
  /** @throws DomainError("unavailable") when no complete answer comes within the limit */
  ask(request: GeminiRequest): Promise<GeminiAnswer>;
};

/** The offline default without a model: callers check `connected` first. */
export const noGemini: Gemini = {
  connected: false,
  models: [],
  ask: () => Promise.reject(unavailable("Gemini", "no key is set")),
};
