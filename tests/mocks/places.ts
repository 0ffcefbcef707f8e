/** Responses of Google's Places web service for a stub (tests/mocks/http-stub.ts). */
import type { Reply, Seen } from "./http-stub.ts";

export type StubPlace = { id: string; name: string; lat: number; lng: number; vicinity?: string; phone?: string; closed?: true };

/** Replies to a nearby search within its radius, and to details. */
export function placesReply(seen: Seen, places: StubPlace[]): Reply {
  const url = new URL(seen.path, "http://stub");
  if (url.pathname.endsWith("/details/json")) {
    const place = places.find((p) => p.id === url.searchParams.get("place_id"));
    return json({
      html_attributions: [],
      result: place?.phone ? { international_phone_number: place.phone } : {},
      status: place ? "OK" : "NOT_FOUND",
    });
  }
  const [lat = 0, lng = 0] = (url.searchParams.get("location") ?? "").split(",").map(Number);
  const radius = Number(url.searchParams.get("radius"));
  const metres = (p: StubPlace) => Math.hypot((p.lat - lat) * 111_200, (p.lng - lng) * 111_200 * Math.cos((lat * Math.PI) / 180));
  const results = places
    .filter((p) => metres(p) <= radius)
    .map((p) => ({
      place_id: p.id,
      name: p.name,
      vicinity: p.vicinity ?? "Main Road",
      business_status: p.closed ? "CLOSED_PERMANENTLY" : "OPERATIONAL",
      geometry: { location: { lat: p.lat, lng: p.lng } },
      types: ["hospital", "health", "point_of_interest", "establishment"],
    }));
  return json({ html_attributions: [], results, status: results.length ? "OK" : "ZERO_RESULTS" });
}
const json = (value: object): Reply => ({ body: JSON.stringify(value) });
