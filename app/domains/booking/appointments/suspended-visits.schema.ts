import { z } from "zod";
import { VISIT_REASONS } from "#app/domains/visit-reasons.ts";
import { m } from "#app/paraglide/messages.js";

/** Visits listed on the page. */
export const VISITS_LISTED = 50;

/** The form of an administrator about the upcoming visits of a suspended doctor. */
export const SuspendedVisitsSchema = z
  .object({
    intent: z.enum(["cancel", "choose-again"]),
    all: z.boolean().default(false).meta({ description: "Every coming visit, also those that the page does not list." }),
    visits: z.array(z.uuid()).max(VISITS_LISTED).default([]),
    reason: z.enum(VISIT_REASONS, { error: () => m.admin_visits_reason_required() }),
    note: z
      .string()
      .trim()
      .max(300, { error: () => m.cases_too_long() })
      .optional(),
  })
  .refine(({ all, visits }) => all || visits.length > 0, {
    path: ["visits"],
    error: () => m.admin_visits_none_chosen(),
    // Also when the reason is missing, so that both errors show at once.
    when: () => true,
  });
export type SuspendedVisits = z.output<typeof SuspendedVisitsSchema>;
