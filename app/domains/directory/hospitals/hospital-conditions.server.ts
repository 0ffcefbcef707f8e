/** Conditions of the hospital list in SQL. */
import { type SQL, sql } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { weekdayOf } from "#app/lib/dates.ts";

const ROUND_THE_CLOCK = sql.raw("'24 *(hours|hrs|x *7|/ *7)'");

/** SQL: a hospital that says it is open around the clock, or names emergency care. */
export const hasEmergency: SQL = sql`(${hospitals.category} = 'Hospital' and (${hospitals.workingHours} ~* ${ROUND_THE_CLOCK} or ${hospitals.specialties} && array['Emergency Medicine', 'Emergency']))`;

const DAY = "(mon|tue|wed|thu|fri|sat|sun)[a-z]*";
const TIME = "(?<![0-9:.])(0?[1-9]|1[0-2])(?:[:.]([0-5][0-9]))? *(am|pm)";
const TO = " *(?:-|–|to) *";
/** "Mon-Sat 9:00 AM - 6:00 PM", "Sun 10 am to 1 pm", or hours without a day. */
const HOURS = sql.raw(`'(?:${DAY}(?:${TO}${DAY})?[ ,:]+)?${TIME}${TO}${TIME}'`);
const dayOf = (part: number) => sql.raw(`(strpos('montuewedthufrisatsun', lower(p[${part}])) + 2) / 3`);
const minuteOf = (part: number) =>
  sql.raw(`((p[${part}]::int % 12) + case when lower(p[${part + 2}]) = 'pm' then 12 else 0 end) * 60 + coalesce(p[${part + 1}], '0')::int`);

/**
 * SQL: open at the placeholders `weekday` (1 is Monday) and `minute`, by the working hours, which are a text. Hours that cannot be
 * read are not open.
 */
export const isOpenNow: SQL = sql`(${hospitals.workingHours} ~* ${ROUND_THE_CLOCK} or exists (
  select 1 from regexp_matches(${hospitals.workingHours}, ${HOURS}, 'gi') as hours(p),
    lateral (select ${dayOf(1)} as first, coalesce(${dayOf(2)}, ${dayOf(1)}) as last, ${minuteOf(3)} as opens, ${minuteOf(6)} as closes) at
  where ${sql.placeholder("minute")}::int >= opens and (${sql.placeholder("minute")}::int < closes or closes <= opens)
    and (first is null or case when first <= last
      then ${sql.placeholder("weekday")}::int between first and last
      else ${sql.placeholder("weekday")}::int >= first or ${sql.placeholder("weekday")}::int <= last end)))`;

/** Values of the placeholders of `isOpenNow`. */
export function openValues(now: Date) {
  const { date, time } = minuteInIndia(now);
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return { weekday: weekdayOf(date) || 7, minute: hours * 60 + minutes };
}
