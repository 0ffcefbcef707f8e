import { and, asc, type Column, desc, eq, inArray, like, lt, or, type SQL, sql } from "drizzle-orm";
import { auditLog, hospitals, users } from "#app/db/schema/index.ts";
import { isWithinDays } from "#app/db/within-days.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { REFUSED_ACTIONS } from "#app/domains/platform/audit/results.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { isMatchingUser } from "../users/matching-users.server.ts";
import type { AuditFilter } from "./audit.schema.ts";
import { detailValue } from "./detail-values.ts";
import { READINGS } from "./words.ts";

const PAGE = 50;
/** Most rows of an export: more than an incident needs, and still one response. */
const EXPORT_ROWS = 5_000;

/**
 * Returns a filtered page of the log, newest first. `before`: the id of the last row seen, so that new rows do not shift pages.
 */
export async function listAudit(ctx: Ctx<Actor>, filter: AuditFilter) {
  const rows = await readRows(ctx, filter, PAGE + 1);
  const shown = rows.slice(0, PAGE);
  return { rows: await withNames(ctx, shown), next: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null };
}

/** Returns the newest EXPORT_ROWS of a filter. Writes an audit row about the export. */
export async function exportAudit(ctx: Ctx<Actor>, filter: AuditFilter) {
  requireProof(ctx, "export-log");
  const rows = await withNames(ctx, await readRows(ctx, { ...filter, before: undefined }, EXPORT_ROWS));
  await recordRead(ctx, { action: "export-log", subjectType: "user", subjectId: ctx.actor.userId, details: { rows: rows.length } });
  return rows;
}

async function readRows(ctx: Ctx<Actor>, filter: AuditFilter, limit: number) {
  const [persons, actors] = await Promise.all([idsOf(ctx, filter.person), idsOf(ctx, filter.actor)]);
  // Days of long ago: in the order of the time an index begins there. In the order of the ids it would begin at today.
  const byTime = filter.from !== undefined || filter.to !== undefined;
  const last = sql`(select l.at, l.id from audit_log l where l.id = ${filter.before})`;
  const among = (column: Column, ids: string[] | null): SQL | undefined =>
    ids === null ? undefined : ids.length ? inArray(column, ids) : sql`false`;
  return ctx.db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      action: auditLog.action,
      actorId: auditLog.actorId,
      actor: nameOf("audit_log.actor_id"),
      actorRole: auditLog.actorRole,
      personId: auditLog.personId,
      person: nameOf("audit_log.person_id"),
      subjectType: auditLog.subjectType,
      subjectId: auditLog.subjectId,
      details: auditLog.details,
      hospitalId: auditLog.hospitalId,
      onBehalfOf: auditLog.onBehalfOf,
      ip: auditLog.ip,
    })
    .from(auditLog)
    .where(
      and(
        among(auditLog.personId, persons),
        among(auditLog.actorId, actors),
        actionIs(filter.action),
        filter.subject ? eq(auditLog.subjectType, filter.subject) : undefined,
        filter.subjectId ? eq(auditLog.subjectId, filter.subjectId) : undefined,
        resultIs(filter.result),
        isWithinDays(auditLog.at, filter),
        filter.before ? (byTime ? sql`(${auditLog.at}, ${auditLog.id}) < ${last}` : lt(auditLog.id, filter.before)) : undefined,
      ),
    )
    .orderBy(...(byTime ? [desc(auditLog.at)] : []), desc(auditLog.id))
    .limit(limit);
}

function actionIs(action: string | undefined): SQL | undefined {
  if (action === READINGS) return or(like(auditLog.action, "read-%"), like(auditLog.action, "reveal-%"));
  return action ? eq(auditLog.action, action) : undefined;
}

function resultIs(result: AuditFilter["result"]): SQL | undefined {
  if (!result) return undefined;
  // The condition on the action lets PostgreSQL use its index.
  return and(inArray(auditLog.action, [...REFUSED_ACTIONS]), sql`${auditLog.details}->>'result' = ${result}`);
}

/** Returns the names of the users whose ids are in a filter, for pages opened by a link; none for unknown ids. */
export async function namesInFilter(ctx: Ctx<Actor>, { person, actor }: AuditFilter): Promise<Record<string, string>> {
  const ids = [person, actor].filter((text): text is string => text !== undefined && isUuid(text));
  if (!ids.length) return {};
  const rows = await ctx.db
    .select({ id: users.id, name: nameOf("users.id") })
    .from(users)
    .where(inArray(users.id, ids));
  return Object.fromEntries(rows.map(({ id, name }) => [id, name || id]));
}

/** Returns all actions and kinds of subjects in the log, for the filter. */
export async function listAuditChoices(ctx: Ctx<Actor>) {
  // Loose index scan: jumps from one value to the next instead of reading the log.
  const actions = await ctx.db.execute<{ action: string }>(sql`
    with recursive walk as (
      (select action from audit_log order by action limit 1)
      union all
      select (select a.action from audit_log a where a.action > walk.action order by a.action limit 1) from walk where walk.action is not null
    ) select action from walk where action is not null`);
  const subjects = await ctx.db.execute<{ subject: string }>(sql`
    with recursive walk as (
      (select subject_type as subject from audit_log order by subject_type limit 1)
      union all
      select (select a.subject_type from audit_log a where a.subject_type > walk.subject order by a.subject_type limit 1) from walk where walk.subject is not null
    ) select subject from walk where subject is not null`);
  return { actions: actions.map((r) => r.action), subjects: subjects.map((r) => r.subject) };
}

/** Returns the ids of users matching a name, email, phone or id; null without a filter. */
async function idsOf(ctx: Ctx, text: string | undefined): Promise<string[] | null> {
  if (!text) return null;
  if (isUuid(text)) return [text];
  const rows = await ctx.db.select({ id: users.id }).from(users).where(isMatchingUser(ctx.db, text)).orderBy(asc(users.id)).limit(200);
  return rows.map((r) => r.id);
}

type Raw = {
  details: Record<string, unknown>;
  subjectType: string;
  subjectId: string;
  hospitalId: string | null;
  onBehalfOf: string | null;
};
/** Adds names for ids in the details, and for hospitals as subjects. The place and the doctor that a member acted for are details too. */
async function withNames<R extends Raw>(ctx: Ctx, rows: R[]) {
  const ids = [
    ...new Set(
      rows
        .flatMap((row) => [
          ...Object.values(row.details),
          row.hospitalId,
          row.onBehalfOf,
          row.subjectType === "hospital" ? row.subjectId : null,
        ])
        .filter((v): v is string => typeof v === "string" && isUuid(v)),
    ),
  ];
  const people = ids.length
    ? await ctx.db
        .select({ id: users.id, name: nameOf("users.id") })
        .from(users)
        .where(inArray(users.id, ids))
    : [];
  const places = ids.length
    ? await ctx.db.select({ id: hospitals.id, name: hospitals.name }).from(hospitals).where(inArray(hospitals.id, ids))
    : [];
  const names = new Map([...people, ...places].map(({ id, name }) => [id, name]));
  return rows.map(({ hospitalId, onBehalfOf, ...row }) => ({
    ...row,
    subjectName: row.subjectType === "hospital" ? (names.get(row.subjectId) ?? null) : null,
    details: Object.entries({
      ...(hospitalId && { actingPlace: hospitalId }),
      ...(onBehalfOf && { actingDoctor: onBehalfOf }),
      ...row.details,
    }).map(([key, value]) => ({
      key,
      value: (typeof value === "string" && names.get(value)) || detailValue(key, value),
    })),
  }));
}
