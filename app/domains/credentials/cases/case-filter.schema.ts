import { z } from "zod";
import { SPECIALTIES } from "#app/domains/directory/specialties.ts";
import { filterChoice, filterDate, filterText } from "#app/lib/list-filter.ts";
import { ASSIGNED } from "./case-lists.ts";

/** Filters of the administrator's list of doctors. `from` and `to` are days of registration. */
export const CaseFilterSchema = z.object({
  city: filterText,
  category: filterChoice(SPECIALTIES),
  specialty: filterText,
  reviewer: filterChoice(ASSIGNED),
  from: filterDate,
  to: filterDate,
});
export type CaseFilter = z.output<typeof CaseFilterSchema>;
