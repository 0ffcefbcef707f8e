import type { Specialty } from "#app/domains/directory/specialties.ts";

/** Spec 000 §5, in its order. `stored`: the name in the directory, which differs for two of them (spec 001 §9). */
export const EDIT_CATEGORIES = [
  { name: "General", stored: "General" },
  { name: "Cardiology", stored: "Cardiology" },
  { name: "Dentistry", stored: "Dentistry" },
  { name: "Pulmonology", stored: "Pulmonary" },
  { name: "Neurology", stored: "Neurology" },
  { name: "Gastroenterology", stored: "Gastroen" },
  { name: "Laboratory", stored: "Laboratory" },
  { name: "Vaccination", stored: "Vaccination" },
] as const satisfies readonly { name: string; stored: Specialty }[];

/** Returns the name in this form for a category of the directory. */
export const categoryName = (stored: string): string => EDIT_CATEGORIES.find((c) => c.stored === stored)?.name ?? stored;
