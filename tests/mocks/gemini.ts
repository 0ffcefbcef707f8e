/** What Gemini's streamGenerateContent sends, for a stub that stands in its place (tests/mocks/http-stub.ts). */
import type { Reply } from "./http-stub.ts";

/** The given objects as server-sent events. */
export const sse = (...chunks: object[]): Reply => ({
  headers: { "content-type": "text/event-stream" },
  body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(""),
});
/** An answer in pieces. */
export const says = (...pieces: string[]): Reply =>
  sse(...pieces.map((text) => ({ candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }] })));
/** A wish for a tool. */
export const wants = (name: string, args: object): Reply =>
  sse({ candidates: [{ content: { role: "model", parts: [{ functionCall: { name, args } }] }, index: 0 }] });
