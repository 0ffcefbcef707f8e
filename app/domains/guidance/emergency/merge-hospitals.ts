import type { EmergencyHospital } from "#app/db/schema/index.ts";
import { distanceKm, type Point } from "#app/domains/platform/location/distance.ts";
import { searchKey } from "#app/domains/platform/location/location.schema.ts";
import { dialable } from "./dialable.ts";

/** An unverified hospital of a source. */
export type FoundHospital = {
  name: string;
  address: string;
  phone: string | null;
  latitude: number | null;
  longitude: number | null;
  isDemo?: boolean;
};

/** Farther hospitals are not near (spec 001 §9: up to 10 km). */
export const REACH_KM = 10;
/** Entries with the same name within this distance are one place: maps put the pin at the gate, the building or the street. */
const SAME_PLACE_KM = 0.5;
const SAID_OF_ALL = /\b(?:the|hospitals?|multi|super|speciality|specialty|clinic|centre|center|medical|pvt|ltd|and|limited|private)\b/g;

type Entry = EmergencyHospital & { key: string; verified: boolean };

/**
 * Merges all sources into one list: nearest first, places of a map or our directory before those that only the model names. A
 * number that only the model gives is marked and ranked below every verified number.
 */
export function mergeHospitals(here: Point, known: readonly FoundHospital[], model: readonly FoundHospital[]): EmergencyHospital[] {
  const entries: Entry[] = [];
  for (const found of known) add(entries, read(here, found, true));
  for (const found of model) add(entries, read(here, found, false));
  return entries.sort((a, b) => rank(a) - rank(b) || far(a) - far(b)).map(({ key: _, verified: __, ...hospital }) => hospital);
}

const far = ({ distance }: Entry) => distance ?? Number.POSITIVE_INFINITY;
/** Ranks hospitals with a number first. */
const rank = ({ verified, phone, phoneVerified }: Entry) =>
  phone && phoneVerified ? 0 : verified && phone ? 1 : verified ? 2 : phone ? 3 : 4;

/** Converts to bounded plain text in one line; null for empty text. */
function plainText(text: unknown, most: number): string | null {
  if (typeof text !== "string" || /[<>]/.test(text)) return null;
  const plain = text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  // Removes half surrogate pairs, which PostgreSQL refuses in JSON.
  return plain ? plain.slice(0, most).toWellFormed() : null;
}

function read(here: Point, found: FoundHospital, verified: boolean): Entry | null {
  const name = plainText(found.name, 120);
  if (!name) return null;
  const { latitude, longitude } = found;
  // A model's coordinates are a guess.
  const at = verified && latitude !== null && longitude !== null ? { latitude, longitude } : null;
  const km = at ? distanceKm(here, at) : null;
  if (km !== null && !(km <= REACH_KM)) return null;
  const phone = dialable(found.phone);
  return {
    name,
    address: plainText(found.address, 200) ?? "",
    phone,
    phoneVerified: phone !== null && verified,
    distance: km === null ? null : Math.round(km * 1000),
    at,
    isDemo: found.isDemo ?? false,
    key: searchKey(name).replace(SAID_OF_ALL, " ").replace(/\s+/g, " ").trim() || searchKey(name) || name.toLowerCase(),
    verified,
  };
}

function add(entries: Entry[], entry: Entry | null): void {
  if (!entry) return;
  const same = entries.find((e) => e.key === entry.key && isSamePlace(e, entry));
  if (!same) {
    entries.push(entry);
    return;
  }
  same.address ||= entry.address;
  if (!same.phone) {
    same.phone = entry.phone;
    same.phoneVerified = entry.phoneVerified;
  }
}
const isSamePlace = (a: Entry, b: Entry) => !a.at || !b.at || distanceKm(a.at, b.at) <= SAME_PLACE_KM;
