import { z } from "zod";
import { m } from "#app/paraglide/messages.js";

/** Most cases of one form: more than a page of the list has. */
const MOST = 50;
const noUser = z.literal("").transform(() => null);
const chosen = z
  .array(z.uuid(), { error: () => m.cases_assign_none_chosen() })
  .min(1)
  .max(MOST);

/** The administrator's form: for each case who had it when the form was made, and for each hospital the reviewer. */
export const AssignSchema = z.object({
  cases: z
    .array(z.object({ id: z.uuid(), seen: z.union([noUser, z.uuid()]) }))
    .min(1)
    .max(MOST),
  reviewers: z.array(z.object({ hospital: z.uuid(), user: z.union([noUser, z.uuid()]) })).max(MOST),
});
export type Assign = z.output<typeof AssignSchema>;

/** A reviewer's button on a case. `seen`: who had it when the page was made. */
export const OwnCaseSchema = z.object({ intent: z.enum(["take", "release"]), seen: z.union([noUser, z.uuid()]) });

/** Cases chosen in a reviewer's list. */
export const TakeCasesSchema = z.object({ case: z.preprocess((list) => (Array.isArray(list) ? list : [list]).filter(Boolean), chosen) });
