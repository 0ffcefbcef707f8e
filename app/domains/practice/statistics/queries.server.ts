import { and, eq, gte, lte, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { appointments, availabilitySlots, doctors } from "#app/db/schema/index.ts";
import { missed } from "#app/domains/booking/appointments/rows.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { NOW, nowValues, openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { type DoctorStats, doctorStats, type StatsRange } from "./figures.ts";
import { firstEmptyWeek, type MissingPart, WINDOW } from "./next-steps.ts";

/**
 * Returns all figures of the acting doctor (defined in figures.ts). `range`: the months of the trend. Reads only the index
 * `appointments_doctor_status` and that of missed visits, whatever the size of the table.
 */
export async function getDoctorStats(ctx: Ctx<Actor>, range: StatsRange): Promise<DoctorStats> {
  const today = todayInIndia(ctx.now);
  const doctor = ctx.actor.userId;
  const [months, [person], [profile], [missing]] = await Promise.all([
    monthsOf(ctx).execute({ doctor, today, week: addDays(today, -6) }),
    patientsOf(ctx).execute({ doctor }),
    feeOf(ctx).execute({ doctor }),
    missedOf(ctx).execute({ doctor }),
  ]);
  const days = { todayAppointments: 0, todayEarnings: 0, weeklyEarnings: 0 };
  for (const row of months) for (const key of Object.keys(days) as (keyof typeof days)[]) days[key] += row[key];
  return doctorStats(
    { today, months, days, uniquePatients: person?.count ?? 0, consultationFee: profile?.fee ?? null, ...(missing && { missed: missing }) },
    range,
  );
}

const is = (status: string) => sql`${appointments.status} = ${sql.raw(`'${status}'`)}`;
const count = (where: ReturnType<typeof is>) => sql<number>`(count(*) filter (where ${where}))::int`;
// A sum of bigints is a numeric, which the driver returns as text. A double is exact for any doctor's earnings.
const fees = (where: ReturnType<typeof is>) => sql<number>`coalesce(sum(${appointments.fee}) filter (where ${where}), 0)::float8`;
// Groups by a date and formats it once a month: formatting it for every visit would cost more than reading them.
const firstDay = sql`date_trunc('month', ${appointments.date}::timestamp)`;
const month = sql<string>`to_char(${firstDay}, 'YYYY-MM')`;

const monthsOf = (ctx: Ctx) =>
  hot(ctx.db, "doctor_months", (db) =>
    db
      .select({
        month,
        pending: count(is("pending")),
        accepted: count(is("accepted")),
        completed: count(is("completed")),
        cancelled: count(is("cancelled")),
        earnings: fees(is("completed")),
        todayAppointments: count(sql`not ${is("cancelled")} and ${appointments.date} = ${sql.placeholder("today")}`),
        todayEarnings: fees(sql`${is("completed")} and ${appointments.date} = ${sql.placeholder("today")}`),
        weeklyEarnings: fees(
          sql`${is("completed")} and ${appointments.date} between ${sql.placeholder("week")} and ${sql.placeholder("today")}`,
        ),
      })
      .from(appointments)
      .where(eq(appointments.doctorId, sql.placeholder("doctor")))
      .groupBy(firstDay)
      .prepare("doctor_months"),
  );

const patientsOf = (ctx: Ctx) =>
  hot(ctx.db, "doctor_patients", (db) => {
    const persons = db
      .selectDistinct({
        account: appointments.patientId,
        name: sql`lower(btrim(${appointments.patientName}))`.as("name"),
      })
      .from(appointments)
      .where(and(eq(appointments.doctorId, sql.placeholder("doctor")), is("completed")))
      .as("persons");
    return db.select({ count: sql<number>`count(*)::int` }).from(persons).prepare("doctor_patients");
  });

/** Reads the index `appointments_missed`. */
const missedOf = (ctx: Ctx) =>
  hot(ctx.db, "doctor_missed", (db) =>
    db
      .select({ missed: sql<number>`count(*)::int`, cancelled: count(is("cancelled")) })
      .from(appointments)
      .where(and(eq(appointments.doctorId, sql.placeholder("doctor")), missed))
      .prepare("doctor_missed"),
  );

const feeOf = (ctx: Ctx) =>
  hot(ctx.db, "doctor_fee", (db) =>
    db
      .select({ fee: doctors.consultationFee })
      .from(doctors)
      .where(eq(doctors.id, sql.placeholder("doctor")))
      .prepare("doctor_fee"),
  );

export type NextSteps = {
  /** Pending requests from today on. */
  waiting: number;
  /** Open visits of past days. */
  unclosed: number;
  /** The first week from today without free slots; null for none in the next two weeks. */
  emptyWeek: { from: DateKey; until: DateKey } | null;
  /** Missing parts of the public profile. */
  missing: MissingPart[];
};

/** Returns suggested next steps for the acting doctor. */
export async function getNextSteps(ctx: Ctx<Actor>): Promise<NextSteps> {
  const today = todayInIndia(ctx.now);
  const doctor = ctx.actor.userId;
  const open = hot(ctx.db, "doctor_open", (db) =>
    db
      .select({
        waiting: count(sql`${is("pending")} and ${appointments.date} >= ${sql.placeholder("today")}`),
        unclosed: count(sql`${appointments.date} < ${sql.placeholder("today")} and ${appointments.noShowAt} is null`),
      })
      .from(appointments)
      .where(and(eq(appointments.doctorId, sql.placeholder("doctor")), openVisit(appointments)))
      .prepare("doctor_open"),
  );
  const slotDays = hot(ctx.db, "doctor_slot_days", (db) =>
    db
      .selectDistinct({ date: availabilitySlots.date })
      .from(availabilitySlots)
      .where(
        and(
          eq(availabilitySlots.doctorId, sql.placeholder("doctor")),
          gte(availabilitySlots.date, sql.placeholder("today")),
          lte(availabilitySlots.date, sql.placeholder("last")),
          startsLater(availabilitySlots, NOW),
        ),
      )
      .prepare("doctor_slot_days"),
  );
  const profile = hot(ctx.db, "doctor_missing", (db) =>
    db
      .select({
        about: sql<boolean>`${doctors.about} = ''`,
        fee: sql<boolean>`${doctors.consultationFee} is null`,
        photo: sql<boolean>`${doctors.photoFileId} is null`,
        languages: sql<boolean>`cardinality(${doctors.languages}) = 0`,
      })
      .from(doctors)
      .where(eq(doctors.id, sql.placeholder("doctor")))
      .prepare("doctor_missing"),
  );
  const [[counts], dates, [lacks]] = await Promise.all([
    open.execute({ doctor, today }),
    slotDays.execute({ doctor, last: addDays(today, WINDOW - 1), ...nowValues(ctx.now) }),
    profile.execute({ doctor }),
  ]);
  return {
    waiting: counts?.waiting ?? 0,
    unclosed: counts?.unclosed ?? 0,
    emptyWeek: firstEmptyWeek(
      dates.map((d) => d.date),
      today,
    ),
    missing: (["about", "fee", "photo", "languages"] as const).filter((part) => lacks?.[part]),
  };
}
