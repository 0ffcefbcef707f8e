import { z } from "zod";
import { RESULTS } from "#app/domains/platform/audit/results.ts";
import { filterChoice, filterDate, filterText } from "#app/lib/list-filter.ts";

/** Filters of the audit log. Ignores invalid values. */
export const AuditFilterSchema = z.object({
  person: filterText,
  actor: filterText,
  action: filterText,
  subject: filterText,
  subjectId: filterText,
  result: filterChoice(RESULTS),
  from: filterDate,
  to: filterDate,
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
});
export type AuditFilter = z.output<typeof AuditFilterSchema>;
