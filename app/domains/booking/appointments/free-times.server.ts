import { and, asc, eq, gt, ne, or, type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { fullSlot } from "#app/db/schema/full-slot.ts";
import { availabilitySlots, doctors, hospitals, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { language } from "#app/lib/language.ts";
import { FREE_TIMES, type FreeTime, type ProposedTime } from "./proposal-times.ts";

/**
 * Which free times of a doctor. `on`: of this day. `after`: after it. `notIn`: not of this practice. `at`: of this practice. `only`: these. `but`: not this
 * one. `placeId`: at this place.
 */
export type FreeOf = {
  doctorId: string;
  on?: DateKey;
  after?: DateKey | undefined;
  notIn?: string | undefined;
  at?: string;
  only?: readonly ProposedTime[];
  but?: ProposedTime;
  placeId?: string;
};

const isFree = (ctx: Ctx, of: FreeOf): SQL | undefined =>
  and(
    eq(availabilitySlots.doctorId, of.doctorId),
    of.placeId ? eq(placeOfPractice, of.placeId) : undefined,
    startsLater(availabilitySlots, minuteInIndia(ctx.now)),
    of.on ? eq(availabilitySlots.date, of.on) : undefined,
    of.after ? gt(availabilitySlots.date, of.after) : undefined,
    of.notIn ? ne(availabilitySlots.practiceId, of.notIn) : undefined,
    of.at ? eq(availabilitySlots.practiceId, of.at) : undefined,
    of.but ? or(ne(availabilitySlots.date, of.but.date), ne(availabilitySlots.time, of.but.time)) : undefined,
    of.only
      ? sql`(${availabilitySlots.date}, ${availabilitySlots.time}) in (select o.date, o.time from jsonb_to_recordset(${JSON.stringify(of.only)}::jsonb) as o(date date, time time))`
      : undefined,
    sql`not ${fullSlot(availabilitySlots)}`,
  );

/** Returns the next days on which a doctor has free times, and how many. */
export const listFreeDays = (ctx: Ctx, of: FreeOf, most: number): Promise<{ date: DateKey; free: number }[]> =>
  ctx.db
    .select({ date: availabilitySlots.date, free: sql<number>`count(*)::int` })
    .from(availabilitySlots)
    .innerJoin(doctors, eq(doctors.id, availabilitySlots.doctorId))
    .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
    .where(isFree(ctx, of))
    .groupBy(availabilitySlots.date)
    .orderBy(asc(availabilitySlots.date))
    .limit(most);

/** Returns the practices in which a doctor has free times. */
export async function listFreePractices(ctx: Ctx, of: FreeOf): Promise<string[]> {
  const rows = await ctx.db
    .selectDistinct({ id: availabilitySlots.practiceId })
    .from(availabilitySlots)
    .innerJoin(doctors, eq(doctors.id, availabilitySlots.doctorId))
    .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
    .where(isFree(ctx, of));
  return rows.map(({ id }) => id);
}

/** Returns a doctor's next free times, in order. `most`: how many, FREE_TIMES by default. */
export async function listFreeTimes(ctx: Ctx, of: FreeOf & { most?: number }): Promise<FreeTime[]> {
  const rows = await ctx.db
    .select({
      date: availabilitySlots.date,
      time: availabilitySlots.time,
      practiceId: availabilitySlots.practiceId,
      place: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", language())}`,
    })
    .from(availabilitySlots)
    .innerJoin(doctors, eq(doctors.id, availabilitySlots.doctorId))
    .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(isFree(ctx, of))
    .orderBy(asc(availabilitySlots.date), asc(availabilitySlots.time))
    .limit(of.most ?? FREE_TIMES);
  return rows.map((row) => ({ ...row, time: row.time.slice(0, 5) }));
}
