import { financialYearOf } from "#app/domains/money/receipts/receipt-number.ts";
import { todayInIndia } from "#app/lib/dates.ts";

const named = (start: number): string => financialYearOf(`${start}-04-01`);
const startOf = (year: string): number => Number(year.slice(0, 4));

/** Returns the financial year of `?year=` ("2026-27"), not in the future; the current one for other text. */
export function feeYear(request: Request, now: Date): string {
  const current = financialYearOf(todayInIndia(now));
  const asked = new URL(request.url).searchParams.get("year") ?? "";
  return /^2\d{3}-\d{2}$/.test(asked) && asked === named(startOf(asked)) && asked <= current ? asked : current;
}

/** Returns the financial years before and after one; null after the current one. */
export const yearsAround = (year: string, now: Date): { before: string; after: string | null } => ({
  before: named(startOf(year) - 1),
  after: year < financialYearOf(todayInIndia(now)) ? named(startOf(year) + 1) : null,
});
