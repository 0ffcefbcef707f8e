import { z } from "zod";
import { SHARE_DAYS, SHARE_TIMES } from "./share.ts";

const choice = <const Choices extends readonly number[]>(choices: Choices, usual: Choices[number]) =>
  z
    .enum(choices.map(String) as [string, ...string[]])
    .transform(Number)
    .default(usual);

/** The form that makes a link, and the button that ends one. */
export const ShareSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("end"), id: z.uuid() }),
  z.object({
    intent: z.literal("share"),
    days: choice(SHARE_DAYS, 7),
    times: choice(SHARE_TIMES, 5),
    showName: z.literal("on").optional(),
  }),
]);
