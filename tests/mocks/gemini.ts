/** Responses of Gemini's streamGenerateContent for a stub (tests/mocks/http-stub.ts). */
import type { Reply } from "./http-stub.ts";

/** Sends objects as server-sent events. */
export const sse = (...chunks: object[]): Reply => ({
  headers: { "content-type": "text/event-stream" },
  body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(""),
});
/** Streams an answer in chunks. */
export const textReply = (...pieces: string[]): Reply =>
  sse(...pieces.map((text) => ({ candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }] })));
/** Calls a tool. */
export const toolCall = (name: string, args: object): Reply =>
  sse({ candidates: [{ content: { role: "model", parts: [{ functionCall: { name, args } }] }, index: 0 }] });
