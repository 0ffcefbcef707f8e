/**
 * Records refused accesses and failed logins with their result (docs/decisions/046), in the background: no request waits, and a
 * login takes the same time for existing and unknown accounts. Limits bound the rows, so that an attacker cannot flood the log.
 * `personId` stays null, because no record was opened.
 */
import { and, eq, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { auditLog, type OtpPurpose, PASSWORD_ROLES, type Role, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import { inBackground } from "#app/queue/background.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { type LimitEvent, LimitRefusal, spendLimits } from "../limits/limit.server.ts";
import { networksOf } from "../limits/network.ts";
import { type AuditEntry, auditRow } from "./record.server.ts";
import type { AccessResult, LoginResult, REFUSED_ACTIONS } from "./results.ts";

type Subject = Pick<AuditEntry, "subjectType" | "subjectId">;
type Refusal = Subject & {
  action: (typeof REFUSED_ACTIONS)[number];
  details: { result: AccessResult | LoginResult; [key: string]: string };
};

/**
 * Records a refused access of the acting user, with the record if one of `ids` belongs to another user. A "not-found" without
 * such a record is not recorded.
 * @param input.page the path without ids, from `pathOf`
 * @param input.ids ids in the request's path, query or body
 */
export function recordRefusedAccess(ctx: Ctx<Actor>, input: { result: AccessResult; page: string; ids: readonly string[] }): void {
  const { result, page, ids } = input;
  if (isFull(ctx, sourceOf(ctx, "audit-refused-source"))) return;
  inBackground("refusal", async () => {
    const record = ids.length ? await findForeign(ctx, ids) : null;
    if (result === "not-found" && !record) return;
    await write(ctx, { action: "refuse-access", ...(record ?? { subjectType: "page", subjectId: page }), details: { result, page } });
  });
}

/** Returns a record of another user among these ids; null when all are unknown, public or the acting user's own. */
async function findForeign(ctx: Ctx<Actor>, ids: readonly string[]): Promise<Subject | null> {
  const me = ctx.actor.userId;
  const named = sql`in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
  // Patients find doctors in the directory: an unlisted doctor is not another patient's record.
  const open = ctx.actor.role === "patient" ? sql`u.role = 'patient'` : sql`true`;
  const [found] = await ctx.db.execute<{ type: Subject["subjectType"]; id: string }>(sql`
    select type, id from (
      select 1 as place, 'appointment' as type, a.id from appointments a where a.id ${named} and ${me} not in (a.patient_id, a.doctor_id)
      union all
      select 2, 'file', f.id from files f where f.id ${named} and f.owner_id <> ${me}
      union all
      select 3, 'medical-record', r.id from medical_records r join appointments a on a.id = r.appointment_id
      where r.id ${named} and ${me} not in (a.patient_id, a.doctor_id)
      union all
      select 4, 'document', d.id from doctor_documents d where d.id ${named} and d.doctor_id <> ${me}
      union all
      select 5, 'conversation', c.id from conversations c where c.id ${named} and c.owner_id <> ${me}
      union all
      select 6, 'family-member', m.id from family_members m where m.id ${named} and m.patient_id <> ${me}
      union all
      select 7, 'notification', n.id from notifications n where n.id ${named} and n.user_id <> ${me}
      union all
      select 8, 'review', r.id from reviews r where r.id ${named} and ${me} not in (r.patient_id, r.doctor_id)
      union all
      select 9, case u.role when 'doctor' then 'doctor' else 'user' end, u.id from users u where u.id ${named} and u.id <> ${me} and ${open}
    ) found order by place limit 1`);
  return found ? { subjectType: found.type, subjectId: found.id } : null;
}

export type FailedLogin = {
  result: LoginResult;
  /** What the code or password was for. */
  purpose: OtpPurpose | "change-password";
  /** The account, if known. Otherwise found by phone and email. */
  userId?: string | undefined;
  phone?: string | undefined;
  email?: string | undefined;
};

/**
 * Records a failed login, with the account's id or a keyed hash of what was typed.
 * @param failed the facts, or a function that finds them; null when there is nothing to record
 */
export function recordFailedLogin(ctx: Ctx, failed: FailedLogin | (() => Promise<FailedLogin | null>)): void {
  if (isFull(ctx, sourceOf(ctx, "audit-refused-source")) || (!ctx.actor && isFull(ctx, VISITORS))) return;
  inBackground("refusal", async () => {
    const facts = typeof failed === "function" ? await failed() : failed;
    if (!facts) return;
    const { result, purpose } = facts;
    await write(ctx, { action: "fail-login", ...(await accountOf(ctx, facts)), details: { result, purpose } });
  });
}

const STAFF: readonly Role[] = PASSWORD_ROLES;

async function accountOf(ctx: Ctx, { userId, phone, email, purpose }: FailedLogin): Promise<Subject> {
  if (userId !== undefined) return { subjectType: "user", subjectId: userId };
  const roles = purpose === "patient-login" ? ["patient"] : STAFF;
  const known = and(phone === undefined ? undefined : eq(users.phone, phone), email === undefined ? undefined : eq(users.email, email));
  const rows = known ? await ctx.db.select({ id: users.id, role: users.role }).from(users).where(known).limit(10) : [];
  const user = rows.find(({ role }) => roles.includes(role));
  if (user) return { subjectType: "user", subjectId: user.id };
  return { subjectType: "login", subjectId: hmac(`${email ?? ""}|${phone ?? ""}`, env().sessionSecrets[0], "audit-login").slice(0, 24) };
}

const VISITORS: LimitEvent = { limit: "audit-refused-visitors", key: "" };
/** The user, or a visitor's network. */
const sourceOf = (ctx: Ctx, limit: LimitEvent["limit"], key = ""): LimitEvent =>
  ctx.actor ? { limit, key: `${ctx.actor.userId}|${key}` } : { limit, address: ctx.ip, key };

async function write(ctx: Ctx, refusal: Refusal): Promise<void> {
  const { action, subjectType, subjectId, details } = refusal;
  const subject = `${subjectType}|${subjectId}`;
  const events: LimitEvent[] = [
    sourceOf(ctx, "audit-refused-same", `${action}|${details.result}|${subject}`),
    sourceOf(ctx, "audit-refused-source"),
    ...(ctx.actor ? [] : [{ limit: "audit-refused-subject" as const, key: subject }, VISITORS]),
  ];
  if (events.some((event) => isFull(ctx, event))) return;
  try {
    await spendLimits(ctx, events);
  } catch (error) {
    if (!(error instanceof LimitRefusal)) throw error;
    for (const event of events) if (error.limits.includes(event.limit)) noteFull(ctx, event, error.retryAfterSeconds ?? 1);
    return;
  }
  await ctx.db.insert(auditLog).values(auditRow(ctx, refusal));
}

/** Full limits, and until when this process does not ask the database again. */
const full = ofDatabase(new LRUCache<string, number>({ max: 5_000 }));
const LOOK_AGAIN = seconds(60);
const nameOf = ({ limit, key, address }: LimitEvent) => `${limit}|${key ?? ""}|${address === undefined ? "" : networksOf(address)[0]}`;
const isFull = (ctx: Ctx, event: LimitEvent) => (full.get(nameOf(event)) ?? 0) > ctx.now.getTime();
const noteFull = (ctx: Ctx, event: LimitEvent, wait: number) =>
  void full.set(nameOf(event), ctx.now.getTime() + Math.min(seconds(wait), LOOK_AGAIN));
