import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { inLanguage, languageValue } from "#app/db/in-language.server.ts";
import { averageOf, doctors, favourites, hospitals } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { byDistance, isNearbyByIndex, kilometres, type Near, roundKm } from "#app/domains/directory/near.ts";
import { ratingOf } from "#app/domains/directory/rating.ts";
import { type Found, type Key, PAGE, searchDirectory } from "#app/domains/directory/search/search.server.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { buildingOf } from "../building.ts";
import { meantBy } from "../symptoms/meant.ts";
import type { HospitalCard } from "./hospital-card.ts";
import { hasEmergency, isOpenNow, openValues } from "./hospital-conditions.server.ts";

export const HOSPITAL_SORTS = ["default", "name", "distance", "review", "doctors", "liked"] as const;
type Direction = "asc" | "desc";
export type HospitalSort = (typeof HOSPITAL_SORTS)[number];
/** Sorts with a descending default: best, most, own ones first. */
const DESCENDING: ReadonlySet<HospitalSort> = new Set(["review", "doctors", "liked"]);
/** Spec 001 §4.7: with at least one verified doctor, or without. */
export const HOSPITAL_FILTERS = ["available", "none"] as const;
export type HospitalFilter = (typeof HOSPITAL_FILTERS)[number];

export type HospitalSearch = {
  /** Words of name, kind, specialties and address. Allows a typing error if nothing matches exactly. */
  text?: string;
  /** A category of directory/specialties.ts: the hospital treats it, or has a doctor of this category. */
  category?: string;
  doctors?: HospitalFilter;
  /** Favourites of the acting patient only. */
  favouritesOnly?: boolean;
  /** Open at this minute, by the working hours that can be read. Looked for among the nearest 1,001 matches. */
  open?: boolean;
  /** Takes emergencies. */
  emergency?: boolean;
  /** Within 50 km. */
  nearby?: boolean;
  sort?: HospitalSort;
  /** Default: the natural direction of the sort (nearest, best, most first). */
  direction?: Direction;
  /** Reverses the default direction. */
  reversed?: boolean;
  near: Near;
  limit: number;
  offset?: number;
};

export type HospitalList = Omit<Found<HospitalCard>, "rows"> & { hospitals: HospitalCard[] };
type HospitalRow = Omit<HospitalCard, "rating" | "distanceKm" | "drawing"> & {
  registeredName: string;
  ratingSum: number;
  ratingCount: number;
  distance: number | null;
};
/** Columns of cards and pages. */
const card = {
  id: hospitals.id,
  name: inLanguage(hospitals.name, hospitals.translations, "name"),
  /** The name in Latin script, whatever the language. */
  registeredName: hospitals.name,
  kind: hospitals.category,
  specialties: hospitals.specialties,
  address: inLanguage(hospitals.address, hospitals.translations, "address"),
  area: inLanguage(hospitals.area, hospitals.translations, "area"),
  city: hospitals.city,
  phone: hospitals.phone,
  ratingSum: hospitals.ratingSum,
  ratingCount: hospitals.ratingCount,
  doctors: hospitals.doctorsCount,
};
const DIRECTORY = {
  called: "hospitals",
  table: hospitals,
  id: hospitals.id,
  name: hospitals.name,
  words: hospitals.words,
  nameWords: hospitals.nameWords,
  globe: hospitals.globe,
} as const;

