import type { Specialty } from "#app/domains/directory/specialties.ts";

/** Spec 000 §5, in its order. `stored`: the name in the directory, which differs for two of them (spec 001 §9). */
export const EDIT_CATEGORIES = [
  { name: "General", kept: "General" },
  { name: "Cardiology", kept: "Cardiology" },
  { name: "Dentistry", kept: "Dentistry" },
  { name: "Pulmonology", kept: "Pulmonary" },
  { name: "Neurology", kept: "Neurology" },
  { name: "Gastroenterology", kept: "Gastroen" },
  { name: "Laboratory", kept: "Laboratory" },
  { name: "Vaccination", kept: "Vaccination" },
] as const satisfies readonly { name: string; kept: Specialty }[];

/** Returns the name in this form for a category of the directory. */
export const categoryName = (kept: string): string => EDIT_CATEGORIES.find((c) => c.kept === kept)?.name ?? kept;
