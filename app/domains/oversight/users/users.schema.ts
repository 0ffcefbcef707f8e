import { z } from "zod";
import { m } from "#app/paraglide/messages.js";

const reason = { error: () => m.users_disable_reason_required() };
export const UserActionSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("disable"),
    reason: z
      .string(reason)
      .trim()
      .min(1, reason)
      .max(500, { error: () => m.cases_too_long() }),
  }),
  z.object({ intent: z.literal("enable") }),
  z.object({ intent: z.literal("end-sessions") }),
]);
