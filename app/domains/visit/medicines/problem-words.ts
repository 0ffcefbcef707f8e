import { m } from "#app/paraglide/messages.js";
import { type LineProblem, MOST_NAME } from "./line.ts";

const WORDS: Record<LineProblem, () => string> = {
  missing: () => m.visit_problem_missing(),
  long: () => m.visit_problem_long({ most: MOST_NAME }),
  dose: () => m.visit_problem_dose(),
  "no-dose": () => m.visit_problem_no_dose(),
  number: () => m.visit_problem_number(),
};
/** Returns what is wrong with a field of a medicine, and what to do. */
export const problemWord = (problem: LineProblem): string => WORDS[problem]();
