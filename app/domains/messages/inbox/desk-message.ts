import { smsSize } from "#app/integrations/sms/segments.ts";
import { cutText, graphemesOf } from "#app/lib/graphemes.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import type { Rendered } from "../conversation/render.ts";

/** By SMS a text of a member is a registered text with lines of at most 30 characters. */
const LINE = 30;
const MOST_LINES = 3;
/** The longest text of a member. */
export const MAX_ANSWER = 300;

/** Splits a text between words into lines. null: it does not fit. */
function linesOf(text: string): string[] | null {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length && graphemesOf(longer).length <= LINE) lines[lines.length - 1] = longer;
    else if (graphemesOf(word).length > LINE) return null;
    else lines.push(word);
  }
  return lines.length && lines.length <= MOST_LINES ? lines : null;
}

/** Returns a member's text as it is sent. null: it is too long for its channel. */
export function deskMessage(place: string, text: string, channel: MessageChannel): Rendered | null {
  const clinic = cutText(place, LINE);
  if (channel === "whatsapp") return { body: `${place}: ${text}`, template: "reply-desk", variables: {}, choices: [], as: "text" };
  const lines = linesOf(text);
  if (!lines) return null;
  const body = `${clinic}:\n${lines.join("\n")}`;
  if (smsSize(body).segments > 2) return null;
  const variables = { place: clinic, ...Object.fromEntries(lines.map((line, i) => [`line${i + 1}`, line])) };
  return { body, template: `reply-desk.${lines.length}`, variables, choices: [], as: "text" };
}
