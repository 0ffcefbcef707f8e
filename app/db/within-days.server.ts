import { and, type Column, gte, lt, type SQL } from "drizzle-orm";
import { addDays, instantInIndia } from "#app/lib/dates.ts";

/** Compares an instant with a range of days in India, both included. Either end can be open. */
export const isWithinDays = (column: Column, { from, to }: { from?: string | undefined; to?: string | undefined }): SQL | undefined =>
  and(from ? gte(column, instantInIndia(from, "00:00")) : undefined, to ? lt(column, instantInIndia(addDays(to, 1), "00:00")) : undefined);
