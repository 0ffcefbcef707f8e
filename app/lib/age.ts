/**
 * The age of a patient, as the product stores and writes it. A birth date gives days below one month, weeks below two months, months below
 * two years, then years. Without a birth date the age is the typed one, in years.
 */

import { m } from "#app/paraglide/messages.js";
import { type DateKey, daysBetween, monthsBetween } from "./dates.ts";

/** `about`: counted on from an age that was typed in an earlier year. */
export type Age = { count: number; unit: "days" | "weeks" | "months" | "years"; about?: boolean };

/** Below this the age is written in months, weeks or days. */
const CHILD_MONTHS = 24;

/** Returns the age on a day. A day before the birth counts as the day of birth. */
export function ageFrom(birthDate: DateKey, on: DateKey): Age {
  const months = Math.max(0, monthsBetween(birthDate, on));
  if (months >= CHILD_MONTHS) return { count: Math.floor(months / 12), unit: "years" };
  if (months >= 2) return { count: months, unit: "months" };
  const days = Math.max(0, daysBetween(birthDate, on));
  return months === 1 ? { count: Math.floor(days / 7), unit: "weeks" } : { count: days, unit: "days" };
}

/** Returns the age on a day of a patient with this stored age in years. The birth date takes precedence. */
export const ageAt = (years: number, birthDate: DateKey | null | undefined, on: DateKey): Age =>
  birthDate ? ageFrom(birthDate, on) : { count: years, unit: "years" };

/** True for a child whose age is written in months, weeks or days: a form asks for the birth date and no age in years. */
export const isSmallChild = (birthDate: DateKey, on: DateKey): boolean => ageFrom(birthDate, on).unit !== "years";

/** Returns the age in years that the specification stores, 1 to 120 (spec 001 §5): a child below one year counts as 1. */
export const specifiedYears = (birthDate: DateKey, on: DateKey): number =>
  Math.min(120, Math.max(1, Math.floor(monthsBetween(birthDate, on) / 12)));

/** "12 days", "6 weeks", "7 months", "8 years", "about 65 years", "under 1 year". Never 0. */
export function ageWord({ count, unit, about }: Age): string {
  if (count === 0) return unit === "days" ? m.age_under_day() : m.age_under_year();
  const age = WORDS[unit]({ count });
  return about ? m.age_about({ age }) : age;
}
const WORDS: Record<Age["unit"], (of: { count: number }) => string> = {
  days: (of) => m.age_days(of),
  weeks: (of) => m.age_weeks(of),
  months: (of) => m.age_months(of),
  years: (of) => m.age_years(of),
};
