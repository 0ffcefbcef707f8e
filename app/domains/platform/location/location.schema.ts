import { z } from "zod";
import type { PlaceSource } from "#app/db/schema/index.ts";

/** An entry of a suggestion list. */
export type City = { id: number; name: string; state: string; district: string; displayName: string };
export type CityPlace = City & { latitude: number; longitude: number };

/**
 * Normalises a name for comparison: lower case, without diacritics, other characters than letters and digits as a single space.
 */
export const searchKey = (name: string) =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

/** From this rank on a city is shown without its district: district seats and large cities. */
export const KNOWN_CITY_RANK = 500;

/** Returns "Guntur, Andhra Pradesh"; smaller places with their district, to distinguish the same names. */
export function cityDisplayName(city: { name: string; state: string; district: string; rank: number }): string {
  const district = city.district && city.rank < KNOWN_CITY_RANK ? [city.district] : [];
  return [...new Set([city.name, ...district, city.state])].join(", ");
}

/** A position in degrees. */
export const CoordinatesSchema = z.object({
  latitude: z.coerce.number().min(-90).max(90),
  longitude: z.coerce.number().min(-180).max(180),
});
/** The id of a city in a form or a cookie. */
export const CityIdSchema = z.coerce.number().int().min(1).max(2_147_483_647);

/** The form of /location. `stay`: sent by the script, which shows the result and navigates. */
export const ChoosePlaceSchema = z
  .discriminatedUnion("intent", [
    z.object({ intent: z.literal("city"), city: CityIdSchema }),
    CoordinatesSchema.extend({
      intent: z.literal("position"),
      /** Radius in metres. Phones send Infinity or nothing for an unknown one. */
      accuracy: z.coerce.number().min(0).max(40_100_000).transform(Math.round).optional().catch(undefined),
    }),
    z.object({ intent: z.literal("ip") }),
  ])
  .and(z.object({ stay: z.literal("1").optional() }));

/** Response for the script of /location: a message, and the next page after a choice. */
export type Chosen = { message: string; to: string | null };

/** The user's place. `latitude` and `longitude` are the position if given, otherwise the centre of the city. "Near" uses them. */
export type OwnPlace = {
  cityId: number;
  /** "Vijayawada": for the head of a page. */
  name: string;
  /** "Vijayawada, Andhra Pradesh". */
  displayName: string;
  latitude: number;
  longitude: number;
  /** Metres; null for unknown. */
  accuracy: number | null;
  /** null: the default place. */
  source: PlaceSource | null;
};

/** Rounds to about ten metres, to store less about the user. */
export const roundDegrees = (degrees: number) => Math.round(degrees * 1e4) / 1e4;
