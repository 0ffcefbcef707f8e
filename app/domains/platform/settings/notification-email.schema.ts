import { z } from "zod";
import { MAX_EMAIL } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";

/** The form of a patient's email address: an address to confirm, or its removal. */
export const NotificationEmailSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    email: z
      .string({ error: () => m.email_required() })
      .trim()
      .max(MAX_EMAIL, { error: () => m.accounts_email_invalid() })
      .toLowerCase()
      .pipe(z.email({ error: () => m.accounts_email_invalid() })),
  }),
  z.object({ intent: z.literal("remove") }),
]);
