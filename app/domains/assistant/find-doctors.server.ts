import type { Actor, Ctx } from "../context.server.ts";
import { type DoctorCard, listDoctors } from "../doctors/queries.server.ts";
import { searchKey } from "../location/location.schema.ts";
import { getCity, searchCities } from "../location/queries.server.ts";
import { DEFAULT_PLACE, getPatientHead, type Place } from "../patients/queries.server.ts";
import type { DoctorKind } from "./doctor-kinds.ts";

/** Doctors further than this are not near. */
const NEAR_KM = 60;

/** The city of this very name; null for none. */
async function cityNamed(ctx: Ctx, name: string): Promise<Place | null> {
  const found = (await searchCities(ctx, name)).find((city) => searchKey(city.name) === searchKey(name));
  // A name people still use ("Vizag") finds the city under its new one.
  const city = found ?? (name.length >= 4 ? (await searchCities(ctx, name))[0] : undefined);
  return city ? getCity(ctx, city.id) : null;
}

/** Where the acting person looks for doctors: their own city. */
const ownPlace = async (ctx: Ctx<Actor>): Promise<Place> =>
  ctx.actor.role === "patient" ? (await getPatientHead(ctx)).place : DEFAULT_PLACE;

/** The city after "in", "near" or "at" in a text; else the acting person's own. */
export async function placeIn(ctx: Ctx<Actor>, text: string): Promise<Place> {
  for (const [, name = ""] of text.slice(0, 500).matchAll(/\b(?:in|near|at|around|from)\s+(\p{L}{3,}(?:\s\p{L}{3,})?)/giu))
    for (const tried of [name, name.split(" ")[0]!]) {
      const found = (await searchCities(ctx, tried)).find((city) => searchKey(city.name) === searchKey(tried));
      if (found) return getCity(ctx, found.id);
    }
  return ownPlace(ctx);
}

/** Verified doctors of a kind near a place, the nearest first; without a kind, any. */
export async function findDoctors(ctx: Ctx, kind: DoctorKind | null, near: Place, limit: number): Promise<DoctorCard[]> {
  const search = { near: { latitude: near.latitude, longitude: near.longitude }, sort: "distance" as const, limit };
  const { doctors } = await listDoctors(ctx, {
    ...search,
    ...(kind?.category && { category: kind.category }),
    ...(kind?.specialty && { specialty: kind.specialty }),
  });
  return doctors.filter((doctor) => doctor.distanceKm === null || doctor.distanceKm <= NEAR_KM);
}

/** The place a model names, or the acting person's own when it names none we know. */
export const placeNamed = async (ctx: Ctx<Actor>, name: string | undefined): Promise<Place> =>
  (name ? await cityNamed(ctx, name) : null) ?? ownPlace(ctx);
