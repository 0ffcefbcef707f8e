import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { containsPhone, containsText, isSameText } from "#app/db/contains-text.server.ts";
import { listTexts } from "#app/db/list-texts.server.ts";
import { doctorBankAccounts, doctors, hospitals, users, verificationEvents } from "#app/db/schema/index.ts";
import { isWithinDays } from "#app/db/within-days.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { doctorProfileColumns } from "../profile-columns.server.ts";
import { assigneeId, assigneeName, isAssignedTo, isUnassigned, waitingSince } from "./assignee.server.ts";
import type { CaseEvent, CaseFile } from "./case-file.ts";
import type { CaseFilter } from "./case-filter.schema.ts";
import { ADMIN_STATUSES, type CaseSort, REVIEWER_TABS, type ReviewerTab, WAITING, type Whose } from "./case-lists.ts";
import { listCaseDocuments } from "./documents-of-case.server.ts";
import { listedCase, ownHospitals, visibleCase, wasSubmitted } from "./ownership.server.ts";

const PAGE = 20;

/** SQL: a column of the newest event of a case. */
const lastEvent = (what: "by_user_id" | "at" | "action") =>
  sql`(select e.${sql.raw(what)} from verification_events e where e.doctor_id = doctors.id order by e.at desc, e.id limit 1)`;

const row = {
  id: doctors.id,
  waitingSince,
  assignedTo: assigneeId,
  assignedName: assigneeName,
  name: doctors.fullName,
  email: users.email,
  specialization: doctors.primarySpecialization,
  city: doctors.city,
  status: doctors.registrationStatus,
  submittedAt: doctors.submittedAt,
  updatedAt: doctors.updatedAt,
  registeredAt: users.createdAt,
  hospitalName: hospitals.name,
  isDemo: doctors.isDemo,
  resubmitted: sql<boolean>`(select count(*) > 1 from verification_events s where s.doctor_id = doctors.id and s.action = 'submit')`,
  lastBy: sql<
    string | null
  >`(select coalesce(nullif(nu.staff_name, ''), '') from users nu where nu.id = ${lastEvent("by_user_id")} and nu.role <> 'doctor')`,
};

async function listRows(ctx: Ctx, input: { where: SQL | undefined; waiting: boolean; page: number; sort?: CaseSort | null }) {
  const sort = input.sort ?? (input.waiting ? "oldest" : "newest");
  const order = {
    name: [sql`lower(${doctors.fullName})`, asc(doctors.id)],
    city: [sql`nullif(lower(${doctors.city}), '') asc nulls last`, sql`lower(${doctors.fullName})`, asc(doctors.id)],
    registered: [desc(users.createdAt), asc(doctors.id)],
    oldest: [sql`${doctors.submittedAt} asc nulls last`, asc(doctors.id)],
    newest: [desc(doctors.updatedAt), asc(doctors.id)],
  }[sort];
  const rows = await ctx.db
    .select(row)
    .from(doctors)
    .innerJoin(users, eq(users.id, doctors.id))
    .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
    .where(input.where)
    .orderBy(...order)
    .limit(PAGE + 1)
    .offset((input.page - 1) * PAGE);
  return { rows: rows.slice(0, PAGE), hasMore: rows.length > PAGE };
}

/** Counts the matches of a search in each status, so that a page without matches shows where others are. */
const countByStatus = async (ctx: Ctx, where?: SQL): Promise<Partial<Record<RegistrationStatus, number>>> =>
  Object.fromEntries(
    (
      await ctx.db
        .select({ status: doctors.registrationStatus, n: count() })
        .from(doctors)
        .innerJoin(users, eq(users.id, doctors.id))
        .where(where)
        .groupBy(doctors.registrationStatus)
    ).map((r) => [r.status, r.n]),
  );

/**
 * Returns a page of cases of the acting reviewer's hospitals: waiting ones oldest first, others newest first. `whose`: those assigned to the
 * actor, or to no one. Counts each of them in the tab.
 */
