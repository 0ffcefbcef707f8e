import { z } from "zod";
import { m } from "#app/paraglide/messages.js";
import { readLanguage, readWord } from "../conversation/incoming-words.ts";

const FORM = /^[A-Z][A-Z0-9]{1,14}$/;
/** A keyword: letters and digits of the Latin script, and no word that a conversation understands. Empty: none. */
export const KeywordSchema = z.object({
  practiceId: z.uuid(),
  keyword: z
    .string()
    .trim()
    .toUpperCase()
    .refine((word) => word === "" || FORM.test(word), { error: () => m.keyword_form() })
    .refine((word) => readWord(word) === null && readLanguage(word) === null, { error: () => m.keyword_reserved() })
    .default(""),
});
