import type { FunctionDeclarationSchema } from "@google/generative-ai";
import { unavailable } from "../failure.server.ts";

/** One thing said: by the person, or by the model before. */
export type GeminiTurn = { role: "user" | "model"; text: string };
/** What the model may ask for while it answers. `run` gets what the model wrote, so it parses it; its object goes back to the model. */
export type GeminiTool = {
  name: string;
  description: string;
  parameters?: FunctionDeclarationSchema;
  run: (args: unknown) => Promise<object>;
};
export type GeminiRequest = {
  /** What the model is and what it must not do. */
  system: string;
  /** The conversation so far; the last turn is the question. */
  turns: GeminiTurn[];
  /** Goes with the last turn: "audio/webm" and its bytes. */
  audio?: { mediaType: string; bytes: Uint8Array };
  tools?: GeminiTool[];
  /** Failures of one purpose do not count for the other; "chat" unless said otherwise. */
  purpose?: "chat" | "emergency";
  /** Asks for JSON instead of prose. */
  json?: boolean;
  /** Milliseconds for everything, retry and tools too; 20 s unless said otherwise. */
  limit?: number;
  /** Gone, when whoever asked has gone. */
  signal?: AbortSignal;
  /** Pieces of the answer as they come; what was given is a part of what `ask` answers with. */
  onText?: (piece: string) => void;
};
/** `text` is "" when the model said nothing or was not allowed to. `links`: addresses it quotes from, unchecked. */
export type GeminiAnswer = { text: string; links: string[] };

/** Google's model, or nobody. @throws DomainError("unavailable") when no whole answer comes within the limit. */
export type Gemini = {
  connected: boolean;
  ask(request: GeminiRequest): Promise<GeminiAnswer>;
};

/** The offline default: there is no model, and whoever asks first looks at `connected`. */
export const noGemini: Gemini = {
  connected: false,
  ask: () => Promise.reject(unavailable("Gemini", "no key is set")),
};
