import { type DateKey, formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** Who wrote, and when, that a patient has no known allergy. `isPatient`: the account of the patient said it, and no doctor asked. */
export type NoneKnown = { by: string; on: DateKey; isPatient?: true };
/** An allergy in a signed note. */
export type WrittenAllergy = { what: string; by: string; on: DateKey };

/** What doctors write instead of an allergy: "nil", "NKDA", "No known drug allergies". */
const NONE = /^(?:nil|none|no|n\/?a|nka|nkda|(?:no|nil) (?:known )?(?:drug |food |medicine )*(?:allerg(?:y|ies))(?: known)?|none known)$/;
/** True for a text that says that there is no known allergy. */
const saysNone = (text: string): boolean =>
  NONE.test(
    text
      .trim()
      .toLowerCase()
      .replace(/[.\s]+/g, " ")
      .trim(),
  );

/** Splits what a doctor wrote about allergies: "nil" and a ticked box say that there is none. */
export const readAllergies = ({ allergies, noAllergies }: { allergies: string; noAllergies?: string }): { what: string; none: boolean } => {
  const what = saysNone(allergies) ? "" : allergies.trim();
  return { what, none: what === "" && (noAllergies === "on" || allergies.trim() !== "") };
};

/** Returns what a page says of allergies: those that are written, that there is none and who wrote that, or that the patient was not asked. */
export function allergiesWord(of: { allergies: string; noneKnown?: NoneKnown | null }): string {
  const { what, none } = readAllergies(of);
  if (what) return what;
  if (of.noneKnown) {
    const { by, on, isPatient } = of.noneKnown;
    return (isPatient ? m.visit_none_known_said : m.visit_none_known_by)({ by, date: formatDate(on) });
  }
  return none ? m.visit_none_known() : m.visit_not_asked();
}
