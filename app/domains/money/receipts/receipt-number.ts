import type { DateKey } from "#app/lib/dates.ts";

/** Returns the Indian financial year (April to March) of a day: "2026-27". */
export function financialYearOf(date: DateKey): string {
  const year = Number(date.slice(0, 4)) - (date.slice(5, 7) < "04" ? 1 : 0);
  return `${year}-${String((year + 1) % 100).padStart(2, "0")}`;
}

/** "2026-27/000418" */
export const receiptNumber = ({ financialYear, number }: { financialYear: string; number: number }): string =>
  `${financialYear}/${String(number).padStart(6, "0")}`;
