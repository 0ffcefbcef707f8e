import { z } from "zod";
import type { PlaceSource } from "#app/db/schema/index.ts";

/** What a suggestion list shows. */
export type City = { id: number; name: string; state: string; district: string; displayName: string };
export type CityPlace = City & { latitude: number; longitude: number };

/** How a name is compared: lower case, without marks, anything that is no letter or digit a single space. */
export const searchKey = (name: string) =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

/** From this rank on a city is known by its name alone: district seats and the large ones. */
export const KNOWN_CITY_RANK = 500;

/** "Guntur, Andhra Pradesh"; smaller places with their district, which tells namesakes apart. */
export function cityDisplayName(city: { name: string; state: string; district: string; rank: number }): string {
  const district = city.district && city.rank < KNOWN_CITY_RANK ? [city.district] : [];
  return [...new Set([city.name, ...district, city.state])].join(", ");
}

/** The place a browser tells, in degrees. */
export const CoordinatesSchema = z.object({
  latitude: z.coerce.number().min(-90).max(90),
  longitude: z.coerce.number().min(-180).max(180),
});
/** The choice of a city in a form or a cookie. */
export const CityIdSchema = z.coerce.number().int().min(1).max(2_147_483_647);

/** What is posted by /location. `stay`: the script asks, which shows the answer and leads on by itself. */
export const ChoosePlaceSchema = z
  .discriminatedUnion("intent", [
    z.object({ intent: z.literal("city"), city: CityIdSchema }),
    CoordinatesSchema.extend({
      intent: z.literal("position"),
      /** Metres around the point; phones say Infinity or nothing where they do not know. */
      accuracy: z.coerce.number().min(0).max(40_100_000).transform(Math.round).optional().catch(undefined),
    }),
    z.object({ intent: z.literal("ip") }),
  ])
  .and(z.object({ stay: z.literal("1").optional() }));

/** What the script of /location is told: a sentence, and where it leads when a place was chosen. */
export type Chosen = { message: string; to: string | null };

/**
 * Where somebody is. `latitude` and `longitude` are what "near" is counted from: a position if one was given, else the
 * middle of the city.
 */
export type OwnPlace = {
  cityId: number;
  /** "Vijayawada": what stands in the head of a page. */
  name: string;
  /** "Vijayawada, Andhra Pradesh". */
  displayName: string;
  latitude: number;
  longitude: number;
  /** Metres; null when nobody said. */
  accuracy: number | null;
  /** null: nobody has chosen, it is the default. */
  source: PlaceSource | null;
};

/** Ten metres are near enough, and less is told about a person. */
export const roundDegrees = (degrees: number) => Math.round(degrees * 1e4) / 1e4;
