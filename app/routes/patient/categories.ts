import type { Category } from "#app/domains/directory/specialties.ts";
import { m } from "#app/paraglide/messages.js";
import type { IconName } from "#app/ui/icon.tsx";

/** The eight tiles of the first pages (spec 001 §9). */
export const TILES: Record<Category, { icon: IconName; word: () => string }> = {
  Dentistry: { icon: "tooth", word: () => m.doctors_category_dentistry() },
  Cardiology: { icon: "heart-pulse", word: () => m.doctors_category_cardiology() },
  Pulmonary: { icon: "lungs", word: () => m.doctors_category_pulmonary() },
  General: { icon: "stethoscope", word: () => m.doctors_category_general() },
  Neurology: { icon: "brain", word: () => m.doctors_category_neurology() },
  Gastroen: { icon: "stomach", word: () => m.doctors_category_gastroen() },
  Laboratory: { icon: "test-tube", word: () => m.doctors_category_laboratory() },
  Vaccination: { icon: "syringe", word: () => m.doctors_category_vaccination() },
};
