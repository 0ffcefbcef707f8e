import type { Rating } from "#app/domains/directory/rating.ts";
import type { HospitalCategory } from "#app/lib/vocabulary.ts";
import type { Building } from "../building.ts";

/** Data of a hospital in lists. */
export type HospitalCard = {
  id: string;
  name: string;
  /** The category of the hospital. */
  kind: HospitalCategory;
  specialties: string[];
  address: string;
  area: string;
  city: string;
  phone: string | null;
  rating: Rating;
  /** Number of verified doctors. */
  doctors: number;
  distanceKm: number | null;
  /** The drawing of its kind of building (`buildingOf`). */
  drawing: Building;
};
