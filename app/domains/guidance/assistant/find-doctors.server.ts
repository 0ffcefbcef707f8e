import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type DoctorCard, listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { isOwnFiller, termsOf } from "#app/domains/directory/search/own-script.ts";
import { type DoctorKind, wordsOf } from "#app/domains/directory/symptoms/doctor-kinds.ts";
import { categoryForSymptoms } from "#app/domains/directory/symptoms/symptoms.ts";
import { DEFAULT_PLACE, getPatientHead, type Place } from "#app/domains/patients/profile/queries.server.ts";
import { searchKey } from "#app/domains/platform/location/location.schema.ts";
import { cityNamedIn, getCity, searchCities } from "#app/domains/platform/location/queries.server.ts";

/** Doctors beyond this distance are not near. */
const NEAR_KM = 60;

/** Returns the city of this exact name; null for none. */
async function cityNamed(ctx: Ctx, name: string): Promise<Place | null> {
  const found = (await searchCities(ctx, name)).find((city) => searchKey(city.name) === searchKey(name));
  // Former names ("Vizag") find the city by its new name.
  const city = found ?? (name.length >= 4 ? (await searchCities(ctx, name))[0] : undefined);
  return city ? getCity(ctx, city.id) : null;
}

/** Returns the actor's own city. */
const ownPlace = async (ctx: Ctx<Actor>): Promise<Place> =>
  ctx.actor.role === "patient" ? (await getPatientHead(ctx)).place : DEFAULT_PLACE;

const BEHIND_PLACE = new Set(["దగ్గర", "దగ్గర్లో", "దగ్గరలో", "సమీపంలో", "లో", "में", "मे", "के", "से"]);
/** Returns words in Telugu or Devanagari script that may be a place: "గుంటూరులో", "గుంటూరు దగ్గర", "गुंटूर में". */
function placesInOwnScript(text: string): string[] {
  // Without zero-width joiners "హైదరాబాద్‌లో" is one word.
  const words = wordsOf(text.slice(0, 500).replace(/[\u200b-\u200d]/g, ""));
  return words
    .flatMap((word, i) => {
      if (BEHIND_PLACE.has(word)) return [];
      const inside = /^(\p{Script=Telugu}{3,}?)లో(?:ని)?$/u.exec(word)?.[1];
      return inside ? [inside] : /[^\p{Script=Latin}\d]/u.test(word) && BEHIND_PLACE.has(words[i + 1] ?? "") ? [word] : [];
    })
    .filter((word) => termsOf(word).length === 0 && !isOwnFiller(word) && categoryForSymptoms(word) === null)
    .slice(0, 3);
}

/** Returns the city after "in", "near" or "at" in a text, or one named in its own script; otherwise the actor's city. */
export async function placeIn(ctx: Ctx<Actor>, text: string): Promise<Place> {
  for (const [, name = ""] of text.slice(0, 500).matchAll(/\b(?:in|near|at|around|from)\s+(\p{L}{3,}(?:\s\p{L}{3,})?)/giu))
    for (const tried of [name, name.split(" ")[0]!]) {
      const found = (await searchCities(ctx, tried)).find((city) => searchKey(city.name) === searchKey(tried));
      if (found) return getCity(ctx, found.id);
    }
  for (const name of placesInOwnScript(text)) {
    const found = await cityNamedIn(ctx, name);
    if (found) return getCity(ctx, found.id);
  }
  return ownPlace(ctx);
}

/** Returns verified doctors of a kind near a place, nearest first; without a kind, all. */
export async function findDoctors(ctx: Ctx, kind: DoctorKind | null, near: Place, limit: number): Promise<DoctorCard[]> {
  const search = { near: { latitude: near.latitude, longitude: near.longitude }, sort: "distance" as const, limit };
  const { doctors } = await listDoctors(ctx, {
    ...search,
    ...(kind?.category && { category: kind.category }),
    ...(kind?.specialty && { specialty: kind.specialty }),
  });
  return doctors.filter((doctor) => doctor.distanceKm === null || doctor.distanceKm <= NEAR_KM);
}

/** Returns the place that a model names, or the actor's own for an unknown name. */
export const placeNamed = async (ctx: Ctx<Actor>, name: string | undefined): Promise<Place> =>
  (name ? await cityNamed(ctx, name) : null) ?? ownPlace(ctx);
