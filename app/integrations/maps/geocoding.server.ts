import { z } from "zod";
import { seconds } from "#app/lib/durations.ts";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";

/** Names of a place, as a map service writes them. */
export type NamedPlace = { city: string; state: string };

/** Finds the city and state of a position; null outside India's cities. */
export interface Geocoder {
  /** @throws DomainError("unavailable") */
  cityAt(point: { latitude: number; longitude: number }): Promise<NamedPlace | null>;
}

/** Short, because the user waits and our table of cities is the fallback. */
const LIMIT = seconds(4);
const SERVICE = "Google geocoding";

const AnswerSchema = z.object({
  status: z.string(),
  results: z
    .array(
      z.object({ address_components: z.array(z.object({ long_name: z.string(), short_name: z.string(), types: z.array(z.string()) })) }),
    )
    .default([]),
});

/** Reverse geocoding with the Google Maps Geocoding API. */
export function googleGeocoder({ key, baseUrl }: { key: string; baseUrl?: string | undefined }, limit = LIMIT): Geocoder {
  return {
    async cityAt({ latitude, longitude }) {
      const query = new URLSearchParams({
        latlng: `${latitude},${longitude}`,
        language: "en",
        result_type: "locality|administrative_area_level_3|administrative_area_level_2",
        key,
      });
      const { status, json } = await callJson(
        SERVICE,
        `${baseUrl ?? "https://maps.googleapis.com"}/maps/api/geocode/json?${query}`,
        {},
        limit,
      );
      const answer = AnswerSchema.safeParse(json);
      if (status !== 200 || !answer.success) throw unavailable(SERVICE, `status ${status}`);
      if (answer.data.status === "ZERO_RESULTS") return null;
      // REQUEST_DENIED, OVER_QUERY_LIMIT …: safe to log.
      if (answer.data.status !== "OK")
        throw unavailable(SERVICE, /^[A-Z_]{2,40}$/.test(answer.data.status) ? answer.data.status : "refused");
      for (const { address_components: parts } of answer.data.results) {
        const named = (type: string) => parts.find((part) => part.types.includes(type));
        const city = named("locality") ?? named("administrative_area_level_3") ?? named("administrative_area_level_2");
        const state = named("administrative_area_level_1");
        if (city && state && named("country")?.short_name === "IN") return { city: city.long_name, state: state.long_name };
      }
      return null;
    },
  };
}
