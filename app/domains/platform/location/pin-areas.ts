/**
 * Cities by the first digits of a PIN code. The first three digits are a sorting district of India Post; four are listed where they
 * belong to another city. Made from the PIN codes of GeoNames (CC BY 4.0): the known city near the middle of the codes, or the seat
 * of their district (app/domains/platform/location).
 */
import areas from "./pin-areas.json" with { type: "json" };

export const PIN_AREAS: ReadonlyMap<string, string> = new Map(
  Object.entries(areas).flatMap(([city, starts]) => starts.split(" ").map((start): [string, string] => [start, city])),
);
