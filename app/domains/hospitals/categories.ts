import type { HospitalCategory } from "#app/db/schema/index.ts";

/** The schema's list again, because the schema itself must not reach a browser. */
export const CATEGORY_CHOICES = [
  "Hospital",
  "Clinic",
  "Dental",
  "Laboratory",
  "Vaccination",
  "Ayurvedic",
  "Pharmacy",
] as const satisfies readonly HospitalCategory[];
