import { and, asc, gte, isNull, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { fullSlot } from "#app/db/schema/full-slot.ts";
import { appointments, availabilitySlots, doctors, patients } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { missed } from "#app/domains/booking/appointments/rows.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { addDays, type DateKey, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { type Figures, NO_FIGURES, type WeekFigures, type WeekRange, weeksUntil } from "./figures.ts";

/** How many doctors without free times the page names. */
const NAMED = 50;

type PlatformFigures = { weeks: WeekFigures[]; total: Figures };

/**
 * Returns the figures of the last weeks, this week last, and of all of them together. Reads the rows of these weeks by the indexes
 * `appointments_created` and `patients_created`. @throws DomainError("forbidden")
 */
export async function getPlatformFigures(ctx: Ctx<Actor>, count: WeekRange): Promise<PlatformFigures> {
  requireAdmin(ctx);
  const mondays = weeksUntil(todayInIndia(ctx.now), count);
  const since = instantInIndia(mondays[0]!, "00:00");
  const [visits, accounts, verified] = await Promise.all([visitsSince(ctx, since), patientsSince(ctx, since), doctorsSince(ctx, since)]);
  const of = (week: DateKey | null): Figures => {
    const own = <T extends { week: DateKey | null }>(rows: T[]) => rows.find((row) => row.week === week);
    const { week: _, ...counts } = own(visits) ?? { week };
    return { ...NO_FIGURES, ...counts, newPatients: own(accounts)?.count ?? 0, newDoctors: own(verified)?.count ?? 0 };
  };
  return { weeks: mondays.map((week) => ({ ...of(week), week })), total: of(null) };
}

/** Returns listed doctors who have no free time today and in the six days after: how many, and the first by name. @throws DomainError("forbidden") */
export async function listDoctorsWithoutTimes(ctx: Ctx<Actor>) {
  requireAdmin(ctx);
  const today = todayInIndia(ctx.now);
  const free = ctx.db
    .select({ one: sql`1` })
    .from(availabilitySlots)
    .where(
      and(
        sql`${availabilitySlots.doctorId} = ${doctors.id}`,
        sql`${availabilitySlots.date} between ${today} and ${addDays(today, 6)}`,
        startsLater(availabilitySlots, minuteInIndia(ctx.now)),
        sql`not ${fullSlot(availabilitySlots)}`,
      ),
    );
  const rows = await ctx.db
    .select({ id: doctors.id, name: doctors.fullName, total: sql<number>`(count(*) over ())::int` })
    .from(doctors)
    .where(and(listedDoctor(doctors), sql`not exists (${free})`))
    .orderBy(asc(doctors.fullName), asc(doctors.id))
    .limit(NAMED);
  return { total: rows[0]?.total ?? 0, rows: rows.map(({ id, name }) => ({ id, name })) };
}

function requireAdmin(ctx: Ctx<Actor>) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
}

/** SQL: the Monday of an instant's week in India. */
const weekOf = (at: AnyPgColumn) => sql`date_trunc('week', ${at} at time zone 'Asia/Kolkata')::date`;
const week = (at: AnyPgColumn) => sql<DateKey | null>`to_char(${weekOf(at)}, 'YYYY-MM-DD')`;
/** SQL: a row for each week, and one for all rows together, whose week is null. */
const eachAndAll = (at: AnyPgColumn) => sql`grouping sets ((${weekOf(at)}), ())`;
const all = sql<number>`count(*)::int`;
const where = (condition: ReturnType<typeof sql>) => sql<number>`(count(*) filter (where ${condition}))::int`;

const visitsSince = (ctx: Ctx, since: Date) => {
  const t = appointments;
  const cancelled = sql`${t.status} = 'cancelled'`;
  // Moved by the doctor or booked for a caller: accepted by that, without a request that waited.
  const accepted = sql`${t.acceptedAt} is not null and ${t.movedAt} is null and not ${t.forCaller}`;
  return ctx.db
    .select({
      week: week(t.createdAt),
      bookings: all,
      acceptance: sql<
        number | null
      >`round(percentile_cont(0.5) within group (order by extract(epoch from ${t.acceptedAt} - ${t.createdAt}) / 60)
        filter (where ${accepted}))::int`,
      cancelledByPatient: where(sql`${cancelled} and ${t.cancelledBy} = 'patient'`),
      cancelledByDoctor: where(sql`${cancelled} and ${t.cancelledBy} = 'doctor'`),
      cancelledByOthers: where(sql`${cancelled} and coalesce(${t.cancelledBy}, '') not in ('patient', 'doctor')`),
      missed: where(missed),
    })
    .from(t)
    .where(gte(t.createdAt, since))
    .groupBy(eachAndAll(t.createdAt));
};

const patientsSince = (ctx: Ctx, since: Date) =>
  ctx.db
    .select({ week: week(patients.createdAt), count: all })
    .from(patients)
    .where(and(gte(patients.createdAt, since), isNull(patients.unclaimedSince)))
    .groupBy(eachAndAll(patients.createdAt));

const doctorsSince = (ctx: Ctx, since: Date) =>
  ctx.db
    .select({ week: week(doctors.verifiedAt), count: all })
    .from(doctors)
    .where(gte(doctors.verifiedAt, since))
    .groupBy(eachAndAll(doctors.verifiedAt));
