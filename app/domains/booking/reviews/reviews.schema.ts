import { z } from "zod";
import { m } from "#app/paraglide/messages.js";
import { MAX_NOTE, MAX_WORDS, REASONS } from "./review.ts";

const words = (max: number, tooLong: () => string) =>
  z
    .string()
    // Browsers count a line break as one character and send two.
    .overwrite((text) => text.replaceAll("\r\n", "\n"))
    .trim()
    .max(max, { error: tooLong })
    .optional();

/** Stars and text of a review. */
export const ReviewSchema = z.object({
  rating: z.coerce
    .number({ error: () => m.reviews_choose_stars() })
    .int({ error: () => m.reviews_choose_stars() })
    .min(1, { error: () => m.reviews_choose_stars() })
    .max(5, { error: () => m.reviews_choose_stars() }),
  words: words(MAX_WORDS, () => m.reviews_words_too_long({ max: MAX_WORDS })),
});
export type ReviewInput = z.infer<typeof ReviewSchema>;

/** The doctor's reply, or its removal. */
export const ReplySchema = z
  .object({ intent: z.enum(["save", "remove"]), reply: words(MAX_WORDS, () => m.reviews_words_too_long({ max: MAX_WORDS })) })
  .refine((input) => input.intent === "remove" || Boolean(input.reply), { path: ["reply"], error: () => m.reviews_reply_missing() });
export type ReplyInput = z.infer<typeof ReplySchema>;

export const ReportSchema = z.object({
  reason: z.enum(REASONS, { error: () => m.reviews_report_choose() }),
  note: words(MAX_NOTE, () => m.reviews_words_too_long({ max: MAX_NOTE })),
});
export type ReportInput = z.infer<typeof ReportSchema>;

/** An administrator's decision. Hiding needs a reason. */
export const ModerateSchema = z
  .object({
    intent: z.enum(["hide", "keep", "show", "hide-reply", "show-reply"]),
    reason: words(MAX_NOTE, () => m.reviews_words_too_long({ max: MAX_NOTE })),
  })
  .refine((input) => !input.intent.startsWith("hide") || Boolean(input.reason), {
    path: ["reason"],
    error: () => m.reviews_hide_reason_missing(),
  });
export type ModerateInput = z.infer<typeof ModerateSchema>;
