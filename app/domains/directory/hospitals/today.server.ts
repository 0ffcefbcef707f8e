import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { fullSlot, takenSeats } from "#app/db/schema/full-slot.ts";
import { availabilitySlots, doctors, practices } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import { language } from "#app/lib/language.ts";

/** Doctors and times of one page. The page of all doctors has the others. */
const MOST_DOCTORS = 12;
const MOST_TIMES = 6;

export type DoctorToday = {
  id: string;
  name: string;
  specialization: string;
  languages: string[];
  /** Paise; null: none given. */
  fee: number | null;
  /** The practice, when it is not the doctor's first. */
  practiceId?: string;
  /** The first free times of today. Empty where the place gives tokens. */
  times: TimeKey[];
  /** Free times of today, with those not in `times`. Where the place gives tokens: tokens left today. */
  free: number;
  givesTokens: boolean;
  /** The next free time of another day; null for none, or when there is one today. */
  next: { date: DateKey; time: TimeKey } | null;
};

/** Returns the doctors of a hospital with what is free there today: first those with the most. Does not check that the hospital is listed. */
export async function listDoctorsToday(ctx: Ctx, hospitalId: string): Promise<DoctorToday[]> {
  const { date: today, time } = minuteInIndia(ctx.now);
  const later = startsLater({ date: sql`s.date`, time: sql`s.time` }, { date: today, time });
  const slot = { doctorId: sql`s.doctor_id`, date: sql`s.date`, time: sql`s.time`, seats: sql`s.seats`, tokens: sql`s.tokens` };
  // As in doctors/doctor-conditions.server.ts: the case makes PostgreSQL walk the key of the slots in its order.
  const isFree = sql`case when s.practice_id = ${practices.id} then not ${fullSlot(slot)} else false end`;
  const from = (where: SQL) => sql`from ${availabilitySlots} s where s.doctor_id = ${practices.doctorId} and ${where} and ${later}`;
  const isToday = sql`s.date = ${today}::date`;
  const free = sql<number>`${sql`(select coalesce(sum(case when ${practices.mode} = 'tokens' then s.seats - ${takenSeats(slot)} else 1 end), 0)::int ${from(sql`${isToday} and ${isFree}`)})`}`;
  const rows = await ctx.db
    .select({
      id: doctors.id,
      name: inLanguage(doctors.fullName, doctors.translations, "name", language()),
      specialization: doctors.primarySpecialization,
      languages: doctors.languages,
      fee: sql<number | null>`coalesce(${practices.fee}, ${doctors.consultationFee})::float8`,
      practiceId: practices.id,
      mode: practices.mode,
      free: free.as("free"),
      times: sql<
        string[]
      >`${sql`array(select to_char(s.time, 'HH24:MI') ${from(sql`${isToday} and ${isFree}`)} order by s.time limit ${MOST_TIMES})`}`,
      next: sql<
        string | null
      >`${sql`(select s.date || ' ' || to_char(s.time, 'HH24:MI') ${from(isFree)} order by s.date, s.time limit 1)`}`,
    })
    .from(practices)
    .innerJoin(doctors, and(eq(doctors.id, practices.doctorId), listedDoctor(doctors)))
    .where(
      and(
        eq(practices.state, "active"),
        // The first practice has the doctor's id, and its place is that of the profile.
        sql`${practices.id} in (select d.id from doctors d where d.hospital_id = ${hospitalId} union all select p.id from practices p where p.hospital_id = ${hospitalId})`,
      ),
    )
    .orderBy(desc(sql`free`), asc(doctors.fullName), asc(practices.id))
    .limit(MOST_DOCTORS);
  return rows.map(({ practiceId, mode, next, times, ...doctor }) => ({
    ...doctor,
    ...(practiceId !== doctor.id && { practiceId }),
    times: mode === "tokens" ? [] : times,
    givesTokens: mode === "tokens",
    next: next && doctor.free === 0 ? { date: next.slice(0, 10), time: next.slice(11) } : null,
  }));
}
