import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { averageOf, calledSo, doctors, hospitals, shownDoctor, shownHospital } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Ctx } from "../context.server.ts";
import { byDistance, kilometres, type Near, roundKm } from "../directory/near.ts";
import { wantedIn } from "../directory/own-script.server.ts";
import { ratingOf } from "../directory/rating.ts";
import {
  COUNTED,
  hasWords,
  type Key,
  pageByWords,
  pageOf,
  type Wanted,
  type Way,
  withSlips,
  wordFilters,
  wordValues,
} from "../directory/search.server.ts";
import type { HospitalCard } from "./hospital-card.ts";

export const HOSPITAL_SORTS = ["default", "name", "distance", "review", "doctors", "liked"] as const;
type Direction = "asc" | "desc";
export type HospitalSort = (typeof HOSPITAL_SORTS)[number];
/** The way one would want it first: the best, the most, one's own. */
const DESCENDING: ReadonlySet<HospitalSort> = new Set(["review", "doctors", "liked"]);
/** Spec 001 §4.7: with at least one (verified) doctor, or with none. */
export const HOSPITAL_FILTERS = ["available", "none"] as const;
export type HospitalFilter = (typeof HOSPITAL_FILTERS)[number];

export type HospitalSearch = {
  /** Any words of name, kind, specialties and address; a slip in one is forgiven when nothing is written as typed. */
  text?: string;
  /** One of the categories of domains/doctors/specialties.ts: it treats this, or a doctor of this category works there. */
  category?: string;
  filter?: HospitalFilter;
  sort?: HospitalSort;
  /** Left out: the way one would want it first (nearest, best, most). */
  direction?: Direction;
  /** The other way than that. */
  reversed?: boolean;
  near: Near;
  limit: number;
  offset?: number;
};

const ownWords = calledSo(hospitals.name);

export type HospitalList = {
  hospitals: HospitalCard[];
  /** How many there are in all, counted to `COUNTED`; `uncounted`: there are more. */
  total: number;
  uncounted: boolean;
  /** Nothing is written as typed; these come close. */
  similar: boolean;
};

/** Active hospitals as cards, and how many match in all. */
export async function listHospitals(ctx: Ctx, search: HospitalSearch): Promise<HospitalList> {
  const wanted = await wantedIn(ctx.db, search.text ?? "");
  if (wanted.length === 0 && search.text?.trim()) return { hospitals: [], total: 0, uncounted: false, similar: false };
  const found = await findHospitals(ctx, search, wanted);
  if (found.total > 0 || wanted.length === 0) return { ...found, similar: false };
  const slips = await withSlips(ctx.db, wanted);
  const near = slips && (await findHospitals(ctx, search, slips));
  return near?.total ? { ...near, similar: true } : { ...found, similar: false };
}

