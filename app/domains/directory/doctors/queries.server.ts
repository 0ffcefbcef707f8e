import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { inLanguage, languageValue } from "#app/db/in-language.server.ts";
import { averageOf, doctorPlaces, doctors, favourites, hospitals, practices } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { buildingOf } from "#app/domains/directory/building.ts";
import { byDistance, isNearby, type Near, roundKm } from "#app/domains/directory/near.ts";
import { type Rating, ratingOf } from "#app/domains/directory/rating.ts";
import { type Found, type Key, PAGE, searchDirectory } from "#app/domains/directory/search/search.server.ts";
import { asksForDoctor, meantBy } from "#app/domains/directory/symptoms/meant.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { nowValues } from "#app/domains/visit-time.server.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import {
  filterConditions,
  filterValues,
  inCategory,
  isFreeOnDayAt,
  kindShape,
  kindValues,
  nextFreeAt,
  nextTimes,
  nextTimesAt,
  treats,
} from "./doctor-conditions.server.ts";
import type { DoctorFilters } from "./doctor-filters.ts";
import { PLACES, placeOfCard } from "./doctor-places.server.ts";

/** SQL: file id of the photo, or the name of a drawing; see `photoPath`. */
const picture = sql<string | null>`coalesce(${doctors.photoFileId}::text, ${doctors.portrait})`;

/** Returns the acting doctor's registration status; null for other actors. */
export async function getRegistrationStatus(ctx: Ctx): Promise<RegistrationStatus | null> {
  if (ctx.actor?.role !== "doctor") return null;
  const query = hot(ctx.db, "get_registration_status", (db) =>
    db
      .select({ status: doctors.registrationStatus })
      .from(doctors)
      .where(eq(doctors.id, sql.placeholder("id")))
      .limit(1)
      .prepare("get_registration_status"),
  );
  const [row] = await query.execute({ id: ctx.actor.userId });
  return row?.status ?? null;
}

/** Returns the acting doctor's name in the reader's script. */
export async function getDoctorName(ctx: Ctx): Promise<string> {
  const query = hot(ctx.db, "get_doctor_name", (db) =>
    db
      .select({ name: inLanguage(doctors.fullName, doctors.translations, "name") })
      .from(doctors)
      .where(eq(doctors.id, sql.placeholder("id")))
      .limit(1)
      .prepare("get_doctor_name"),
  );
  const [row] = await query.execute({ id: ctx.actor?.userId, ...languageValue() });
  return row?.name ?? "";
}

/** Returns name and photo of the acting doctor, for the page frame. */
export async function getDoctorHead(ctx: Ctx<Actor>): Promise<{ name: string; photo: string | null; desk: boolean }> {
  const query = hot(ctx.db, "get_doctor_head", (db) =>
    db
      .select({
        name: doctors.fullName,
        photo: picture,
        /** The doctor also works at the desk of a place. */
        desk: sql<boolean>`exists (select from memberships m where m.user_id = ${sql.placeholder("id")} and m.state = 'active' and m.role in ('owner', 'reception'))`,
      })
      .from(doctors)
      .where(eq(doctors.id, sql.placeholder("id")))
      .limit(1)
      .prepare("get_doctor_head"),
  );
  const [row] = await query.execute({ id: ctx.actor.userId });
  return row ?? { name: "", photo: null, desk: false };
}

const slotOf = (at: string): { date: DateKey; time: TimeKey } => ({ date: at.slice(0, 10), time: at.slice(11) });