/** Returns active hospitals as cards, and the number of matches. */
export async function listHospitals(ctx: Ctx, search: HospitalSearch): Promise<HospitalList> {
  const { sort = "default", text, near, limit, offset = 0 } = search;
  const me = ctx.actor?.role === "patient" ? ctx.actor.userId : null;
  const down = (search.direction ?? (DESCENDING.has(sort) !== Boolean(search.reversed) ? "desc" : "asc")) === "desc";
  const way = down ? desc : asc;
  const liked = sql`${hospitals.id} in (select f.hospital_id from ${favourites} f where f.patient_id = ${sql.placeholder("me")} and f.hospital_id is not null)`;
  const filters: SQL[] = [listedHospital(hospitals)];
  if (search.favouritesOnly) filters.push(liked);
  if (search.category) {
    const category = sql`array[${sql.placeholder("category")}::text]`;
    filters.push(sql`(${hospitals.specialties} @> ${category} or ${hospitals.doctorCategories} @> ${category})`);
  }
  if (search.doctors === "available") filters.push(gt(hospitals.doctorsCount, 0));
  if (search.doctors === "none") filters.push(eq(hospitals.doctorsCount, 0));
  if (search.emergency) filters.push(hasEmergency);
  if (search.nearby) filters.push(isNearbyByIndex(hospitals));
  const meant = text ? meantBy(text) : null;
  const treated = meant?.kind.category;
  const treats = sql`array[${sql.placeholder("treated")}::text]`;
  const keys: Record<HospitalSort, Key[]> = {
    default: [{ of: byDistance(hospitals, down), way: asc }],
    name: [],
    distance: [{ of: byDistance(hospitals, down), way: asc }],
    review: [
      { of: averageOf(hospitals), way, last: true },
      { of: sql`${hospitals.ratingCount}`, way: desc, last: true },
    ],
    doctors: [{ of: sql`${hospitals.doctorsCount}`, way, last: down }],
    liked: [],
  };
  const { rows, ...found } = await searchDirectory<HospitalRow>(ctx.db, DIRECTORY, {
    text,
    near,
    filters,
    shape: [
      search.category && "c",
      search.doctors,
      search.favouritesOnly && "f",
      search.emergency && "e",
      search.nearby && "n",
      search.open && "o",
    ]
      .filter(Boolean)
      .join(""),
    selective: Boolean(search.emergency || search.nearby),
    ...(search.open && { late: { filters: [isOpenNow] } }),
    meant:
      meant && treated
        ? { is: sql`(${hospitals.specialties} @> ${treats} or ${hospitals.doctorCategories} @> ${treats})`, rest: meant.rest }
        : undefined,
    sort: `${sort}_${way.name}_${me && sort === "liked" ? "own" : ""}`,
    keys: keys[sort],
    nameWay: sort === "name" ? way : asc,
    ...(me && sort === "liked" && { own: { is: liked, first: down } }),
    namedFirst: sort === "default" && !down,
    values: { me, category: search.category, treated: treated ?? null, ...openValues(ctx.now), ...languageValue() },
    limit,
    offset,
    cards: (db, page) =>
      db
        .select({
          ...card,
          distance: kilometres(hospitals),
          ...PAGE.counts,
        })
        .from(page)
        .leftJoin(hospitals, eq(hospitals.id, PAGE.id))
        .orderBy(PAGE.place)
        .prepare("list_hospitals"),
  });
  return {
    ...found,
    hospitals: rows.map(({ distance, ratingSum, ratingCount, registeredName, ...row }) => ({
      ...row,
      city: placeWord(row.city),
      drawing: buildingOf({ registeredName, kind: row.kind }),
      rating: ratingOf({ ratingSum, ratingCount }),
      distanceKm: roundKm(distance),
    })),
  };
}

/**
 * Returns a hospital's public page. For a merged one returns the id to redirect to (`mergedInto`).
 * @throws DomainError("not-found") with `sentence`, for one that is neither active nor merged
 */
export async function getPublicHospital(ctx: Ctx, id: string | undefined, sentence = m.directory_hospital_not_found()) {
  const notFound = () => new DomainError("not-found", sentence);
  if (!isUuid(id)) throw notFound();
  const query = hot(ctx.db, "get_public_hospital", (db) =>
    db
      .select({
        ...card,
        state: hospitals.state,
        pinCode: hospitals.pinCode,
        latitude: hospitals.latitude,
        longitude: hospitals.longitude,
        email: hospitals.email,
        isDemo: hospitals.isDemo,
        access: hospitals.access,
        about: inLanguage(hospitals.about, hospitals.translations, "about"),
        workingHours: inLanguage(hospitals.workingHours, hospitals.translations, "hours"),
        status: hospitals.status,
        mergedInto: hospitals.mergedInto,
      })
      .from(hospitals)
      .where(eq(hospitals.id, sql.placeholder("id")))
      .limit(1)
      .prepare("get_public_hospital"),
  );
  const [row] = await query.execute({ id, ...languageValue() });
  if (!row || (row.status !== "active" && row.status !== "merged")) throw notFound();
  const { status: _, ratingSum, ratingCount, registeredName, ...hospital } = row;
  return {
    ...hospital,
    city: placeWord(hospital.city),
    state: placeWord(hospital.state),
    drawing: buildingOf({ registeredName, kind: hospital.kind }),
    mergedInto: row.status === "merged" ? row.mergedInto : null,
    rating: ratingOf({ ratingSum, ratingCount }),
  };
}

/** Returns the kind of a public entry; null for an unknown id. */
export async function findListed(ctx: Ctx, id: string | undefined): Promise<"doctor" | "hospital" | null> {
  if (!isUuid(id)) return null;
  const query = hot(ctx.db, "find_listed", (db) =>
    db
      .select({ kind: sql<"doctor" | "hospital">`'doctor'` })
      .from(doctors)
      .where(and(eq(doctors.id, sql.placeholder("id")), listedDoctor(doctors)))
      .unionAll(
        db
          .select({ kind: sql<"doctor" | "hospital">`'hospital'` })
          .from(hospitals)
          .where(and(eq(hospitals.id, sql.placeholder("id")), inArray(hospitals.status, ["active", "merged"]))),
      )
      .prepare("find_listed"),
  );
  const [row] = await query.execute({ id });
  return row?.kind ?? null;
}
