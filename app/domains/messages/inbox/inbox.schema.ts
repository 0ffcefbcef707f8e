import { z } from "zod";
import { m } from "#app/paraglide/messages.js";
import { MAX_ANSWER } from "./desk-message.ts";

/** Answers that are ready to press, in the language of the conversation. */
export const READY = ["desk-yes", "desk-again", "desk-call"] as const;

/** `seen`: the newest message of the page. `key`: of the form, which is sent once. */
const shared = { seen: z.string().max(60).default(""), key: z.string().min(8).max(60) };
export const InboxAnswerSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("answer"),
    ...shared,
    message: z
      .string({ error: () => m.inbox_write_first() })
      .trim()
      .min(1, { error: () => m.inbox_write_first() })
      .max(MAX_ANSWER, { error: () => m.inbox_too_long() }),
  }),
  z.object({ intent: z.literal("ready"), ...shared, ready: z.enum(READY) }),
  z.object({ intent: z.literal("hand-back") }),
]);
export type InboxAnswer = z.output<typeof InboxAnswerSchema>;
