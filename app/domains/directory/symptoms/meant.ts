import { hasIndicLetters } from "#app/lib/sound.ts";
import { isOwnFiller } from "../search/own-script.ts";
import { searchWords } from "../search/words.ts";
import { type DoctorKind, findDoctorKind, findKindInOwnScript, kindOfCategory, wordsOf } from "./doctor-kinds.ts";
import { categoryForSymptoms } from "./symptoms.ts";

/** Returns the kind of doctor for what a patient describes, by the specification's table first; null without a known word. */
export function kindFor(text: string): DoctorKind | null {
  const category = categoryForSymptoms(text);
  if (category) return kindOfCategory(category);
  return findDoctorKind(text) ?? (hasIndicLetters(text) ? findKindInOwnScript(wordsOf(text)) : null);
}

/** Words beside an illness that say nothing about the doctor: "knee pain", "రోగం నాకు". */
const FILLERS = new Set(
  (
    "pain ache problem problems treatment specialist have has my i with is for since high low noppi dard attack attacks failure tablet tablets " +
    "medicine medicines matra matralu mandu goli goliyan dawa dawai daura నొప్పి నొప్పులు ఉంది మాత్ర మాత్రలు మందు మందులు పోటు " +
    "दर्द है हो रहा दौरा दौरे अटैक गोली गोलियां गोलियाँ दवा दवाई दवाइयां"
  ).split(" "),
);

/** `rest`: the words of the search that name no illness, as "guntur" in "fever guntur". */
export type Meant = { kind: DoctorKind; rest: string };

const CHILD = /(^|[^a-z])(child(ren)?|kids?|baby|babies|infants?|newborns?)(?![a-z])|పిల్ల|బిడ్డ|శిశు|बच्च|शिशु/i;
const DOCTOR = /(^|[^a-z])(doctor|specialist)|డాక్టర|వైద్య|डॉक्टर|डाक्टर|चिकित्सक/i;
/** Says whether a search asks for a kind of doctor: "heart doctor" does not mean Krishna Heart Centre, "heart" does. */
export const asksForDoctor = (text: string): boolean => DOCTOR.test(text);
const PEDIATRICIAN: DoctorKind = { label: "Pediatrician", specialty: "Pediatrician" };
/** "A doctor for children" names the pediatrician. The specification's "child" is a complaint: it means the category General. */
const meansPediatrician = (kind: DoctorKind, text: string) => kind.category === "General" && CHILD.test(text) && asksForDoctor(text);

/** Returns the kind of doctor that a search means; null for a search by other words. */
export function meantBy(text: string): Meant | null {
  const named = kindFor(text);
  if (!named) return null;
  const kind = meansPediatrician(named, text) ? PEDIATRICIAN : named;
  const words = searchWords(text);
  const rest = words.filter((word) => kindFor(word) === null && !FILLERS.has(word) && !isOwnFiller(word));
  // An illness of two words ("tala noppi", "sir dard") is named by both together.
  return { kind, rest: words.some((word) => kindFor(word) !== null) ? rest.join(" ") : "" };
}
