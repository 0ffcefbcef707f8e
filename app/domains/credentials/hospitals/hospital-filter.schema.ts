import { z } from "zod";
import { filterChoice, filterDate, filterText } from "#app/lib/list-filter.ts";
import { HOSPITAL_CATEGORIES } from "#app/lib/vocabulary.ts";
import { REVIEWER_FILTERS } from "./sorts.ts";

/** Filters of the administrator's list of hospitals. `from` and `to` are the days it was added. */
export const HospitalFilterSchema = z.object({
  city: filterText,
  category: filterChoice(HOSPITAL_CATEGORIES),
  reviewers: filterChoice(REVIEWER_FILTERS),
  from: filterDate,
  to: filterDate,
});
export type HospitalFilter = z.output<typeof HospitalFilterSchema>;
