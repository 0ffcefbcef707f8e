import { z } from "zod";
import { minutes } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import { MAX_MESSAGE } from "./talk.ts";

/** A pending answer older than this is lost: its process has ended. */
export const LOST_AFTER = minutes(1);

const text = z
  .string()
  .trim()
  .max(MAX_MESSAGE, { error: () => m.assistant_message_long({ max: String(MAX_MESSAGE) }) })
  .optional()
  .default("");
const file = z.uuid().optional();

/** A message to the assistant. `key` is created with the page: the same key and text are the same question. */
export const QuestionSchema = z.object({
  key: z.string().min(8).max(64),
  conversation: z.uuid().optional(),
  message: text,
  /** Ids of stored uploads. */
  file,
  voice: file,
});
/** `latest`: a question without `conversation` continues the one used last. */
export type Question = z.output<typeof QuestionSchema> & { latest?: boolean };

/** The forms of a chat page. */
export const ChatFormSchema = z.discriminatedUnion("intent", [
  QuestionSchema.extend({ intent: z.literal("ask") }),
  z.object({ intent: z.literal("switch"), assistant: z.enum(["on", "off"]) }),
]);
