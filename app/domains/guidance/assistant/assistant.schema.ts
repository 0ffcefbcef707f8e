import { z } from "zod";
import { minutes } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import { MAX_MESSAGE } from "./talk.ts";

/** An answer that has been on its way for so long never comes: its process has ended. */
export const LOST_AFTER = minutes(1);

const text = z
  .string()
  .trim()
  .max(MAX_MESSAGE, { error: () => m.assistant_message_long({ max: String(MAX_MESSAGE) }) })
  .optional()
  .default("");
const file = z.uuid().optional();

/** What is sent to the assistant. `key` comes with the page: the same key and words are the same question. */
export const QuestionSchema = z.object({
  key: z.string().min(8).max(64),
  conversation: z.uuid().optional(),
  message: text,
  /** Ids of files that were stored as they came. */
  file,
  voice: file,
});
/** `latest`: without a `conversation`, the question goes on in the one used last. */
export type Question = z.output<typeof QuestionSchema> & { latest?: boolean };

/** What the forms of a chat page send. */
export const ChatFormSchema = z.discriminatedUnion("intent", [
  QuestionSchema.extend({ intent: z.literal("ask") }),
  z.object({ intent: z.literal("switch"), assistant: z.enum(["on", "off"]) }),
]);
