import { z } from "zod";
import { m } from "#app/paraglide/messages.js";

const tooLong = { error: () => m.cases_too_long() };

/** The version of the document's decision that the sender has seen; empty: none yet. */
const version = z
  .string()
  .max(40)
  .default("")
  .meta({ description: "The version of the document that was looked at; empty before the first decision." });

const DocumentDecision = z.object({
  id: z.uuid(),
  version,
  decision: z.enum(["matches", "ask-again"]).optional(),
  reason: z.string().trim().max(500, tooLong).optional(),
});

/** The form of a reviewer or administrator about a case. `seen`: the version of the application they have seen. */
export const CaseDecisionSchema = z
  .object({
    intent: z.enum(["approve", "send-back", "save"]),
    seen: z.string().max(40).default(""),
    case: z.uuid().optional().meta({ description: "Whose case the sender was looking at; another one than in the address is refused." }),
    note: z.string().trim().max(1000, tooLong).optional(),
    documents: z.array(DocumentDecision).max(40).default([]),
  })
  .superRefine(({ intent, documents, note }, context) => {
    const complain = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    if (intent === "save") return;
    documents.forEach(({ decision, reason }, i) => {
      if (decision === "ask-again" && !reason) complain(["documents", i, "reason"], m.cases_reason_required());
      else if (intent === "approve" && decision !== "matches")
        complain(["documents", i, "decision"], decision ? m.cases_not_matching() : m.cases_undecided());
    });
    const reasons = documents.some((d) => d.decision === "ask-again");
    if (intent === "send-back" && !reasons && !note) complain(["note"], m.cases_reason_or_note());
  });
export type CaseDecision = z.output<typeof CaseDecisionSchema>;

/** The decision on one document, next to its image. */
export const DocumentDecisionSchema = z
  .object({
    seen: z.string().max(40).default(""),
    version,
    decision: z.enum(["matches", "ask-again"], { error: () => m.cases_undecided() }),
    reason: z.string().trim().max(500, tooLong).optional(),
  })
  .superRefine(({ decision, reason }, context) => {
    if (decision === "ask-again" && !reason) context.addIssue({ code: "custom", path: ["reason"], message: m.cases_reason_required() });
  });

const reasonWith = (missing: () => string) => z.string({ error: missing }).trim().min(1, { error: missing }).max(500, tooLong);

/** The reason for showing a number. */
export const RevealSchema = z.object({
  reason: reasonWith(() => m.cases_reveal_reason_required()).pipe(z.string().min(5, { error: () => m.cases_reveal_reason_short() })),
});
export const SuspendSchema = z.object({ reason: reasonWith(() => m.admin_suspend_reason_required()) });
export const ReinstateSchema = z.object({ note: z.string().trim().max(500, tooLong).optional() });