export async function listReviewerCases(ctx: Ctx<Actor>, input: { tab: ReviewerTab; search: string; page: number; whose?: Whose | null }) {
  const ours = and(inArray(doctors.hospitalId, ownHospitals(ctx)), wasSubmitted);
  const statuses: readonly RegistrationStatus[] = REVIEWER_TABS[input.tab];
  const found = input.search ? containsText(doctors.fullName, input.search) : undefined;
  const inTab = and(ours, inArray(doctors.registrationStatus, [...statuses]), found);
  const whose = { mine: isAssignedTo(ctx.actor.userId), unassigned: isUnassigned };
  const [list, byStatus, [owners], reviewsFor] = await Promise.all([
    listRows(ctx, {
      where: and(inTab, input.whose ? whose[input.whose] : undefined),
      waiting: input.tab === "waiting",
      page: input.page,
    }),
    countByStatus(ctx, and(ours, found)),
    ctx.db
      .select({
        mine: sql<number>`(count(*) filter (where ${whose.mine}))::int`,
        unassigned: sql<number>`(count(*) filter (where ${whose.unassigned}))::int`,
      })
      .from(doctors)
      .where(inTab),
    ctx.db
      .select({ id: hospitals.id, name: hospitals.name })
      .from(hospitals)
      .where(inArray(hospitals.id, ownHospitals(ctx)))
      .orderBy(asc(hospitals.name)),
  ]);
  const counts = Object.fromEntries(
    Object.entries(REVIEWER_TABS).map(([tab, of]) => [tab, of.reduce((sum, s) => sum + (byStatus[s] ?? 0), 0)]),
  );
  const all = counts[input.tab] ?? 0;
  const owned: Record<Whose, number> = owners ?? { mine: 0, unassigned: 0 };
  return {
    ...list,
    total: input.whose ? owned[input.whose] : all,
    all,
    owned,
    counts: counts as Record<ReviewerTab, number>,
    hospitals: reviewsFor,
  };
}

/** Returns a page of doctors, in one status or all. Searches name, email, phone and registration number. */
export async function listDoctorCases(
  ctx: Ctx<Actor>,
  input: { status: RegistrationStatus | null; search: string; page: number; sort?: CaseSort | null; filter?: CaseFilter },
) {
  const { search, status, filter = {} } = input;
  const found = and(
    search
      ? or(
          containsText(doctors.fullName, search),
          containsText(users.email, search),
          containsText(doctors.councilNumber, search),
          containsPhone(users.phone, search),
        )
      : undefined,
    filter.city ? isSameText(doctors.city, filter.city) : undefined,
    filter.category ? eq(doctors.category, filter.category) : undefined,
    filter.specialty ? isSameText(doctors.primarySpecialization, filter.specialty) : undefined,
    isWithinDays(users.createdAt, filter),
    filter.reviewer === "unassigned" ? isUnassigned : filter.reviewer === "assigned" ? sql`not ${isUnassigned}` : undefined,
  );
  const [list, counts] = await Promise.all([
    listRows(ctx, {
      where: and(status ? eq(doctors.registrationStatus, status) : undefined, found),
      waiting: status !== null && WAITING.includes(status),
      page: input.page,
      sort: input.sort ?? null,
    }),
    countByStatus(ctx, found),
  ]);
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  return { ...list, total: status ? (counts[status] ?? 0) : all, all, counts };
}

/** Returns the cities and specialties that doctors have, as choices of the filters. */
export async function listCaseChoices(ctx: Ctx<Actor>): Promise<{ cities: string[]; specialties: string[] }> {
  const [cities, specialties] = await Promise.all([
    listTexts(ctx.db, doctors, doctors.city),
    listTexts(ctx.db, doctors, doctors.primarySpecialization),
  ]);
  return { cities, specialties };
}

/**
 * Returns a case for a reviewer of its hospital or an administrator, with masked numbers. Writes an audit row.
 * @throws DomainError("not-found")
 */
export async function readCase(ctx: Ctx<Actor>, doctorId: string | undefined): Promise<CaseFile> {
  if (!isUuid(doctorId) || ctx.actor.role === "doctor") throw new DomainError("not-found");
  const [found] = await ctx.db
    .select({
      ...doctorProfileColumns,
      additional: doctors.additionalSpecializations,
      submittedAt: doctors.submittedAt,
      verifiedAt: doctors.verifiedAt,
      assignedTo: assigneeId,
      assignedName: assigneeName,
      hospital: {
        id: hospitals.id,
        name: hospitals.name,
        address: hospitals.address,
        phone: hospitals.phone,
        status: hospitals.status,
        reviewers: sql<number>`(select count(*)::int from hospital_reviewers r join users u on u.id = r.user_id where r.hospital_id = hospitals.id and u.status = 'active')`,
      },
    })
    .from(doctors)
    .innerJoin(users, eq(users.id, doctors.id))
    .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
    .leftJoin(doctorBankAccounts, eq(doctorBankAccounts.doctorId, doctors.id))
    .where(listedCase(ctx, doctorId));
  if (!found) throw new DomainError("not-found");
  const corrected = ctx.actor.role === "reviewer" && found.status === "draft";
  const [documents, events] = await Promise.all([corrected ? [] : listCaseDocuments(ctx, doctorId), listEvents(ctx, doctorId)]);
  await recordRead(ctx, { action: "read-case", subjectType: "doctor", subjectId: doctorId, personId: doctorId });
  return { ...found, documents, events };
}

