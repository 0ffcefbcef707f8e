import { z } from "zod";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

const MOST_WORDS = 500;

/** Fields of every form that is read and signed without a stored draft. */
export const signAtOnceFields = {
  words: z
    .string()
    .trim()
    .max(MOST_WORDS, { error: () => m.certificate_words_long({ most: MOST_WORDS }) })
    .optional(),
  // What the queue does not know about the patient.
  age: z.string().max(3).optional(),
  dateOfBirth: z.string().max(20).optional(),
  gender: z.string().max(20).optional(),
  language: z.enum(LANGUAGES).optional(),
  intent: z.enum(["review", "sign"]).optional(),
};

/** The part of such a form that the heads of its document need. */
export type SignAtOnceInput = {
  age?: string | undefined;
  dateOfBirth?: string | undefined;
  gender?: string | undefined;
  language?: Language | undefined;
};
