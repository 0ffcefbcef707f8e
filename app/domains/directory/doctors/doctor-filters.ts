/** Filters of the doctor list in the address: `?day=today&fee=500&language=Telugu&gender=female&within=10`. */
import { LANGUAGE_CHOICES } from "#app/lib/vocabulary.ts";

export const FREE_DAYS = ["today", "tomorrow"] as const;
/** Rupees. */
export const MOST_FEES = ["300", "500", "800"] as const;
export const DOCTOR_GENDERS = ["female", "male"] as const;
/** Kilometres. */
export const MOST_KM = ["5", "10", "25"] as const;

/** Their values, in the order of the form. */
export const DOCTOR_FILTERS = {
  day: FREE_DAYS,
  fee: MOST_FEES,
  within: MOST_KM,
  gender: DOCTOR_GENDERS,
  language: LANGUAGE_CHOICES,
} as const;
type Filters = typeof DOCTOR_FILTERS;
export type FilterName = keyof Filters;
/** The chosen value of each filter; null for any. */
export type DoctorFilters = { [Name in FilterName]: Filters[Name][number] | null };
export const FILTER_NAMES = Object.keys(DOCTOR_FILTERS) as FilterName[];

/** Reads the filters of an address. Ignores unknown values. */
export const readDoctorFilters = (query: URLSearchParams): DoctorFilters =>
  Object.fromEntries(
    FILTER_NAMES.map((name) => [name, DOCTOR_FILTERS[name].find((value) => value === query.get(name)) ?? null]),
  ) as DoctorFilters;

/** Returns the names of the filters in use. */
export const filtersInUse = (filters: DoctorFilters): FilterName[] => FILTER_NAMES.filter((name) => filters[name] !== null);