async function findHospitals(ctx: Ctx, search: HospitalSearch, wanted: Wanted): Promise<Omit<HospitalList, "similar">> {
  const { sort = "default" } = search;
  const me = ctx.actor?.role === "patient" ? ctx.actor.userId : null;
  const way = (search.direction ?? (DESCENDING.has(sort) !== Boolean(search.reversed) ? "desc" : "asc")) === "desc" ? desc : asc;
  const filters: SQL[] = [shownHospital(hospitals)];
  if (search.category) {
    const category = sql`array[${sql.placeholder("category")}::text]`;
    filters.push(sql`(${hospitals.specialties} @> ${category} or ${hospitals.doctorCategories} @> ${category})`);
  }
  if (search.filter === "available") filters.push(gt(hospitals.doctorsCount, 0));
  if (search.filter === "none") filters.push(eq(hospitals.doctorsCount, 0));
  const name = way === desc && (sort === "default" || sort === "name") ? desc : asc;
  // What the rows are put in order by before their name.
  const keys: Key[] = {
    default: [],
    name: [],
    distance: [{ of: byDistance(hospitals), way }],
    review: [
      { of: averageOf(hospitals), way, last: true },
      { of: sql`${hospitals.ratingCount}`, way: desc, last: true },
    ],
    doctors: [{ of: sql`${hospitals.doctorsCount}`, way, last: way === desc }],
    liked: me
      ? [{ of: sql`${hospitals.id} = any(array(select hospital_id from favourites where patient_id = ${sql.placeholder("me")}))`, way }]
      : [],
  }[sort];
  // One statement for each shape of search, prepared once.
  const shape = `hospitals_${wanted.length}${[search.category && "c", search.filter, me && "m"].filter(Boolean).join("")}`;
  // A search first gives those that are called so.
  const namedFirst = sort === "default" && wanted.length > 0;
  const named = { of: and(...hasWords(ownWords, wanted.length)) as SQL, way: desc };
  const listed = (by: Way) => {
    const sorted = `list_${shape}_${sort}_${way.name}_${by}`;
    return hot(ctx.db, sorted, (db) => {
      const where = and(...filters, ...wordFilters(by, hospitals.searchText, ownWords, wanted.length));
      const order = namedFirst && (by === "plain" || by === "few") ? [named, ...keys] : keys;
      const page = pageOf(db, hospitals, {
        id: hospitals.id,
        name: hospitals.name,
        where,
        keys: order,
        nameWay: name,
        bounded: by.startsWith("few"),
      });
      return db
        .select({
          id: hospitals.id,
          name: hospitals.name,
          kind: hospitals.category,
          specialties: hospitals.specialties,
          address: hospitals.address,
          area: hospitals.area,
          city: hospitals.city,
          phone: hospitals.phone,
          ratingSum: hospitals.ratingSum,
          ratingCount: hospitals.ratingCount,
          isDemo: hospitals.isDemo,
          doctors: hospitals.doctorsCount,
          distance: kilometres(hospitals),
          total: page.total,
        })
        .from(page)
        .innerJoin(hospitals, eq(hospitals.id, page.of))
        .orderBy(page.place)
        .prepare(sorted);
    });
  };
  const count = hot(ctx.db, `count_${shape}`, (db) => {
    const some = db
      .select({ one: sql`1`.as("one") })
      .from(hospitals)
      .where(and(...filters, ...hasWords(hospitals.searchText, wanted.length)))
      .limit(COUNTED + 1)
      .as("some");
    return db.select({ total: sql<number>`count(*)::int` }).from(some).prepare(`count_${shape}`);
  });
  const values = {
    ...wordValues(wanted),
    me,
    category: search.category,
    latitude: search.near.latitude,
    longitude: search.near.longitude,
  };
  const ask = async (by: Way, limit: number, offset: number) => {
    const rows = await listed(by).execute({ ...values, limit, offset });
    return { rows, total: rows[0]?.total ?? 0 };
  };
  const { limit, offset = 0 } = search;
  const whole = async () => {
    const [{ rows }, [counted]] = await Promise.all([ask("plain", limit, offset), count.execute(values)]);
    return { rows, total: counted?.total ?? 0 };
  };
  const walks = sort === "distance" ? way === asc : sort !== "liked" || !me;
  const { rows, total } = await (wanted.length ? pageByWords(ask, { namedFirst, walks, limit, offset }) : whole());
  return {
    total: Math.min(total, COUNTED),
    uncounted: total > COUNTED,
    hospitals: rows.map(({ distance, ratingSum, ratingCount, total: _, ...row }) => ({
      ...row,
      rating: ratingOf({ ratingSum, ratingCount }),
      distanceKm: roundKm(distance),
    })),
  };
}

/**
 * A hospital's public page. One that was merged says where to go (`mergedInto`).
 * @throws DomainError("not-found") with the sentence, for one that is neither active nor merged
 */
export async function getPublicHospital(ctx: Ctx, id: string | undefined, sentence = m.directory_hospital_not_found()) {
  const notFound = () => new DomainError("not-found", sentence);
  if (!isUuid(id)) throw notFound();
  const query = hot(ctx.db, "get_public_hospital", (db) =>
    db
      .select({
        id: hospitals.id,
        name: hospitals.name,
        kind: hospitals.category,
        specialties: hospitals.specialties,
        address: hospitals.address,
        area: hospitals.area,
        city: hospitals.city,
        state: hospitals.state,
        pinCode: hospitals.pinCode,
        latitude: hospitals.latitude,
        longitude: hospitals.longitude,
        phone: hospitals.phone,
        email: hospitals.email,
        about: hospitals.about,
        workingHours: hospitals.workingHours,
        status: hospitals.status,
        mergedInto: hospitals.mergedInto,
        ratingSum: hospitals.ratingSum,
        ratingCount: hospitals.ratingCount,
        isDemo: hospitals.isDemo,
        doctors: hospitals.doctorsCount,
      })
      .from(hospitals)
      .where(eq(hospitals.id, sql.placeholder("id")))
      .limit(1)
      .prepare("get_public_hospital"),
  );
  const [row] = await query.execute({ id });
  if (!row || (row.status !== "active" && row.status !== "merged")) throw notFound();
  const { status: _, ratingSum, ratingCount, ...hospital } = row;
  return { ...hospital, mergedInto: row.status === "merged" ? row.mergedInto : null, rating: ratingOf({ ratingSum, ratingCount }) };
}

/** What an id belongs to of what is public; null for nothing. */
export async function findListed(ctx: Ctx, id: string | undefined): Promise<"doctor" | "hospital" | null> {
  if (!isUuid(id)) return null;
  const query = hot(ctx.db, "find_listed", (db) =>
    db
      .select({ kind: sql<"doctor" | "hospital">`'doctor'` })
      .from(doctors)
      .where(and(eq(doctors.id, sql.placeholder("id")), shownDoctor(doctors)))
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
