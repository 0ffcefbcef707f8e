import type { MedicineForm } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { DOSE_LIMITS, type LineProblem, MOST_DAYS, MOST_NAME } from "./line.ts";

const WORDS: Record<LineProblem, (form: MedicineForm) => string> = {
  missing: () => m.visit_problem_missing(),
  long: () => m.visit_problem_long({ most: MOST_NAME }),
  dose: (form) => (form === "syrup" ? m.visit_problem_spoons : STEPS[DOSE_LIMITS[form].step])({ most: String(DOSE_LIMITS[form].most) }),
  thousands: (form) => m.visit_problem_thousands({ most: String(DOSE_LIMITS[form].most) }),
  "no-dose": () => m.visit_problem_no_dose(),
  days: () => m.visit_problem_days({ most: MOST_DAYS }),
  number: () => m.visit_problem_number(),
};
const STEPS = { 0.25: m.visit_problem_quarters, 0.5: m.visit_problem_halves, 1: m.visit_problem_whole };

/** Returns what is wrong with a field of a medicine of a form, and what to do. */
export const problemWord = (problem: LineProblem, form: MedicineForm): string => WORDS[problem](form);