const card = {
  id: doctors.id,
  name: inLanguage(doctors.fullName, doctors.translations, "name"),
  specialization: doctors.primarySpecialization,
  experienceYears: doctors.experienceYears,
  fee: doctors.consultationFee,
  area: inLanguage(doctors.area, doctors.translations, "area"),
  city: doctors.city,
  photo: picture,
  ratingSum: doctors.ratingSum,
  ratingCount: doctors.ratingCount,
};
/** The first is used when an address names none. */
export const DOCTOR_SORTS = ["default", "distance", "soonest", "review", "liked", "experience", "fee", "name"] as const;
export type DoctorSort = (typeof DOCTOR_SORTS)[number];
type Direction = "asc" | "desc";
/** Sorts with a descending default: best, most, own ones first. */
const DESCENDING: ReadonlySet<DoctorSort> = new Set(["review", "liked", "experience"]);
export type DoctorCard = {
  id: string;
  name: string;
  specialization: string;
  experienceYears: number;
  fee: number | null;
  area: string;
  city: string;
  /** File id of the photo, or name of a drawing; see `photoPath`. */
  photo: string | null;
  rating: Rating;
  distanceKm: number | null;
  /** At the place of the card. */
  nextFree: { date: DateKey; time: TimeKey } | null;
  /** The practice of the card, when it is not the doctor's first. */
  practiceId?: string;
};
export type DoctorSearch = {
  /** Words of name, specialty, hospital and city, or an illness. Allows a typing error if nothing matches exactly. */
  text?: string;
  specialty?: string;
  category?: string;
  hospitalId?: string;
  /** Favourites of the acting patient only. */
  favouritesOnly?: boolean;
  filters?: Partial<DoctorFilters>;
  sort?: DoctorSort;
  /** Default: the natural direction of the sort (nearest, best, most first). */
  direction?: Direction;
  /** Reverses the default direction. */
  reversed?: boolean;
  near: Near;
  limit: number;
  offset?: number;
};
export type DoctorList = Omit<Found<DoctorCard>, "rows"> & {
  doctors: DoctorCard[];
  /** The kind of doctor for an illness in the text; null for other texts. */
  meant: string | null;
};
type DoctorRow = Omit<DoctorCard, "rating" | "distanceKm" | "nextFree" | "practiceId"> & {
  practiceId: string | null;
  ratingSum: number;
  ratingCount: number;
  distance: number | null;
  nextFree: string | null;
};
const DIRECTORY = {
  called: "doctors",
  table: doctors,
  id: doctors.id,
  name: doctors.fullName,
  words: doctors.words,
  nameWords: doctors.nameWords,
  globe: doctors.globe,
  places: PLACES,
} as const;

/**
 * Returns verified doctors as cards, and the number of matches. A doctor with several places is listed once: at the nearest one that matches, or
 * the first one in the order. A free day and "soonest" are looked for among the nearest 1,001
 * matches, because the next free slot of each must be calculated.
 */
