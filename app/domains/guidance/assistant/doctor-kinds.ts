import { isOwnFiller, termsOf } from "#app/domains/directory/search/own-script.ts";
import { CATEGORIES, type Category, SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";

/** A kind of doctor, and its filter in the directory. */
export type DoctorKind = { label: string; category?: Category; specialty?: string };

/** Common names of the doctors of the eight categories (spec 001 §9), and of some specialties. */
const WORDS: readonly (DoctorKind & { words: readonly string[] })[] = [
  { label: "Dentist", category: "Dentistry", words: ["dentist", "dentists", "dental", "dentistry", "tooth", "toothache"] },
  { label: "Cardiologist", category: "Cardiology", words: ["cardiologist", "cardiology", "cardiac"] },
  { label: "Pulmonologist", category: "Pulmonary", words: ["pulmonologist", "pulmonary", "lung", "lungs"] },
  { label: "Neurologist", category: "Neurology", words: ["neurologist", "neurology", "migraine"] },
  { label: "Gastroenterologist", category: "Gastroen", words: ["gastroenterologist", "gastroenterology", "gastroen", "gastro", "acidity"] },
  { label: "Laboratory", category: "Laboratory", words: ["laboratory", "labs", "bloodtest"] },
  { label: "Vaccination", category: "Vaccination", words: ["vaccine", "vaccines", "immunisation", "immunization"] },
  { label: "General", category: "General", words: ["physician", "gp", "children", "kid", "kids"] },
  { label: "Dermatologist", specialty: "Dermatologist", words: ["skin", "rash", "pimples", "acne"] },
  { label: "Pediatrician", specialty: "Pediatrician", words: ["paediatrician", "pediatric", "paediatric"] },
  { label: "Orthopedic", specialty: "Orthopedic", words: ["orthopaedic", "orthopedics", "bone", "bones", "knee", "joint", "joints"] },
  { label: "Gynecologist", specialty: "Gynecologist", words: ["gynaecologist", "gynecology", "pregnancy", "pregnant", "periods"] },
  { label: "Ophthalmologist", specialty: "Ophthalmologist", words: ["eye", "eyes"] },
  { label: "ENT Specialist", specialty: "ENT Specialist", words: ["ent", "ear", "ears", "nose", "throat"] },
  { label: "Endocrinologist", specialty: "Endocrinologist", words: ["diabetes", "sugar", "thyroid"] },
  { label: "Psychiatrist", specialty: "Psychiatrist", words: ["anxiety", "depression"] },
  { label: "Nephrologist", specialty: "Nephrologist", words: ["kidney", "kidneys"] },
];

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
