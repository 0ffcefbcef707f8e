import { isOwnFiller, termsOf } from "../search/own-script.ts";
import { CATEGORIES, type Category, SPECIALTY_CHIPS } from "../specialties.ts";

/** A kind of doctor, and its filter in the directory. */
export type DoctorKind = { label: string; category?: Category; specialty?: string };

/** Common names of the doctors of the eight categories (spec 001 §9), and of some specialties. */
const WORDS: readonly (DoctorKind & { words: readonly string[] })[] = [
  kind("Dentist", { category: "Dentistry" }, "dentist dentists dental dentistry tooth toothache gum gums cavity braces"),
  kind("Cardiologist", { category: "Cardiology" }, "cardiologist cardiology cardiac palpitations"),
  kind("Pulmonologist", { category: "Pulmonary" }, "pulmonologist pulmonary lung lungs wheezing wheeze tb"),
  kind(
    "Neurologist",
    { category: "Neurology" },
    "neurologist neurology migraine seizure seizures epilepsy headaches stroke paralysis lakwa pakshavatam",
  ),
  kind(
    "Gastroenterologist",
    { category: "Gastroen" },
    "gastroenterologist gastroenterology gastroen gastro acidity gas ulcer constipation piles indigestion stomachache",
  ),
  kind("Laboratory", { category: "Laboratory" }, "laboratory labs bloodtest"),
  kind("Vaccination", { category: "Vaccination" }, "vaccine vaccines vaccinate immunisation immunization"),
  kind(
    "Dermatologist",
    { specialty: "Dermatologist" },
    "skin rash rashes pimple pimples acne itching eczema hairfall dandruff psoriasis fungal",
  ),
  kind(
    "Orthopedic",
    { specialty: "Orthopedic" },
    "orthopaedic orthopedics bone bones knee knees joint joints fracture back backache sprain",
  ),
  kind(
    "Gynecologist",
    { specialty: "Gynecologist" },
    "gynaecologist gynecology gynaecology pregnancy pregnant periods menstrual menopause garbham garbhavati",
  ),
  kind("Ophthalmologist", { specialty: "Ophthalmologist" }, "eye eyes vision cataract spectacles"),
  kind("ENT Specialist", { specialty: "ENT Specialist" }, "ent ear ears nose throat sinus tonsils tonsil earache hearing"),
  kind("Endocrinologist", { specialty: "Endocrinologist" }, "diabetes diabetic sugar thyroid"),
  kind("Psychiatrist", { specialty: "Psychiatrist" }, "anxiety depression depressed insomnia"),
  kind("Nephrologist", { specialty: "Nephrologist" }, "kidney kidneys dialysis"),
  kind("Urologist", { specialty: "Urologist" }, "urine urinary prostate bladder"),
  kind("Rheumatologist", { specialty: "Rheumatologist" }, "arthritis gout lupus rheumatism"),
  kind("Hematologist", { specialty: "Hematologist" }, "anaemia anemia haematologist"),
  kind("Oncologist", { specialty: "Oncologist" }, "cancer tumour tumor chemotherapy"),
  kind("Pediatrician", { specialty: "Pediatrician" }, "paediatrician pediatric paediatric newborn"),
  // Last: "my kid has a rash" is for the dermatologist, "my kid has a cold" for the general physician or the pediatrician.
  kind(
    "General Physician",
    { category: "General" },
    "physician gp children kid kids baby cold flu fevers viral infection malaria dengue typhoid jalubu zukam jukham weakness vomiting checkup bp",
  ),
];
function kind(label: string, filter: Pick<DoctorKind, "category" | "specialty">, words: string) {
  return { label, ...filter, words: words.split(" ") };
}

const bare = ({ words: _, ...kind }: (typeof WORDS)[number]): DoctorKind => kind;

export const wordsOf = (text: string): string[] =>
  text
    .slice(0, 5000)
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Returns the kind of doctor that a text names; null for none. */
export function findDoctorKind(text: string): DoctorKind | null {
  const words = new Set(wordsOf(text));
  const known = WORDS.find((kind) => kind.words.some((word) => words.has(word)));
  if (known) return bare(known);
  const named = SPECIALTY_CHIPS.find((name) => words.has(name.split(" ")[0]!.toLowerCase()));
  if (named) return { label: named, specialty: named };
  const category = CATEGORIES.find((name) => name !== "General" && words.has(name.toLowerCase()));
  return category ? { label: category, category } : null;
}

/**
 * Returns the kind of doctor that words in Telugu or Devanagari script name ("పళ్ల", "दिल"), as the search understands them; null
 * for none.
 */
export function findKindInOwnScript(words: readonly string[]): DoctorKind | null {
  for (const word of words) {
    if (isOwnFiller(word)) continue;
    const begins = termsOf(word);
    if (begins.length === 0) continue;
    const kind = WORDS.find((one) =>
      [one.label.toLowerCase(), ...one.words].some((name) => begins.some((start) => name.startsWith(start))),
    );
    if (kind) return bare(kind);
    const named = SPECIALTY_CHIPS.find((name) => begins.some((start) => name.toLowerCase().startsWith(start)));
    if (named) return { label: named, specialty: named };
  }
  return null;
}

/** Returns the kind of doctor of a category. */
export const kindOfCategory = (category: Category): DoctorKind | null => {
  const kind = WORDS.find((one) => one.category === category);
  return kind ? bare(kind) : null;
};
