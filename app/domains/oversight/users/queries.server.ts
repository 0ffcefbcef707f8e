import { and, asc, count, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { containsPhone, containsText } from "#app/db/contains-text.server.ts";
import { appointments, doctors, hospitalReviewers, hospitals, patients, ROLES, type Role, sessions, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { isLiveAt } from "#app/domains/platform/accounts/queries.server.ts";
import { maskEmail } from "#app/domains/platform/users/mask-email.ts";
import { hasNotPassed, openVisit } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { maskPhone } from "#app/lib/phone.ts";
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

const newestFirst = [desc(users.createdAt), asc(users.id)];
const ORDERS: Record<UserSort, SQL[]> = {
  name: [sql`nullif(${name}, '') asc nulls last`, ...newestFirst],
  oldest: [asc(users.createdAt), asc(users.id)],
};

/**
 * Returns a page of accounts by name, phone or email, newest first by default. Phones and emails are masked; the account's page
 * shows them.
 */
export async function listUsers(
  ctx: Ctx<Actor>,
  input: { search: string; role: Role | null; disabled: boolean; page: number; sort?: UserSort | null },
) {
  const { search, role, disabled, page, sort } = input;
  const found = search
    ? or(
        containsText(users.staffName, search),
        containsText(doctors.fullName, search),
        containsText(patients.name, search),
        containsText(users.email, search),
        containsPhone(users.phone, search),
      )
    : undefined;
  const where = and(found, role ? eq(users.role, role) : undefined, disabled ? eq(users.status, "disabled") : undefined);
  const [rows, [whole], counts] = await Promise.all([
    ctx.db
      .select(account)
      .from(users)
      .leftJoin(doctors, eq(doctors.id, users.id))
      .leftJoin(patients, eq(patients.id, users.id))
      .where(where)
      .orderBy(...(sort ? ORDERS[sort] : newestFirst))
      .limit(PAGE + 1)
      .offset((page - 1) * PAGE),
    ctx.db
      .select({ n: count() })
      .from(users)
      .leftJoin(doctors, eq(doctors.id, users.id))
      .leftJoin(patients, eq(patients.id, users.id))
      .where(where),
    ctx.db
      .select({ role: users.role, n: count() })
      .from(users)
      .leftJoin(doctors, eq(doctors.id, users.id))
      .leftJoin(patients, eq(patients.id, users.id))
      .where(found)
      .groupBy(users.role),
  ]);
  const masked = rows
    .slice(0, PAGE)
    .map((row) => ({ ...row, phone: row.phone && maskPhone(row.phone), email: row.email && maskEmail(row.email) }));
  const byRole = Object.fromEntries(ROLES.map((r) => [r, counts.find((c) => c.role === r)?.n ?? 0])) as Record<Role, number>;
  return { rows: masked, total: whole?.n ?? 0, hasMore: rows.length > PAGE, counts: byRole };
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
