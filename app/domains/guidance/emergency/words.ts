import type { EmergencyProblem } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";

const PROBLEMS: Record<EmergencyProblem, () => string> = {
  denied: () => m.emergency_error_denied(),
  "no-location": () => m.emergency_error_no_location(),
  "unknown-place": () => m.emergency_error_unknown_place(),
  "none-2km": () => m.emergency_error_none_2km(),
  "none-10km": () => m.emergency_error_none_10km(),
  maps: () => m.emergency_error_maps(),
  unknown: () => m.emergency_error_unknown(),
};
export const problemWord = (problem: EmergencyProblem): string => PROBLEMS[problem]();

/** "850 m away", "3.4 km away", "3.4 km from the centre". */
export function distanceWord(metres: number, fromCentre = false): string {
  const km = (metres / 1000).toFixed(1);
  if (fromCentre) return m.emergency_distance_centre({ km });
  if (metres >= 1000) return m.emergency_distance_km({ km });
  return m.emergency_distance_m({ metres: String(Math.max(10, Math.round(metres / 10) * 10)) });
}
