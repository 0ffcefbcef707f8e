import { and, asc, count, desc, eq, type SQL, sql } from "drizzle-orm";
import { appointments, doctors, hospitalReviewers, hospitals, patients, ROLES, type Role, sessions, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { isLiveAt } from "#app/domains/platform/accounts/queries.server.ts";
import { maskEmail } from "#app/domains/platform/users/mask-email.ts";
import { hasNotPassed, openVisit } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { maskPhone } from "#app/lib/phone.ts";
import { isMatchingUser } from "./matching-users.server.ts";
import type { UserSort } from "./sorts.ts";

const PAGE = 20;
const name = sql<string>`coalesce(nullif(${users.staffName}, ''), nullif(${doctors.fullName}, ''), ${patients.name}, '')`;

const account = {
  id: users.id,
  role: users.role,
  status: users.status,
  name,
  phone: users.phone,
  email: users.email,
  createdAt: users.createdAt,
  isDemo: users.isDemo,
};

/** The id in the direction of the time: an index read backwards. */
const newestFirst = [desc(users.createdAt), desc(users.id)];
const ORDERS: Record<UserSort, SQL[]> = {
  name: [sql`nullif(${name}, '') asc nulls last`, ...newestFirst],
  oldest: [asc(users.createdAt), asc(users.id)],
};

/** More accounts of a list are not counted: the page shows "10,000+". */
const MOST = 10_000;

/** Counts the accounts of a condition, at most `MOST` and one. */
const countMost = (ctx: Ctx, where: SQL | undefined) => {
  const some = ctx.db
    .select({ one: sql`1`.as("one") })
    .from(users)
    .where(where)
    .limit(MOST + 1)
    .as("some");
  return ctx.db
    .select({ n: count() })
    .from(some)
    .then(([row]) => row!.n);
};

type Counts = { total: number; counts: Record<Role, number> };

/** Counts all accounts of a list, and those of each role. */
async function countAll(ctx: Ctx, where: SQL | undefined): Promise<Counts> {
  const [total, ...counts] = await Promise.all([countMost(ctx, where), ...ROLES.map((one) => countMost(ctx, eq(users.role, one)))]);
  return { total, counts: Object.fromEntries(ROLES.map((one, i) => [one, counts[i]])) as Record<Role, number> };
}

/** The same for a search, which finds few: in one statement. */
async function countFound(ctx: Ctx, found: SQL, list: { role: Role | null; disabled: boolean }): Promise<Counts> {
  const rows = await ctx.db
    .select({ role: users.role, n: count(), disabled: sql<number>`(count(*) filter (where ${users.status} = 'disabled'))::int` })
    .from(users)
    .where(found)
    .groupBy(users.role);
  const listed = rows.filter(({ role }) => list.role === null || role === list.role);
  const total = listed.reduce((sum, { n, disabled }) => sum + (list.disabled ? disabled : n), 0);
  const counts = Object.fromEntries(ROLES.map((one) => [one, rows.find(({ role }) => role === one)?.n ?? 0])) as Record<Role, number>;
  return { total, counts };
}

/**
 * Returns a page of accounts by name, phone or email, newest first by default. Phones and emails are masked; the account's page
 * shows them. A search finds at most `MOST_MATCHES` accounts by each of these. `counts` and `total` end at `most`.
 */
export async function listUsers(
  ctx: Ctx<Actor>,
  input: { search: string; role: Role | null; disabled: boolean; page: number; sort?: UserSort | null },
) {
  const { search, role, disabled, page, sort } = input;
  const found = search ? isMatchingUser(ctx.db, search) : undefined;
  const where = and(found, role ? eq(users.role, role) : undefined, disabled ? eq(users.status, "disabled") : undefined);
  const [rows, { total, counts }] = await Promise.all([
    ctx.db
      .select(account)
      .from(users)
      .leftJoin(doctors, eq(doctors.id, users.id))
      .leftJoin(patients, eq(patients.id, users.id))
      .where(where)
      .orderBy(...(sort ? ORDERS[sort] : newestFirst))
      .limit(PAGE + 1)
      .offset((page - 1) * PAGE),
    found ? countFound(ctx, found, { role, disabled }) : countAll(ctx, where),
  ]);
  const masked = rows
    .slice(0, PAGE)
    .map((row) => ({ ...row, phone: row.phone && maskPhone(row.phone), email: row.email && maskEmail(row.email) }));
  return { rows: masked, total, hasMore: rows.length > PAGE && page * PAGE < MOST, counts, most: MOST };
}

/**
 * Returns an account with its sessions, a reviewer's hospitals, or a patient's number of upcoming visits. @throws
 * DomainError("not-found")
 */
export async function getUser(ctx: Ctx<Actor>, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [user] = await ctx.db
    .select({
      ...account,
      registrationStatus: doctors.registrationStatus,
    })
    .from(users)
    .leftJoin(doctors, eq(doctors.id, users.id))
    .leftJoin(patients, eq(patients.id, users.id))
    .where(eq(users.id, id));
  if (!user) throw new DomainError("not-found");
  const [open, reviewsFor, coming] = await Promise.all([
    ctx.db
      // Without the hash of the token.
      .select({
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
        expiresAt: sessions.expiresAt,
        ip: sessions.ip,
        userAgent: sessions.userAgent,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.userId, id), isLiveAt(ctx.now)))
      .orderBy(desc(sessions.lastSeenAt))
      .limit(50),
    user.role === "reviewer"
      ? ctx.db
          .select({ id: hospitals.id, name: hospitals.name })
          .from(hospitalReviewers)
          .innerJoin(hospitals, eq(hospitals.id, hospitalReviewers.hospitalId))
          .where(eq(hospitalReviewers.userId, id))
          .orderBy(asc(hospitals.name))
      : [],
    user.role === "patient"
      ? ctx.db
          .select({ n: count() })
          .from(appointments)
          .where(and(eq(appointments.patientId, id), openVisit(appointments), hasNotPassed(appointments, minuteInIndia(ctx.now))))
      : [],
  ]);
  return { ...user, sessions: open, hospitals: reviewsFor, visits: coming[0]?.n ?? 0 };
}