async function listEvents(ctx: Ctx, doctorId: string): Promise<CaseEvent[]> {
  return ctx.db
    .select({
      id: verificationEvents.id,
      action: verificationEvents.action,
      to: verificationEvents.toStatus,
      byId: verificationEvents.byUserId,
      by: nameOf("verification_events.by_user_id"),
      byRole: verificationEvents.byRole,
      note: verificationEvents.note,
      reasons: verificationEvents.reasons,
      at: verificationEvents.at,
    })
    .from(verificationEvents)
    .where(eq(verificationEvents.doctorId, doctorId))
    .orderBy(asc(verificationEvents.at), asc(verificationEvents.id))
    .limit(200);
}

/**
 * Returns the header of a page about one part of a case. The action of that page writes the audit row. @throws
 * DomainError("not-found")
 */
export async function getCaseHead(ctx: Ctx<Actor>, doctorId: string | undefined) {
  if (!isUuid(doctorId) || ctx.actor.role === "doctor") throw new DomainError("not-found");
  const [found] = await ctx.db
    .select({
      id: doctors.id,
      name: doctors.fullName,
      status: doctors.registrationStatus,
      aadhaarLast4: doctors.aadhaarLast4,
      aadhaarErasedAt: doctors.aadhaarErasedAt,
      panLast4: doctors.panLast4,
      accountLast4: doctorBankAccounts.accountLast4,
    })
    .from(doctors)
    .leftJoin(doctorBankAccounts, eq(doctorBankAccounts.doctorId, doctors.id))
    .where(visibleCase(ctx, doctorId));
  if (!found) throw new DomainError("not-found");
  return found;
}

/** Returns the data of the administrator's overview. */
export async function getOverview(ctx: Ctx<Actor>) {
  const now = ctx.now.toISOString();
  const age = sql`extract(epoch from ${now}::timestamptz - ${doctors.submittedAt}) * 1000`;
  const [statuses, pendingHospitals, unreviewed, decisions] = await Promise.all([
    ctx.db
      .select({
        status: doctors.registrationStatus,
        n: count(),
        oldest: sql<number | null>`max(${age})::float8`,
        median: sql<number | null>`(percentile_cont(0.5) within group (order by ${age}))::float8`,
      })
      .from(doctors)
      .groupBy(doctors.registrationStatus),
    selectPendingHospitals(ctx),
    selectUnreviewed(ctx),
    selectDecisions(ctx),
  ]);
  const byStatus = new Map(statuses.map((s) => [s.status, s]));
  return {
    statuses: ADMIN_STATUSES.map((status) => {
      const s = byStatus.get(status);
      const waits = WAITING.includes(status);
      return { status, count: s?.n ?? 0, oldest: waits ? (s?.oldest ?? null) : null, median: waits ? (s?.median ?? null) : null };
    }),
    pendingHospitals: { total: pendingHospitals[0]?.total ?? 0, rows: pendingHospitals },
    unreviewed: { total: unreviewed[0]?.total ?? 0, rows: unreviewed },
    decisions,
  };
}

const selectPendingHospitals = (ctx: Ctx) =>
  ctx.db
    .select({
      id: hospitals.id,
      name: hospitals.name,
      city: hospitals.city,
      createdAt: hospitals.createdAt,
      waiting: sql<number>`(select count(*)::int from doctors d where d.hospital_id = hospitals.id and d.registration_status in ('under review by hospital', 'pending admin approval'))`,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(hospitals)
    .where(eq(hospitals.status, "pending"))
    .orderBy(asc(hospitals.createdAt))
    .limit(5);

/** Selects the cases of hospitals without an active reviewer. */
const selectUnreviewed = (ctx: Ctx) =>
  ctx.db
    .select({
      id: doctors.id,
      name: doctors.fullName,
      submittedAt: doctors.submittedAt,
      hospitalId: hospitals.id,
      hospitalName: hospitals.name,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(doctors)
    .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
    .where(
      and(
        eq(doctors.registrationStatus, "under review by hospital"),
        sql`not exists (select from hospital_reviewers r join users u on u.id = r.user_id where r.hospital_id = ${doctors.hospitalId} and u.status = 'active')`,
      ),
    )
    .orderBy(sql`${doctors.submittedAt} asc nulls last`)
    .limit(5);

/** Selects the latest decisions of reviewers and administrators. */
const selectDecisions = (ctx: Ctx) =>
  ctx.db
    .select({
      id: verificationEvents.id,
      doctorId: verificationEvents.doctorId,
      doctorName: doctors.fullName,
      action: verificationEvents.action,
      by: nameOf("verification_events.by_user_id"),
      byRole: verificationEvents.byRole,
      at: verificationEvents.at,
    })
    .from(verificationEvents)
    .innerJoin(doctors, eq(doctors.id, verificationEvents.doctorId))
    .where(inArray(verificationEvents.byRole, ["reviewer", "admin"]))
    .orderBy(desc(verificationEvents.at))
    .limit(8);
