import { z } from "zod";
import { parseTimeValue } from "#app/domains/booking/appointments/proposal-times.ts";
import { CANCEL_REASONS } from "#app/domains/visit-reasons.ts";
import { m } from "#app/paraglide/messages.js";

/** Whose request an administrator carries out. It decides the refund and which rules of the state table apply. */
const ASKED_BY = ["patient", "doctor"] as const;
export type AskedBy = (typeof ASKED_BY)[number];

const why = { error: () => m.admin_visit_why_required() };
const request = {
  askedBy: z.enum(ASKED_BY, { error: () => m.admin_visit_asked_required() }),
  /** For the access log. */
  why: z
    .string(why)
    .trim()
    .min(1, why)
    .max(300, { error: () => m.cases_too_long() }),
};
/** `reason`: what the patient reads when the doctor asked. */
export const HelpCancelSchema = z.object({ ...request, reason: z.enum(CANCEL_REASONS).optional() });
export const HelpMoveSchema = z.object({
  ...request,
  to: z.string({ error: () => m.proposals_choose() }).transform((text, check) => {
    const at = parseTimeValue(text);
    if (!at) check.addIssue({ code: "custom", message: m.proposals_choose() });
    return at ?? z.NEVER;
  }),
});
export type HelpCancel = z.output<typeof HelpCancelSchema>;
export type HelpMove = z.output<typeof HelpMoveSchema>;
