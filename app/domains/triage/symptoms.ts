import type { Category } from "../doctors/specialties.ts";

/** Specification 001 §9, in its order: the first word of the table that stands in the text decides. */
const KEYWORDS: readonly (readonly [word: string, category: Category])[] = [
  ["chest", "Cardiology"],
  ["heart", "Cardiology"],
  ["teeth", "Dentistry"],
  ["cough", "Pulmonary"],
  ["asthma", "Pulmonary"],
  ["fever", "General"],
  ["child", "General"],
  ["headache", "Neurology"],
  ["stomach", "Gastroen"],
  ["liver", "Gastroen"],
  ["lab", "Laboratory"],
  ["vaccination", "Vaccination"],
];

/** No field of the product takes more. */
const READ = 5_000;

/**
 * The category that words of a complaint belong to; null when none of the table stands there. Whole single words in any
 * case: "chests" and "label" are none.
 */
export function categoryForSymptoms(text: string): Category | null {
  const words = new Set(
    text
      .slice(0, READ)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu),
  );
  return KEYWORDS.find(([word]) => words.has(word))?.[1] ?? null;
}
