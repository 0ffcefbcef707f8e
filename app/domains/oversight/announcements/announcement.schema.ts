import { z } from "zod";
import { isDateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { AUDIENCES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { MOST_MESSAGE, MOST_TITLE } from "./lengths.ts";

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most, { error: () => m.cases_too_long() })
    .optional()
    .transform((text) => text || undefined);
const textFields = Object.fromEntries(
  LANGUAGES.flatMap((one) => [
    [`title_${one}`, line(MOST_TITLE)],
    [`message_${one}`, line(MOST_MESSAGE)],
  ]),
) as Record<`${"title" | "message"}_${(typeof LANGUAGES)[number]}`, ReturnType<typeof line>>;

/** The form of an announcement. A language has both a title and a message, or neither; one language at least. */
export const AnnouncementSchema = z
  .object({
    audience: z.enum(AUDIENCES, { error: () => m.announce_audience_required() }),
    hospital: z.uuid().optional(),
    ends: z
      .string({ error: () => m.announce_ends_required() })
      .overwrite(plainDigits)
      .refine(isDateKey, { error: () => m.announce_ends_required() }),
    ...textFields,
  })
  .check(({ value, issues }) => {
    const add = (path: string, message: string) => issues.push({ code: "custom", path: [path], message, input: value });
    const given = LANGUAGES.filter((one) => value[`title_${one}`] || value[`message_${one}`]);
    if (!given.length) add("title_en", m.announce_text_required());
    for (const one of given) {
      if (!value[`title_${one}`]) add(`title_${one}`, m.announce_title_required());
      if (!value[`message_${one}`]) add(`message_${one}`, m.announce_message_required());
    }
  })
  .transform(({ audience, hospital, ends, ...text }) => {
    const written = LANGUAGES.filter((one) => text[`title_${one}`]);
    const texts = Object.fromEntries(
      written.map((one) => [one, { title: text[`title_${one}`] ?? "", message: text[`message_${one}`] ?? "" }]),
    );
    return { audience, hospitalId: hospital ?? null, ends, texts, language: written[0] ?? LANGUAGES[0] };
  });
export type AnnouncementInput = z.output<typeof AnnouncementSchema>;

/** An announcement as its reader sees it, in one language. */
export type Banner = { id: string; title: string; message: string; language: string };
