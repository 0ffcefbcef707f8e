import { and, asc, eq, gt, ne, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { fullSlot } from "#app/db/schema/full-slot.ts";
import { availabilitySlots, doctors, hospitals, practices } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { language } from "#app/lib/language.ts";
import type { FreeTime, ProposedTime } from "./proposal-times.ts";

/** Enough for a page on which the days of months ahead are reached. */
export const MONTHS_OF_TIMES = 1500;

/** Returns a doctor's next free times of all practices, in order. `after`: only those after this day. `notIn`: not those of this practice. `at`: only those of this practice. `only`: those of these. `placeId`: only those at this place. `most`: how many, 120 by default. */
export async function listFreeTimes(
  ctx: Ctx,
  of: {
    doctorId: string;
    after?: DateKey | undefined;
    notIn?: string | undefined;
    at?: string;
    only?: readonly ProposedTime[];
    placeId?: string;
    most?: number;
  },
): Promise<FreeTime[]> {
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
    .leftJoin(hospitals, eq(hospitals.id, sql`coalesce(${practices.hospitalId}, ${doctors.hospitalId})`))
    .where(
      and(
        eq(availabilitySlots.doctorId, of.doctorId),
        of.placeId ? sql`coalesce(${practices.hospitalId}, ${doctors.hospitalId}) = ${of.placeId}` : undefined,
        startsLater(availabilitySlots, minuteInIndia(ctx.now)),
        of.after ? gt(availabilitySlots.date, of.after) : undefined,
        of.notIn ? ne(availabilitySlots.practiceId, of.notIn) : undefined,
        of.at ? eq(availabilitySlots.practiceId, of.at) : undefined,
        of.only
          ? sql`(${availabilitySlots.date}, ${availabilitySlots.time}) in (select o.date, o.time from jsonb_to_recordset(${JSON.stringify(of.only)}::jsonb) as o(date date, time time))`
          : undefined,
        sql`not ${fullSlot(availabilitySlots)}`,
      ),
    )
    .orderBy(asc(availabilitySlots.date), asc(availabilitySlots.time))
    .limit(of.most ?? 120);
  return rows.map((row) => ({ ...row, time: row.time.slice(0, 5) }));
}
