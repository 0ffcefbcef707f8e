import type { HospitalCategory } from "#app/lib/vocabulary.ts";

/** Drawings of buildings in `public/faces`. */
export const BUILDINGS = [
  "hospital",
  "heart",
  "dental",
  "eye",
  "children",
  "lab",
  "vaccination",
  "pharmacy",
  "diagnostics",
  "nursing",
  "village",
] as const;
export type Building = (typeof BUILDINGS)[number];

const OF_KIND: Partial<Record<HospitalCategory, Building>> = {
  Clinic: "village",
  Dental: "dental",
  Laboratory: "lab",
  Vaccination: "vaccination",
  Ayurvedic: "nursing",
  Pharmacy: "pharmacy",
};
/** What a name shows about the building, in the order of asking. */
const OF_NAME: readonly (readonly [RegExp, Building])[] = [
  [/\b(child|kids?|women|mother|matern)/i, "children"],
  [/\b(heart|cardi)/i, "heart"],
  [/\b(eye|netra|vision)/i, "eye"],
  [/\b(diagnos|scan)/i, "diagnostics"],
  [/\bnursing\b/i, "nursing"],
];

/** Returns the drawing for a kind of hospital: by its registered name where that shows more than the kind. */
export function buildingOf(hospital: { registeredName: string; kind: HospitalCategory }): Building {
  const named = OF_NAME.find(([words]) => words.test(hospital.registeredName))?.[1];
  return named ?? OF_KIND[hospital.kind] ?? "hospital";
}
