import { z } from "zod";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";
import type { HospitalSource, MapHospital } from "./hospital-source.server.ts";

const SERVICE = "Google Places";
/** Specification 001 §4.5: 2 km, widening by 3 km up to 10 km. */
const RADII = [2_000, 5_000, 8_000, 10_000];
/** How many of the nearest are looked up for their phone number, which a nearby search does not return. */
const ASKED = 3;
/** Bytes. Twenty places are about 50 kB. */
const LONGEST = 512 * 1024;
/** Milliseconds reserved of the limit to return what was found. */
const RESERVE = 100;

const Place = z.object({
  place_id: z.string().min(1),
  name: z.string(),
  vicinity: z.string().default(""),
  business_status: z.string().optional(),
  geometry: z.object({ location: z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) }) }),
});
const Nearby = z.object({ status: z.string(), results: z.array(z.unknown()).default([]) });
const Details = z.object({
  status: z.string(),
  result: z.object({ international_phone_number: z.string().optional(), formatted_phone_number: z.string().optional() }).optional(),
});

type Point = { latitude: number; longitude: number };
/** Orders places by their distance: the square of it, in degrees. */
const squareTo = (point: Point, { geometry: { location } }: z.output<typeof Place>) =>
  (location.lat - point.latitude) ** 2 + ((location.lng - point.longitude) * Math.cos((point.latitude * Math.PI) / 180)) ** 2;

/** Finds hospitals with the Google Places web service. */
export function googlePlaces({ key, baseUrl }: { key: string; baseUrl?: string | undefined }): HospitalSource {
  const ask = (path: string, query: Record<string, string>, limit: number) =>
    callJson(
      SERVICE,
      `${baseUrl ?? "https://maps.googleapis.com"}/maps/api/place/${path}/json?${new URLSearchParams({ ...query, key })}`,
      {},
      limit,
      LONGEST,
    );

  async function nearby(point: Point, radius: number, limit: number) {
    const query = { location: `${point.latitude},${point.longitude}`, radius: String(radius), type: "hospital", language: "en" };
    const { status, json } = await ask("nearbysearch", query, limit);
    const answer = Nearby.safeParse(json);
    if (status !== 200) throw unavailable(SERVICE, `status ${status}`);
    if (!answer.success) throw unavailable(SERVICE, "answered something else");
    if (answer.data.status === "ZERO_RESULTS") return [];
    // REQUEST_DENIED, OVER_QUERY_LIMIT …: safe to log.
    if (answer.data.status !== "OK") throw unavailable(SERVICE, /^[A-Z_]{2,40}$/.test(answer.data.status) ? answer.data.status : "refused");
    const places = answer.data.results.flatMap((result) => Place.safeParse(result).data ?? []);
    return places.filter((place) => place.business_status === undefined || place.business_status === "OPERATIONAL");
  }

  async function phoneOf(id: string, limit: number): Promise<string | null> {
    if (limit <= 0) return null;
    try {
      const fields = "international_phone_number,formatted_phone_number";
      const { json } = await ask("details", { place_id: id, fields, language: "en" }, limit);
      const { result } = Details.parse(json);
      return result?.international_phone_number ?? result?.formatted_phone_number ?? null;
    } catch {
      // A hospital without a phone number is better than none.
      return null;
    }
  }

  return {
    async near(point, limit) {
      const until = performance.now() + limit - Math.min(RESERVE, limit / 10);
      const left = () => Math.floor(until - performance.now());
      let places: z.output<typeof Place>[] = [];
      for (const radius of RADII) {
        if (left() <= 0) throw unavailable(SERVICE, "no answer in time");
        places = await nearby(point, radius, left());
        if (places.length > 0) break;
      }
      places.sort((a, b) => squareTo(point, a) - squareTo(point, b));
      const phones = await Promise.all(places.slice(0, ASKED).map((place) => phoneOf(place.place_id, left())));
      return places.map(
        ({ name, vicinity, geometry: { location } }, i): MapHospital => ({
          name,
          address: vicinity,
          phone: phones[i] ?? null,
          latitude: location.lat,
          longitude: location.lng,
        }),
      );
    },
  };
}
