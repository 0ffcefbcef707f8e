/** Conditions of the doctor list in SQL. */
import { eq, or, type SQL, sql } from "drizzle-orm";
import { fullSlot } from "#app/db/schema/full-slot.ts";
import { availabilitySlots, doctors } from "#app/db/schema/index.ts";
import { NOW, startsLater } from "#app/domains/visit-time.server.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { isWithin, withinValues } from "../near.ts";
import { GENERALIST_CATEGORIES, GENERALISTS, OTHER_FIELD, specialtyOfCategory } from "../specialties.ts";
import type { DoctorKind } from "../symptoms/doctor-kinds.ts";
import type { DoctorFilters } from "./doctor-filters.ts";

const listOf = (names: readonly string[]): SQL => sql.raw(`(${names.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ")})`);

/** SQL: a general physician, pediatrician or family doctor. A specialist who registered as "General" is none. */
const isGeneralist: SQL = sql`(${doctors.primarySpecialization} in ${listOf(GENERALISTS)} or (${doctors.category} in ${listOf(GENERALIST_CATEGORIES)} and ${doctors.primarySpecialization} !~* ${sql.raw(`'${OTHER_FIELD}'`)}))`;

/** SQL: belongs to the category in the placeholder `category`. `category`: which one, because "General" has a rule of its own. */
export const inCategory = (category: string): SQL =>
  category === "General" ? isGeneralist : eq(doctors.category, sql.placeholder("category"));

/** SQL: treats what a search means, with the values of `kindValues`. */
export function treats({ category }: DoctorKind): SQL {
  if (category === "General") return isGeneralist;
  const hasSpecialty = eq(doctors.primarySpecialization, sql.placeholder("kind"));
  return category ? sql`(${or(eq(doctors.category, sql.placeholder("kindCategory")), hasSpecialty)})` : hasSpecialty;
}
/** Identifies the SQL of `treats`. */
export const kindShape = ({ category }: DoctorKind): string => (category === "General" ? "g" : category ? "k" : "n");
export const kindValues = (kind: DoctorKind | undefined) => ({
  kind: kind ? (kind.specialty ?? (kind.category && specialtyOfCategory(kind.category)) ?? kind.label) : null,
  kindCategory: kind?.category ?? null,
});

/** Filters of one statement: a placeholder without a value excludes nothing. Not the day, which is in `isFreeOn`. */
export function filterConditions(filters: Partial<DoctorFilters>): { conditions: SQL[]; shape: string } {
  const { fee, gender, language, within } = filters;
  const conditions: SQL[] = [];
  const [most, sex, spoken] = [sql.placeholder("fee"), sql.placeholder("gender"), sql.placeholder("spoken")];
  if (fee || gender || language)
    conditions.push(
      sql`(${most}::bigint is null or ${doctors.consultationFee} <= ${most}::bigint)`,
      sql`(${sex}::text is null or ${doctors.gender} = ${sex}::text)`,
      sql`(${spoken}::text is null or ${spoken}::text = any(${doctors.languages}))`,
    );
  if (within) conditions.push(isWithin(doctors));
  return { conditions, shape: [conditions.length > (within ? 1 : 0) && "f", within && "w"].filter(Boolean).join("") };
}
export function filterValues({ day, fee, gender, language, within }: Partial<DoctorFilters>, now: Date) {
  const today = todayInIndia(now);
  const freeOn: DateKey | null = day ? addDays(today, day === "tomorrow" ? 1 : 0) : null;
  return {
    fee: fee ? Number(fee) * 100 : null,
    gender: gender ?? null,
    spoken: language ?? null,
    freeOn,
    ...withinValues(within ? Number(within) : undefined),
  };
}

const notFull = sql`not ${fullSlot({ doctorId: sql`s.doctor_id`, date: sql`s.date`, time: sql`s.time`, seats: sql`s.seats`, tokens: sql`s.tokens` })}`;
/**
 * A case, because PostgreSQL would else expect hardly any row, or use the index of the exclusion constraint, which has no order. Both sort all
 * times of the doctor.
 */
const freeIn = (practiceId: SQL) => sql`case when s.practice_id = ${practiceId} then ${notFull} else false end`;
const from = (where: SQL) =>
  sql`from ${availabilitySlots} s where s.doctor_id = ${doctors.id} and ${where} and ${startsLater({ date: sql`s.date`, time: sql`s.time` }, NOW)}`;

/**
 * SQL: the first free slot of a practice as "2026-11-22 10:30", or null. Walks the primary key of the slots from now on and stops at the first.
 */
export const nextFreeAt = (practiceId: SQL) =>
  sql<string | null>`(select s.date || ' ' || to_char(s.time, 'HH24:MI') ${from(freeIn(practiceId))} order by s.date, s.time limit 1)`;

const freeDayAfter = (day: SQL, free: SQL) =>
  sql`(select s.date ${from(sql`${free} and s.date > ${day}`)} order by s.date, s.time limit 1)`;
const nextTimesOf = (free: SQL) => sql<string[]>`array(
  with recursive days(date, n) as (
    select ${freeDayAfter(sql`'-infinity'::date`, free)}, 1
    union all select ${freeDayAfter(sql`days.date`, free)}, days.n + 1 from days where days.n < 3 and days.date is not null
  )
  select days.date || ' ' || to_char(free.time, 'HH24:MI')
  from days cross join lateral (select s.time ${from(sql`s.date = days.date and ${free}`)} order by s.time limit 2) free
  order by days.date, free.time)`;
/**
 * SQL: the next free slots of all practices as ["2026-11-22 10:30", …]: two of each of the next three days that have one. Walks the same index as
 * `nextFreeAt`, and for each day stops at the second.
 */
export const nextTimes = nextTimesOf(notFull);
/** SQL: the same of one practice. */
export const nextTimesAt = (practiceId: SQL) => nextTimesOf(freeIn(practiceId));

/** SQL: a practice has a free slot on the day in the placeholder `freeOn`. */
export const isFreeOnDayAt = (practiceId: SQL): SQL =>
  sql`exists (select 1 ${from(sql`s.date = ${sql.placeholder("freeOn")}::date and ${freeIn(practiceId)}`)})`;
