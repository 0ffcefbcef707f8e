import type { Rating } from "#app/domains/directory/rating.ts";
import type { HospitalCategory } from "#app/lib/vocabulary.ts";

/** What lists show of a hospital. */
export type HospitalCard = {
  id: string;
  name: string;
  /** What kind of place it is. */
  kind: HospitalCategory;
  specialties: string[];
  address: string;
  area: string;
  city: string;
  phone: string | null;
  rating: Rating;
  /** Verified doctors. */
  doctors: number;
  distanceKm: number | null;
  isDemo: boolean;
};
