import { z } from "zod";
import { m } from "#app/paraglide/messages.js";
import { ORDER_FIELDS } from "./order.ts";
import { signAtOnceFields } from "./sign-at-once.schema.ts";

const LONGEST_TEST = 120;

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
    ...signAtOnceFields,
    /** The order that this one corrects. */
    replaces: z.uuid().optional(),
    /** What the doctor saw before signing. */
    seen: z.string().max(4000).optional(),
  })
  .superRefine((input, ctx) => {
    if (!ORDER_FIELDS.some((name) => input[name])) ctx.addIssue({ code: "custom", path: ["test1"], message: m.order_test_missing() });
  });

/** An order as the form has it. */
export type OrderInput = Omit<z.output<typeof OrderForm>, "intent" | "seen">;
