import { z } from "zod";
import { m } from "#app/paraglide/messages.js";
import { readLanguage, readWord } from "../conversation/incoming-words.ts";

export const KEYWORD_FORM = /^[A-Z][A-Z0-9]{1,14}$/;
/** False for a word that a conversation understands. */
export const mayBeKeyword = (word: string): boolean => readWord(word) === null && readLanguage(word) === null;
/** A keyword: letters and digits of the Latin script, and no word that a conversation understands. Empty: none. */
export const KeywordSchema = z.object({
  practiceId: z.uuid(),
  keyword: z
    .string()
    .trim()
    .toUpperCase()
    .refine((word) => word === "" || KEYWORD_FORM.test(word), { error: () => m.keyword_form() })
    .refine(mayBeKeyword, { error: () => m.keyword_reserved() })
    .default(""),
});
