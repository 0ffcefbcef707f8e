import { DEFAULT_PLACE, getPatientHead, type NearPlace } from "#app/domains/patients/profile/queries.server.ts";
import { getOwnPlace, placeAgain } from "#app/domains/platform/location/choose-place.server.ts";
import type { OwnPlace } from "#app/domains/platform/location/location.schema.ts";
import { actorCtxOf, actorOf, ctxOf, sessionContext } from "./context.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/** Cookie with a visitor's place: "<city id>~<source>[~latitude~longitude~accuracy]". */
const NAME = "nadi_place";
const LIFE = 180 * 24 * 3600;
const SOURCES = ["search", "position", "ip"] as const;

export function placeCookie({ cityId, source, latitude, longitude, accuracy }: OwnPlace): string {
  const position = source === "position" ? [latitude, longitude, accuracy ?? ""] : [];
  return writeCookie(NAME, [cityId, source, ...position].join("~"), LIFE);
}
export const clearPlaceCookie = () => writeCookie(NAME, "", 0);
/** True when a visitor has chosen a place, so that their pages are personal. */
export const hasPlaceCookie = (cookieHeader: string | null | undefined) => readCookie(cookieHeader, NAME) !== null;

export function readPlaceCookie(cookieHeader: string | null | undefined) {
  const [id, from, ...numbers] = (readCookie(cookieHeader, NAME) ?? "").slice(0, 100).split("~");
  const cityId = Number(id);
  const source = SOURCES.find((s) => s === from);
  if (!Number.isInteger(cityId) || cityId < 1 || cityId > 2_147_483_647 || !source) return null;
  const [latitude = Number.NaN, longitude = Number.NaN] = numbers.slice(0, 2).map(Number);
  const accuracy = numbers[2] ? Number(numbers[2]) : null;
  const good = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (accuracy === null || accuracy >= 0);
  return { cityId, source, position: source === "position" && good ? { latitude, longitude, accuracy } : null };
}

type Reader = Parameters<typeof ctxOf>[0];

/** Returns the place for "near": of the patient, of the visitor's cookie, or the default city. */
export async function nearOf(context: Reader, request: Request): Promise<NearPlace> {
  if (context.get(sessionContext)?.role === "patient") return (await getPatientHead(actorCtxOf(context))).place;
  const place = await visitorsPlace(context, request);
  return place ? { ...place, exact: place.source === "position" } : DEFAULT_PLACE;
}

async function visitorsPlace(context: Reader, request: Request): Promise<OwnPlace | null> {
  const place = readPlaceCookie(request.headers.get("cookie"));
  return place && placeAgain(ctxOf(context), place);
}

/** Returns the chosen place with the details that /location shows; null when none is chosen. `session`: of a page that reads it itself. */
export async function ownPlaceOf(context: Reader, request: Request, session = context.get(sessionContext)): Promise<OwnPlace | null> {
  const place =
    session?.role === "patient" ? await getOwnPlace({ ...ctxOf(context), actor: actorOf(session) }) : await visitorsPlace(context, request);
  return place?.source ? place : null;
}