export async function listDoctors(ctx: Ctx, search: DoctorSearch): Promise<DoctorList> {
  const { sort = "default", text, near, limit, offset = 0, category, filters: chosen = {} } = search;
  const me = ctx.actor?.role === "patient" ? ctx.actor.userId : null;
  const down = (search.direction ?? (DESCENDING.has(sort) !== Boolean(search.reversed) ? "desc" : "asc")) === "desc";
  const way = down ? desc : asc;
  const liked = sql`${doctors.id} in (select f.doctor_id from ${favourites} f where f.patient_id = ${sql.placeholder("me")} and f.doctor_id is not null)`;
  const meant = text ? meantBy(text) : null;
  const { conditions, shape } = filterConditions(chosen);
  const filters: SQL[] = [listedDoctor(doctors), ...conditions];
  if (search.favouritesOnly) filters.push(liked);
  if (search.specialty) filters.push(eq(doctors.primarySpecialization, sql.placeholder("specialty")));
  if (category) filters.push(inCategory(category));
  if (search.hospitalId) filters.push(eq(doctors.hospitalId, sql.placeholder("hospitalId")));
  const nearest: Key = { of: byDistance(doctors, down), way: asc };
  const keys: Record<DoctorSort, Key[]> = {
    default: [nearest],
    distance: [nearest],
    soonest: [
      { of: isNearby(doctors), way: desc },
      { of: nextFreeAt(PLACES.entry), way, last: true },
      { of: byDistance(doctors, false), way: asc },
    ],
    review: [
      { of: averageOf(doctors), way, last: true },
      { of: sql`${doctors.ratingCount}`, way: desc, last: true },
    ],
    liked: [],
    experience: [{ of: sql`${doctors.experienceYears}`, way }],
    fee: [{ of: sql`${doctors.consultationFee}`, way, last: true }],
    name: [],
  };
  const { rows, ...found } = await searchDirectory<DoctorRow>(ctx.db, DIRECTORY, {
    text,
    near,
    filters,
    shape: [
      search.specialty && "s",
      category && (category === "General" ? "g" : "c"),
      search.hospitalId && "h",
      search.favouritesOnly && "l",
      shape,
      chosen.day && "d",
      meant && `_${kindShape(meant.kind)}`,
    ]
      .filter(Boolean)
      .join(""),
    selective: shape !== "",
    atPlace: {
      filters: Boolean(search.hospitalId || chosen.fee || chosen.within),
      keys: ["default", "distance", "soonest", "fee"].includes(sort),
    },
    ...((chosen.day || sort === "soonest") && { late: { filters: chosen.day ? [isFreeOnDayAt(PLACES.entry)] : [] } }),
    // "heart doctor" is for cardiologists; "krishna heart centre doctors" names a hospital too.
    meant: meant ? { is: treats(meant.kind), rest: meant.rest, only: !meant.rest && asksForDoctor(text ?? "") } : undefined,
    sort: `${sort}_${way.name}_${me && sort === "liked" ? "own" : ""}`,
    keys: keys[sort],
    nameWay: sort === "name" ? way : asc,
    nearestFirst: (sort === "default" || sort === "distance") && !down,
    ...(me && sort === "liked" && { own: { is: liked, first: down } }),
    namedFirst: sort === "default" && !down,
    values: {
      me,
      specialty: search.specialty,
      category,
      hospitalId: search.hospitalId,
      ...filterValues(chosen, ctx.now),
      ...kindValues(meant?.kind),
      ...nowValues(ctx.now),
      ...languageValue(),
    },
    limit,
    offset,
    // Selects the page first, so that free slots are searched for its doctors only.
    cards: (db, page) =>
      db
        .select({ ...card, ...placeOfCard, nextFree: nextFreeAt(PAGE.entry), ...PAGE.counts })
        .from(page)
        .leftJoin(doctors, eq(doctors.id, PAGE.id))
        .leftJoin(doctorPlaces, eq(doctorPlaces.practiceId, PAGE.entry))
        .leftJoin(hospitals, eq(hospitals.id, doctorPlaces.hospitalId))
        .orderBy(PAGE.place)
        .prepare("list_doctors"),
  });
  // Shares one object for equal times, so that the page data contains it once.
  const times = new Map(rows.map(({ nextFree: at }) => [at, at ? slotOf(at) : null]));
  return {
    ...found,
    meant: meant?.kind.label ?? null,
    doctors: rows.map(({ nextFree: next, distance: km, ratingSum, ratingCount, practiceId, ...row }) => ({
      ...row,
      ...(practiceId && { practiceId }),
      city: placeWord(row.city),
      rating: ratingOf({ ratingSum, ratingCount }),
      distanceKm: roundKm(km),
      nextFree: times.get(next) ?? null,
    })),
  };
}

