import { and, asc, count, desc, eq, gt, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { containsText, isSameText } from "#app/db/contains-text.server.ts";
import { listTexts } from "#app/db/list-texts.server.ts";
import { cities, doctors, HOSPITAL_STATUSES, hospitalReviewers, hospitals, reviewerInvitations, users } from "#app/db/schema/index.ts";
import { isWithinDays } from "#app/db/within-days.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { HospitalFilter } from "./hospital-filter.schema.ts";
import type { HospitalSort } from "./sorts.ts";

export type HospitalStatus = (typeof HOSPITAL_STATUSES)[number];
const PAGE = 20;

const doctorsIn = sql<number>`(select count(*)::int from doctors d where d.hospital_id = hospitals.id and d.registration_status <> 'draft')`;
const reviewersOf = sql<number>`(select count(*)::int from hospital_reviewers r join users u on u.id = r.user_id where r.hospital_id = hospitals.id and u.status = 'active')`;

/** Returns a page of hospitals, in one status or all, by name; pending ones oldest first. */
export async function listHospitalsInStatus(
  ctx: Ctx<Actor>,
  input: { status: HospitalStatus | null; search: string; page: number; sort?: HospitalSort | null; filter?: HospitalFilter },
) {
  const { status, search, page, filter = {} } = input;
  const found = and(
    search
      ? or(containsText(hospitals.name, search), containsText(hospitals.address, search), containsText(hospitals.city, search))
      : undefined,
    filter.city ? isSameText(hospitals.city, filter.city) : undefined,
    filter.category ? eq(hospitals.category, filter.category) : undefined,
    filter.reviewers ? (filter.reviewers === "with" ? gt(reviewersOf, 0) : eq(reviewersOf, 0)) : undefined,
    isWithinDays(hospitals.createdAt, filter),
  );
  const byName = [asc(hospitals.name), asc(hospitals.id)];
  const orders: Record<HospitalSort | "name" | "oldest", SQL[]> = {
    name: byName,
    city: [asc(hospitals.city), ...byName],
    newest: [desc(hospitals.createdAt), asc(hospitals.id)],
    oldest: [asc(hospitals.createdAt), asc(hospitals.id)],
    doctors: [desc(doctorsIn), ...byName],
  };
  const order = orders[input.sort ?? (status === "pending" ? "oldest" : "name")];
  const [rows, counts] = await Promise.all([
    ctx.db
      .select({
        id: hospitals.id,
        name: hospitals.name,
        category: hospitals.category,
        address: hospitals.address,
        city: hospitals.city,
        status: hospitals.status,
        createdAt: hospitals.createdAt,
        isDemo: hospitals.isDemo,
        doctors: doctorsIn,
        reviewers: reviewersOf,
      })
      .from(hospitals)
      .where(and(status ? eq(hospitals.status, status) : undefined, found))
      .orderBy(...order)
      .limit(PAGE + 1)
      .offset((page - 1) * PAGE),
    ctx.db.select({ status: hospitals.status, n: count() }).from(hospitals).where(found).groupBy(hospitals.status),
  ]);
  const byStatus = Object.fromEntries(HOSPITAL_STATUSES.map((s) => [s, counts.find((c) => c.status === s)?.n ?? 0])) as Record<
    HospitalStatus,
    number
  >;
  const all = Object.values(byStatus).reduce((sum, n) => sum + n, 0);
  return { rows: rows.slice(0, PAGE), total: status ? byStatus[status] : all, all, hasMore: rows.length > PAGE, counts: byStatus };
}

/** Returns the cities that have hospitals, as choices of the filter. */
export const listHospitalCities = (ctx: Ctx<Actor>): Promise<string[]> => listTexts(ctx.db, hospitals, hospitals.city);

/**
 * Returns a hospital with its reviewers, open invitations, and the number of doctors in each status. @throws
 * DomainError("not-found")
 */
export async function getHospital(ctx: Ctx<Actor>, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const target = alias(hospitals, "target");
  const [row] = await ctx.db
    .select({ hospital: hospitals, mergedIntoName: target.name, proposedBy: nameOf("hospitals.proposed_by") })
    .from(hospitals)
    .leftJoin(target, eq(target.id, hospitals.mergedInto))
    .where(eq(hospitals.id, id));
  if (!row) throw new DomainError("not-found");
  const [reviewers, invitations, statuses] = await Promise.all([
    ctx.db
      .select({ id: users.id, name: users.staffName, email: users.email, status: users.status, since: hospitalReviewers.createdAt })
      .from(hospitalReviewers)
      .innerJoin(users, eq(users.id, hospitalReviewers.userId))
      .where(eq(hospitalReviewers.hospitalId, id))
      .orderBy(asc(users.staffName), asc(users.email)),
    ctx.db
      .select({ email: reviewerInvitations.email, name: reviewerInvitations.name, expiresAt: reviewerInvitations.expiresAt })
      .from(reviewerInvitations)
      .where(
        and(eq(reviewerInvitations.hospitalId, id), isNull(reviewerInvitations.acceptedAt), gt(reviewerInvitations.expiresAt, ctx.now)),
      )
      .orderBy(asc(reviewerInvitations.email)),
    ctx.db
      .select({ status: doctors.registrationStatus, n: count() })
      .from(doctors)
      .where(eq(doctors.hospitalId, id))
      .groupBy(doctors.registrationStatus),
  ]);
  return {
    ...row.hospital,
    mergedIntoName: row.mergedIntoName,
    proposedByName: row.proposedBy,
    reviewers,
    invitations,
    doctors: Object.fromEntries(statuses.map((s) => [s.status, s.n])),
  };
}

/**
 * Returns hospitals that another one may be merged into: matches of the search, or the most similar ones of the same city
 * ("Krishna Heart Center" finds "Krishna Heart Centre").
 */
export async function listMergeTargets(ctx: Ctx<Actor>, of: { id: string; name: string; city: string }, search: string) {
  const where: SQL[] = [eq(hospitals.status, "active"), ne(hospitals.id, of.id)];
  const shape = {
    id: hospitals.id,
    name: hospitals.name,
    address: hospitals.address,
    city: hospitals.city,
    doctors: doctorsIn,
    reviewers: reviewersOf,
  };
  if (search) {
    const found = or(containsText(hospitals.name, search), containsText(hospitals.address, search), containsText(hospitals.city, search));
    return ctx.db
      .select(shape)
      .from(hospitals)
      .where(and(...where, found))
      .orderBy(asc(hospitals.name))
      .limit(20);
  }
  const near = await ctx.db
    .select(shape)
    .from(hospitals)
    .where(and(...where, sql`lower(${hospitals.city}) = lower(${of.city})`))
    .orderBy(asc(hospitals.name))
    .limit(500);
  const words = wordsOf(of.name);
  const alike = (name: string) =>
    wordsOf(name).filter((word) => words.some((other) => other.startsWith(word.slice(0, 5)) || word.startsWith(other.slice(0, 5)))).length;
  return near
    .map((row) => ({ row, score: alike(row.name) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ row }) => row);
}
const COMMON = new Set(["hospital", "hospitals", "clinic", "centre", "center", "care", "the", "and", "multispeciality", "general"]);
const wordsOf = (name: string) =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !COMMON.has(word));

