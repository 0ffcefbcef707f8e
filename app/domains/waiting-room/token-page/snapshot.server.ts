import { eq, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { doctors, hospitals, practices, queueEntries } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { addDays, instantInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes, seconds } from "#app/lib/durations.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import type { History } from "../estimate/estimate.ts";
import { getPlainQueue, type PlainEntry, type Queue } from "../queue/queries.server.ts";
import type { Snapshot } from "./token-view.ts";

/** Days of the past that a doctor's history has. */
const HISTORY_DAYS = 60;
const CODE = /^[\w-]{20}$/;

/** Sessions by id. They also end by time, in case a notification of PostgreSQL was lost. */
const snapshots = ofDatabase(new LRUCache<string, Promise<Snapshot>>({ max: 500, ttl: seconds(15) }));
/** Codes never change their entry. */
const entries = ofDatabase(new LRUCache<string, { id: string; sessionId: string }>({ max: 20_000 }));
const histories = ofDatabase(new LRUCache<string, History>({ max: 1_000, ttl: minutes(10) }));

/** Drops the copy of a session that changed; without an id that of all sessions. */
export function dropSnapshots(sessionId?: string): void {
  if (sessionId === undefined) snapshots.clear();
  else snapshots.delete(sessionId);
}

/** Returns the session and the entry of a code. @throws DomainError("not-found") */
export async function findToken(ctx: Ctx, code: string | undefined): Promise<{ id: string; sessionId: string }> {
  if (!code || !CODE.test(code)) throw new DomainError("not-found");
  const known = entries.get(code);
  if (known) return known;
  const [row] = await ctx.db
    .select({ id: queueEntries.id, sessionId: queueEntries.sessionId })
    .from(queueEntries)
    .where(eq(queueEntries.code, code));
  if (!row) throw new DomainError("not-found");
  entries.set(code, row);
  return row;
}

/** Returns the copy of a session, without names. Requests that come together share one reading. @throws DomainError("not-found") */
export function getSnapshot(ctx: Ctx, sessionId: string): Promise<Snapshot> {
  const known = snapshots.get(sessionId);
  if (known) return known;
  const coming = readSnapshot(ctx, sessionId);
  snapshots.set(sessionId, coming);
  coming.catch(() => {
    if (snapshots.peek(sessionId) === coming) snapshots.delete(sessionId);
  });
  return coming;
}

/** Reads a session without the copies. `known`: its queue, if the caller has read it. @throws DomainError("not-found") */
export async function readSnapshot(ctx: Ctx, sessionId: string, known?: Queue<PlainEntry>): Promise<Snapshot> {
  const queue = known ?? (await getPlainQueue(ctx, sessionId));
  const { practiceId, date, startsAt } = queue.session;
  const [practice] = await ctx.db
    .select({
      doctor: doctors.fullName,
      doctorTexts: doctors.translations,
      place: hospitals.name,
      placeTexts: hospitals.translations,
      phone: hospitals.phone,
    })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(eq(practices.id, practiceId));
  const history = histories.get(practiceId) ?? (await readHistory(ctx, practiceId, date));
  histories.set(practiceId, history);
  return { queue, practice: practice!, history, startsAt: instantInIndia(date, startsAt.slice(0, 5)) };
}

/** Reads how long visits took, how late the doctor began and how many patients came in the sessions before this day. */
async function readHistory(ctx: Ctx, practiceId: string, date: string): Promise<History> {
  const [row] = await ctx.db.execute<{ median: number | null; visits: number; delays: number[] | null; shows: number | null }>(sql`
    with s as (
      select id, extract(epoch from doctor_in_at - (date + starts_at) at time zone 'Asia/Kolkata') / 60 as delay from queue_sessions
      where practice_id = ${practiceId} and date < ${date} and date >= ${addDays(date, -HISTORY_DAYS)} and doctor_in_at is not null),
    e as (
      select e.kind, e.state, extract(epoch from e.done_at - coalesce(e.with_doctor_at, e.called_at)) / 60 as took
      from queue_entries e join s on s.id = e.session_id)
    select
      (select percentile_cont(0.5) within group (order by took)::float8 from e where state = 'done' and took between 1 and 120) as median,
      (select count(*)::int from e where state = 'done' and took between 1 and 120) as visits,
      (select array_agg(round(delay)::int) from s where delay between -60 and 480) as delays,
      (select (count(*) filter (where state = 'done'))::float8 / nullif(count(*), 0) from e
        where kind = 'booked' and state in ('done', 'no-show') having count(*) >= 20) as shows`);
  return { median: row?.median ?? null, visits: row?.visits ?? 0, delays: row?.delays ?? [], shows: row?.shows ?? null };
}
