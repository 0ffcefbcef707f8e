import { eq, type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, hospitals, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { hours } from "#app/lib/durations.ts";
import { language } from "#app/lib/language.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import { type FigureDays, ON_TIME_MINUTES, ON_TIME_SESSIONS, periodOf, type QueueFigures, type QueueReport } from "./figures.ts";

/** A row of the report: of a doctor, of a week, or of all. */
type Row = QueueFigures & { doctorId: string | null; doctorName: string | null; week: string | null };

/** Returns the figures of the acting doctor's queues, in all places. */
export const getOwnQueueReport = (ctx: Ctx<Actor>, days: FigureDays): Promise<QueueReport> =>
  report(ctx, days, sql`${practices.doctorId} = ${ctx.actor.userId}`);

/**
 * Returns the figures of a place's queues, for a member with "see-figures": of the doctors who work there now.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function getPlaceQueueReport(
  ctx: Ctx<Actor>,
  hospitalId: string | undefined,
  days: FigureDays,
): Promise<{ placeName: string; report: QueueReport }> {
  const acting = await requireActing(ctx, hospitalId, "see-figures");
  const { hospitalId: id } = acting.actor.onBehalfOf;
  const [[place], figures] = await Promise.all([
    ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, id)),
    report(
      acting,
      days,
      sql`${placeOfPractice} = ${id} and exists (select from place_doctors pd
        where pd.hospital_id = ${id} and pd.doctor_id = ${practices.doctorId} and pd.state = 'active')`,
    ),
  ]);
  return { placeName: place!.name, report: figures };
}

async function report(ctx: Ctx, days: FigureDays, scope: SQL): Promise<QueueReport> {
  const period = periodOf(todayInIndia(ctx.now), days);
  const doctorName = inLanguage(doctors.fullName, doctors.translations, "name", language());
  const rows = (await ctx.db.execute<Row>(sql`
    with s as (
      select q.id, q.doctor_id, q.date, q.closed_at, ${doctorName} as name, date_trunc('week', q.date)::date::text as week,
        extract(epoch from q.doctor_in_at - (q.date + q.starts_at) at time zone 'Asia/Kolkata') / 60 as late
      from queue_sessions q join practices on practices.id = q.practice_id join doctors on doctors.id = practices.doctor_id
      where ${scope} and q.date between ${period.from} and ${period.until} and q.doctor_in_at is not null),
    starts as (
      select doctor_id, week, count(*)::int as sessions, round(percentile_cont(0.5) within group (order by late))::int as late
      from s group by grouping sets ((), (doctor_id), (week))),
    e as (
      select s.doctor_id, s.week, e.kind, e.state, ${MINUTES(sql`e.called_at - ${SINCE}`)} as wait,
        ${MINUTES(sql`e.done_at - coalesce(e.with_doctor_at, e.called_at)`)} as took,
        case when e.state in ('left', 'unseen') and e.called_at is null and coalesce(e.left_at, s.closed_at) is not null
          then greatest(0, ${MINUTES(sql`coalesce(e.left_at, s.closed_at) - ${SINCE}`)}) end as unseen_wait,
        ${WENT_HOME} as went_home,
        ${WENT_HOME} and e.called_at is null and e.arrived_at is not null as unseen,
        e.called_at <= e.due_at + ${ON_TIME_MINUTES} * interval '1 minute' as on_time,
        e.estimate_low_at is not null and e.called_at is not null as estimated,
        e.called_at <= e.estimate_low_at as by_low, e.called_at <= e.estimate_high_at as by_high
      from s join queue_entries e on e.session_id = s.id left join appointments a on a.id = e.appointment_id),
    visits as (
      select doctor_id, week, count(*) filter (where state = 'done')::int as patients,
        round(percentile_cont(0.5) within group (order by wait) filter (where wait >= 0))::int as wait,
        round(percentile_cont(0.8) within group (order by wait) filter (where wait >= 0))::int as long_wait,
        round(percentile_cont(0.5) within group (order by took) filter (where state = 'done' and took between 1 and 120))::int as took,
        count(*) filter (where kind = 'booked' and state in ('done', 'no-show'))::int as booked,
        count(*) filter (where kind = 'booked' and state = 'no-show')::int as no_shows,
        count(*) filter (where state = 'left' and went_home)::int as gone,
        count(*) filter (where unseen)::int as unseen,
        round(percentile_cont(0.5) within group (order by unseen_wait) filter (where unseen))::int as unseen_wait,
        round(100.0 * avg(on_time::int) filter (where kind = 'booked'))::int as on_time,
        count(*) filter (where estimated)::int as estimated,
        round(100.0 * avg(by_low::int) filter (where estimated))::int as by_low,
        round(100.0 * avg(by_high::int) filter (where estimated))::int as by_high
      from e group by grouping sets ((), (doctor_id), (week)))
    select starts.doctor_id as "doctorId", (select max(name) from s where s.doctor_id = starts.doctor_id) as "doctorName", starts.week,
      sessions, late, coalesce(patients, 0) as patients, wait, long_wait as "longWait", took as consultation, coalesce(booked, 0) as booked,
      coalesce(no_shows, 0) as "noShows", coalesce(gone, 0) as "left", coalesce(unseen, 0) as unseen, unseen_wait as "unseenWait", on_time as "onTime", coalesce(estimated, 0) as estimated,
      by_low as "byLow", by_high as "byHigh"
    from starts left join visits on visits.doctor_id is not distinct from starts.doctor_id and visits.week is not distinct from starts.week
    order by starts.week, "doctorName"`)) as unknown as Row[];
  const plain = ({ doctorId: _, doctorName: __, week: ___, ...figures }: Row): QueueFigures => figures;
  return {
    ...period,
    all: plain(rows.find(({ doctorId, week }) => doctorId === null && week === null)!),
    weeks: rows.flatMap((row) => (row.week === null ? [] : [{ ...plain(row), week: row.week }])),
    doctors: rows.flatMap((row) => (row.doctorId === null ? [] : [{ ...plain(row), doctorId: row.doctorId, doctorName: row.doctorName! }])),
  };
}

/** When a wait began. Who came before the booked time waits from that time on. */
const SINCE = sql.raw("greatest(e.arrived_at, case when e.kind = 'booked' then e.due_at end)");
/** Closed before their turn, or left. Whose appointment was cancelled or moved, also within the day, did not go home: it is in the figures as that. */
const WENT_HOME = sql.raw(
  "(e.state = 'unseen' or (e.state = 'left' and (a.id is null or (a.status <> 'cancelled' and a.date = s.date and not exists (select from queue_sessions os join queue_entries o on o.session_id = os.id where os.doctor_id = s.doctor_id and os.date = s.date and o.appointment_id = a.id and o.created_at > e.created_at)))))",
);
const MINUTES = (interval: SQL) => sql`extract(epoch from ${interval}) / 60`;

/** By doctor. Punctuality changes slowly, and a doctor's page is opened often. */
const known = ofDatabase(new LRUCache<string, { percent: number | null }>({ max: 10_000, ttl: hours(1) }));

/**
 * Returns how many percent of a doctor's booked patients were called on time in the last sessions that are closed; null below
 * `ON_TIME_SESSIONS` sessions. Read again after an hour.
 */
export async function getPunctuality(ctx: Ctx, doctorId: string): Promise<number | null> {
  const copy = known.get(doctorId);
  if (copy) return copy.percent;
  const [row] = (await ctx.db.execute<{ percent: number | null }>(sql`
    with s as (
      select id from queue_sessions where doctor_id = ${doctorId} and state = 'closed' and doctor_in_at is not null
        and exists (select from queue_entries e where e.session_id = queue_sessions.id and e.kind = 'booked' and e.called_at is not null)
      order by date desc limit ${ON_TIME_SESSIONS})
    select round(100.0 * avg((e.called_at <= e.due_at + ${ON_TIME_MINUTES} * interval '1 minute')::int))::int as percent
    from queue_entries e where e.session_id in (select id from s) and e.kind = 'booked' and e.called_at is not null
    having (select count(*) from s) >= ${ON_TIME_SESSIONS}`)) as unknown as { percent: number | null }[];
  const percent = row?.percent ?? null;
  known.set(doctorId, { percent });
  return percent;
}
