import { z } from "zod";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";
import type { HospitalSource, MapHospital } from "./hospital-source.server.ts";

const SERVICE = "Overpass";
const LONGEST = 1024 * 1024;
const MOST = 60;

const Position = { lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) };
const Element = z.object({
  lat: Position.lat.optional(),
  lon: Position.lon.optional(),
  center: z.object(Position).optional(),
  tags: z.record(z.string(), z.string()).default({}),
});
const Answer = z.object({ elements: z.array(z.unknown()) });

/** Finds hospitals of OpenStreetMap with the Overpass API. `url` is the address of the interpreter. */
export const overpass = (url: string): HospitalSource => ({
  async near({ latitude, longitude }, limit) {
    const seconds = Math.max(1, Math.floor(limit / 1000));
    const query = `[out:json][timeout:${seconds}];nwr[amenity=hospital][name](around:10000,${latitude},${longitude});out center tags ${MOST};`;
    const { status, json } = await callJson(
      SERVICE,
      url,
      {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ data: query }).toString(),
      },
      limit,
      LONGEST,
    );
    const answer = Answer.safeParse(json);
    if (status !== 200) throw unavailable(SERVICE, `status ${status}`);
    if (!answer.success) throw unavailable(SERVICE, "answered something else");
    return answer.data.elements.flatMap((element): MapHospital[] => {
      const { lat, lon, center, tags } = Element.safeParse(element).data ?? { tags: {} as Record<string, string> };
      const at = center ?? (lat !== undefined && lon !== undefined ? { lat, lon } : undefined);
      const name = tags["name:en"] ?? tags.name;
      if (!at || !name) return [];
      const street = [tags["addr:housenumber"], tags["addr:street"]].filter(Boolean).join(" ");
      const address = tags["addr:full"] ?? [street, tags["addr:suburb"], tags["addr:city"]].filter(Boolean).join(", ");
      const phone = tags["contact:emergency_phone"] ?? tags["emergency:phone"] ?? tags.phone ?? tags["contact:phone"] ?? null;
      return [{ name, address, phone, latitude: at.lat, longitude: at.lon }];
    });
  },
});
