import { z } from "zod";
import { EVENT_ACTIONS, type EventSubject } from "#app/domains/platform/events/event-kinds.ts";
import { readPublicUrl } from "#app/integrations/public-http/public-address.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";

const SUBJECTS = Object.keys(EVENT_ACTIONS) as [EventSubject, ...EventSubject[]];

const url = z
  .string({ error: () => m.hooks_url_invalid() })
  .max(500, { error: () => m.hooks_url_invalid() })
  .transform((typed, refused) => {
    const found = readPublicUrl(typed, env().webhookTestOrigin);
    if (!found) refused.addIssue({ code: "custom", message: m.hooks_url_invalid() });
    return found?.href ?? "";
  });
const label = z
  .string()
  .trim()
  .max(100, { error: () => m.cases_too_long() })
  .transform((text) => text.replace(/\s+/g, " "))
  .default("");
const subjects = z.array(z.enum(SUBJECTS), { error: () => m.hooks_subjects_none() }).min(1, { error: () => m.hooks_subjects_none() });

export const WebhookSchema = z.object({ url, label, subjects });
export type WebhookInput = z.output<typeof WebhookSchema>;

/** Forms of an endpoint's page. */
export const WebhookPageSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["pause", "resume", "test", "resend-failed"]) }),
  z.object({ intent: z.literal("resend"), delivery: z.uuid() }),
]);
