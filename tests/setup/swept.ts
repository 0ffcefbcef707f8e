/**
 * Which pages a sweep of the browser tests opens (axe, layout, sizes). `npm run test:all`, and a file that is run by name: all. `npm test`: a short
 * list, and the changed pages.
 */
import { CHANGED_PAGES, patternOf } from "./changed.ts";
import { GATE } from "./long.ts";

/** One page of each kind: a login, a list, a page of a doctor, SOS, a dashboard, a day, a form, a document. */
export const SHORT_LIST = [
  "/dual-patient",
  "/doctorspages/Cards-data",
  "/details/doctor/:id",
  "/patient/emergency-contact",
  "/patient-dashboard",
  "/patient/appointments/datetime",
  "/patient/appointments/patient-detail",
  "/doctor-dashboard",
  "/doctor/visits/:id",
];

/** Returns the paths that this run opens, in their order: of a page of the short list the first, of a changed page all. */
export function swept(paths: readonly string[]): string[] {
  if (!GATE) return [...paths];
  const taken = new Set<string>();
  return paths.filter((path) => {
    const pattern = patternOf(path);
    if (CHANGED_PAGES.sweep.has(pattern)) return true;
    const isFirst = SHORT_LIST.includes(pattern) && !taken.has(pattern);
    taken.add(pattern);
    return isFirst;
  });
}