/** Returns the states of India as in the list of cities. */
export async function listStates(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.selectDistinct({ state: cities.state }).from(cities).orderBy(asc(cities.state));
  return rows.map((r) => r.state);
}

/** Returns the coordinates of a city; null when it is not in the list. */
export async function findCityPlace(ctx: Ctx, city: string, state: string) {
  const [row] = await ctx.db
    .select({ latitude: cities.latitude, longitude: cities.longitude })
    .from(cities)
    .where(and(eq(sql`lower(${cities.name})`, city.toLowerCase()), eq(cities.state, state)))
    .orderBy(sql`${cities.rank} desc`)
    .limit(1);
  return row ?? null;
}

/** Returns a hospital and one of its reviewers, for the confirmation page of the removal. @throws DomainError("not-found") */
export async function getReviewerOf(ctx: Ctx<Actor>, hospitalId: string | undefined, userId: string | undefined) {
  if (!isUuid(hospitalId) || !isUuid(userId)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({ hospitalName: hospitals.name, name: users.staffName, email: users.email })
    .from(hospitalReviewers)
    .innerJoin(hospitals, eq(hospitals.id, hospitalReviewers.hospitalId))
    .innerJoin(users, eq(users.id, hospitalReviewers.userId))
    .where(and(eq(hospitalReviewers.hospitalId, hospitalId), eq(hospitalReviewers.userId, userId)));
  if (!row) throw new DomainError("not-found");
  const [others] = await ctx.db
    .select({ n: count() })
    .from(hospitalReviewers)
    .innerJoin(users, eq(users.id, hospitalReviewers.userId))
    .where(and(eq(hospitalReviewers.hospitalId, hospitalId), ne(hospitalReviewers.userId, userId), eq(users.status, "active")));
  const [waiting] = await ctx.db
    .select({ n: count() })
    .from(doctors)
    .where(and(eq(doctors.hospitalId, hospitalId), inArray(doctors.registrationStatus, ["under review by hospital"])));
  return { ...row, others: others?.n ?? 0, waiting: waiting?.n ?? 0 };
}
