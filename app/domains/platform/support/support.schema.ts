import { z } from "zod";
import { SUPPORT_TOPICS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { MAX_MESSAGE } from "./thread.ts";

const message = z
  .string({ error: () => m.support_message_missing() })
  // Browsers count a line break as one character and send two.
  .overwrite((text) => text.replaceAll("\r\n", "\n"))
  .trim()
  .min(1, { error: () => m.support_message_missing() })
  .max(MAX_MESSAGE, { error: () => m.support_message_too_long({ max: MAX_MESSAGE }) });
/** Identifies a form, so that a second press adds nothing. */
const key = z.string().min(8).max(100);

/** A new question. */
export const QuestionSchema = z.object({
  topic: z.enum(SUPPORT_TOPICS, { error: () => m.support_topic_missing() }),
  appointment: z.string().max(40).optional(),
  message,
  key,
});
export type QuestionInput = z.infer<typeof QuestionSchema>;

/** A further message of the user, or the end of the conversation. */
export const ReplySchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("reply"), message, key }),
  z.object({ intent: z.literal("close") }),
]);

/** `seen`: the newest message that the administrator has read. `from`: to whom the thread was assigned. */
export const InboxSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["answer", "answer-close"]), message, key, seen: z.string().max(40) }),
  z.object({ intent: z.literal("close"), seen: z.string().max(40) }),
  z.object({ intent: z.enum(["assign", "release"]), from: z.string().max(40).optional() }),
]);
