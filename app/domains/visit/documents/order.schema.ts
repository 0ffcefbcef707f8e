import { z } from "zod";
import { LANGUAGES } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { ORDER_FIELDS } from "./order.ts";

const LONGEST_TEST = 120;
const MOST_WORDS = 500;

const Test = z
  .string()
  .trim()
  .max(LONGEST_TEST, { error: () => m.order_test_long({ most: LONGEST_TEST }) })
  .optional();

/** The form of an order of tests: each field has one test. */
export const OrderForm = z
  .object({
    test1: Test,
    test2: Test,
    test3: Test,
    test4: Test,
    test5: Test,
    test6: Test,
    test7: Test,
    test8: Test,
    words: z
      .string()
      .trim()
      .max(MOST_WORDS, { error: () => m.certificate_words_long({ most: MOST_WORDS }) })
      .optional(),
    // What the queue does not know about the patient.
    age: z.string().max(3).optional(),
    gender: z.string().max(20).optional(),
    language: z.enum(LANGUAGES).optional(),
    /** The order that this one corrects. */
    replaces: z.uuid().optional(),
    intent: z.enum(["review", "sign"]).optional(),
    /** What the doctor saw before signing. */
    seen: z.string().max(4000).optional(),
  })
  .superRefine((input, ctx) => {
    if (!ORDER_FIELDS.some((name) => input[name])) ctx.addIssue({ code: "custom", path: ["test1"], message: m.order_test_missing() });
  });

/** An order as the form has it. */
export type OrderInput = Omit<z.output<typeof OrderForm>, "intent" | "seen">;
