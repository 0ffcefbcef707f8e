import { z } from "zod";
import { m } from "#app/paraglide/messages.js";

/** Most cases of one form: more than a page of the list has. */
const MOST = 50;
/** An empty field: no user. */
const userOrNone = z
  .uuid()
  .optional()
  .transform((id) => id ?? null);
const none = { error: () => m.cases_assign_none_chosen() };

/** The administrator's form: for each case who had it when the form was made, and for each hospital the reviewer. */
export const AssignSchema = z.object({
  cases: z
    .array(z.object({ id: z.uuid(), from: userOrNone }), none)
    .min(1, none)
    .max(MOST),
  reviewers: z.array(z.object({ hospital: z.uuid(), user: userOrNone })).max(MOST),
});
export type Assign = z.output<typeof AssignSchema>;

/** A reviewer's button on a case. `from`: who had it when the page was made. */
export const OwnCaseSchema = z.object({ intent: z.enum(["take", "release"]), from: userOrNone });

/** Cases chosen in a reviewer's list. */
export const TakeCasesSchema = z.object({
  case: z.preprocess((list) => (Array.isArray(list) ? list : [list]).filter(Boolean), z.array(z.uuid(), none).min(1, none).max(MOST)),
});
