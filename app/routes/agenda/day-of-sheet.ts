import { type DateKey, isDateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";

/** Reads the day of a URL: one in the years of the calendar pages. PostgreSQL has others that we could not format. @throws DomainError("not-found") */
export function dayOfSheet(date: string): DateKey {
  if (!isDateKey(date) || date < "2000-01-01" || date > "2099-12-30") throw new DomainError("not-found");
  return date;
}