/** Returns a verified doctor's public page. @throws DomainError("not-found") */
export async function getPublicDoctor(ctx: Ctx, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found", m.directory_doctor_not_found());
  const query = hot(ctx.db, "get_public_doctor", (db) =>
    db
      .select({
        ...card,
        isDemo: doctors.isDemo,
        additionalSpecializations: inLanguage(doctors.additionalSpecializations, doctors.translations, "treats"),
        about: inLanguage(doctors.about, doctors.translations, "about"),
        languages: doctors.languages,
        qualifications: doctors.qualifications,
        state: doctors.state,
        registrationStatus: doctors.registrationStatus,
        /** Null for a hospital without a public page. */
        hospitalId: sql<string | null>`case when ${listedHospital(hospitals)} then ${hospitals.id} end`,
        hospitalName: inLanguage(hospitals.name, hospitals.translations, "name"),
        hospitalAddress: inLanguage(hospitals.address, hospitals.translations, "address"),
        hospitalCity: hospitals.city,
        hospitalPinCode: hospitals.pinCode,
        hospitalPhone: hospitals.phone,
        hospitalLatitude: hospitals.latitude,
        hospitalLongitude: hospitals.longitude,
        hospitalKind: hospitals.category,
        hospitalRegisteredName: hospitals.name,
        nextTimes,
        /** Sees patients in several places, with several fees. */
        severalPlaces: sql<boolean>`exists (select from practices p where p.doctor_id = doctors.id and p.id <> p.doctor_id and p.state = 'active')`,
      })
      .from(doctors)
      .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
      .where(and(eq(doctors.id, sql.placeholder("id")), listedDoctor(doctors)))
      .limit(1)
      .prepare("get_public_doctor"),
  );
  const [row] = await query.execute({ id, ...nowValues(ctx.now), ...languageValue() });
  if (!row) throw new DomainError("not-found", m.directory_doctor_not_found());
  const { ratingSum, ratingCount, hospitalKind, hospitalRegisteredName, ...doctor } = row;
  return {
    ...doctor,
    city: placeWord(doctor.city),
    state: placeWord(doctor.state),
    hospitalDrawing:
      hospitalKind && hospitalRegisteredName ? buildingOf({ registeredName: hospitalRegisteredName, kind: hospitalKind }) : null,
    rating: ratingOf({ ratingSum, ratingCount }),
    nextTimes: row.nextTimes.map(slotOf),
    nextFree: row.nextTimes[0] ? slotOf(row.nextTimes[0]) : null,
  };
}

/** Returns the next free times of each of these cards at its place, by the doctor's id: up to two of each of their next three days. */
export async function listNextTimes(
  ctx: Ctx,
  cards: Pick<DoctorCard, "id" | "practiceId">[],
): Promise<Map<string, { date: DateKey; time: TimeKey }[]>> {
  const query = hot(ctx.db, "list_next_times", (db) =>
    db
      .select({ id: doctors.id, nextTimes: nextTimesAt(sql`${practices.id}`) })
      .from(practices)
      .innerJoin(doctors, eq(doctors.id, practices.doctorId))
      .where(sql`${practices.id} = any(string_to_array(${sql.placeholder("places")}, ',')::uuid[])`)
      .prepare("list_next_times"),
  );
  // The first practice has the id of its doctor.
  const places = cards.map(({ id, practiceId = id }) => practiceId).join(",");
  const rows = await query.execute({ places, ...nowValues(ctx.now) });
  return new Map(rows.map((row) => [row.id, row.nextTimes.map(slotOf)]));
}

/** Returns the doctor's data for the booking steps; null for a doctor who is not verified. */
export async function findBookableDoctor(ctx: Ctx, id: string | null) {
  if (!isUuid(id)) return null;
  const query = hot(ctx.db, "find_bookable_doctor", (db) =>
    db
      .select({
        id: doctors.id,
        name: inLanguage(doctors.fullName, doctors.translations, "name"),
        photo: picture,
        specialization: doctors.primarySpecialization,
        fee: doctors.consultationFee,
        hospitalName: inLanguage(hospitals.name, hospitals.translations, "name"),
        /** Sees patients in several places, with several fees. */
        severalPlaces: sql<boolean>`exists (select from practices p where p.doctor_id = doctors.id and p.id <> p.doctor_id and p.state = 'active')`,
      })
      .from(doctors)
      .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
      .where(and(eq(doctors.id, sql.placeholder("id")), listedDoctor(doctors)))
      .limit(1)
      .prepare("find_bookable_doctor"),
  );
  const [row] = await query.execute({ id, ...languageValue() });
  return row ?? null;
}

/** Returns the data of the acting doctor's profile page. @throws DomainError("not-found") */
export async function getDoctorHub(ctx: Ctx<Actor>) {
  const [row] = await ctx.db
    .select({
      name: doctors.fullName,
      photo: picture,
      specialization: doctors.primarySpecialization,
      fee: doctors.consultationFee,
      about: doctors.about,
    })
    .from(doctors)
    .where(eq(doctors.id, ctx.actor.userId));
  if (!row) throw new DomainError("not-found", m.profile_none());
  return row;
}
