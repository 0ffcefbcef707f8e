import { z } from "zod";
import { RESULTS } from "#app/domains/platform/audit/results.ts";
import { isDateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";

const text = z
  .string()
  .trim()
  .max(100)
  .transform((value) => value || undefined)
  .optional()
  .catch(undefined);
const day = z.string().overwrite(plainDigits).refine(isDateKey).optional().catch(undefined);

/** Filters of the audit log. Ignores invalid values. */
export const AuditFilterSchema = z.object({
  person: text,
  actor: text,
  action: text,
  subject: text,
  subjectId: text,
  result: z.enum(RESULTS).optional().catch(undefined),
  from: day,
  to: day,
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
});
export type AuditFilter = z.output<typeof AuditFilterSchema>;
