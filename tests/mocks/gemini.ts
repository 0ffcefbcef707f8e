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

/** A part of a turn, as Gemini sends it. */
export type GeminiPart = {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string; args: object };
  functionResponse?: { id?: string; name: string; response: object };
  inlineData?: { mimeType: string; data: string };
};
const refused = (status: number, message: string): Reply => ({
  status,
  body: JSON.stringify({ error: { code: status, message, status: status === 404 ? "NOT_FOUND" : "INVALID_ARGUMENT" } }),
});
/** What Google answers when it no longer has a model. */
export const noModel = (name: string): Reply =>
  refused(404, `models/${name} is not found for API version v1beta, or is not supported for generateContent. Call ListModels.`);
export const modelOf = ({ path }: { path: string }): string => /models\/([^:]+):/.exec(path)?.[1] ?? "";

/** The audio types of the Gemini API. */
const HEARD = ["audio/wav", "audio/mp3", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"];

/**
 * Answers as Gemini 3: with `steps`, the parts of each step of the turn in the chunks of its stream. Refuses a turn whose parts are
 * not those that it sent, a call without its response, and audio that is not on the list.
 */
export function gemini3(...steps: GeminiPart[][][]): (seen: { body: Buffer }) => Reply {
  return ({ body }) => {
    const { contents } = JSON.parse(String(body)) as { contents: { role: string; parts: GeminiPart[] }[] };
    for (const { inlineData } of contents.flatMap(({ parts }) => parts))
      if (inlineData && !HEARD.includes(inlineData.mimeType)) return refused(400, `Unsupported MIME type: ${inlineData.mimeType}`);
    const asked = contents.findLastIndex(
      ({ parts }) => parts.some((part) => part.text !== undefined || part.inlineData) && !fromModel(parts),
    );
    const turn = contents.slice(asked + 1);
    for (let step = 0; step * 2 < turn.length; step++) {
      const [sent, given, back] = [steps[step]?.flat() ?? [], turn[step * 2]?.parts ?? [], turn[step * 2 + 1]?.parts ?? []];
      for (const [i, part] of sent.entries())
        if (part.thoughtSignature !== given[i]?.thoughtSignature)
          return refused(400, `Function call is missing a thought_signature in functionCall parts, position ${i}.`);
      if (JSON.stringify(given) !== JSON.stringify(sent)) return refused(400, "The parts are not those of the model.");
      const named = (calls: ({ id?: string; name: string } | undefined)[]) =>
        JSON.stringify(calls.flatMap((c) => (c ? [[c.id, c.name]] : [])));
      if (named(sent.map((part) => part.functionCall)) !== named(back.map((part) => part.functionResponse)))
        return refused(400, "The number of function response parts must equal that of function call parts.");
    }
    const chunks = steps[turn.length / 2] ?? [];
    return sse(...chunks.map((parts) => ({ candidates: [{ content: { role: "model", parts }, index: 0 }] })));
  };
}
/** The model's own turns have calls and signatures; text of an earlier answer has neither. */
const fromModel = (parts: GeminiPart[]) => parts.some((part) => part.functionCall || part.thoughtSignature !== undefined || part.thought);
