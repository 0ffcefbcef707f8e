import { and, asc, eq, gte, ne, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { availabilitySlots, doctors, hospitals, practiceDays, practiceHours, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type DateKey, type TimeKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { Span } from "./hours.ts";

/** Returns the acting doctor's open practices with place and fee, the first one first. @param id only this one */
export async function listPractices(ctx: Ctx<Actor>, id?: string) {
  const spoken = language();
  const rows = await ctx.db
    .select({
      id: practices.id,
      state: practices.state,
      isFirst: sql<boolean>`${practices.id} = ${practices.doctorId}`,
      place: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", spoken)}`,
      address: sql<string | null>`${inLanguage(hospitals.address, hospitals.translations, "address", spoken)}`,
      city: hospitals.city,
      /** An administrator has yet to confirm the place. */
      isEntered: sql<boolean>`coalesce(${hospitals.status} = 'pending', false)`,
      /** Paise. null: none given. */
      fee: sql<number | null>`coalesce(${practices.fee}, ${doctors.consultationFee})::float8`,
      /** null: the fee of the profile. */
      ownFee: practices.fee,
      slotMinutes: practices.slotMinutes,
      patientsPerSlot: practices.patientsPerSlot,
      mode: practices.mode,
      seatsPerSession: practices.seatsPerSession,
    })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(and(eq(practices.doctorId, ctx.actor.userId), ne(practices.state, "closed"), id ? eq(practices.id, id) : undefined))
    .orderBy(sql`${practices.id} <> ${practices.doctorId}`, asc(practices.createdAt));
  const spans = await ctx.db
    .select({ practiceId: practiceHours.practiceId, weekday: practiceHours.weekday, from: practiceHours.from, until: practiceHours.until })
    .from(practiceHours)
    .where(eq(practiceHours.doctorId, ctx.actor.userId))
    .orderBy(asc(practiceHours.weekday), asc(practiceHours.from));
  const minute = (time: string): TimeKey => time.slice(0, 5);
  return rows.map((row) => ({
    ...row,
    hours: spans
      .filter((span) => span.practiceId === row.id)
      .map(({ weekday, from, until }): Span => ({ weekday, from: minute(from), until: minute(until) })),
  }));
}
export type PracticeRow = Awaited<ReturnType<typeof listPractices>>[number];

/** Returns one of them. @throws DomainError("not-found") */
export async function getPractice(ctx: Ctx<Actor>, id: string | undefined): Promise<PracticeRow> {
  const [row] = isUuid(id) ? await listPractices(ctx, id) : [];
  if (!row) throw new DomainError("not-found");
  return row;
}

/** Returns the days from today on that the doctor changed by hand in a practice, with how many times each has. The caller has checked the owner. */
export async function listChangedDays(ctx: Ctx, practiceId: string): Promise<{ date: DateKey; times: number; until: TimeKey | null }[]> {
  const rows = await ctx.db
    .select({
      date: practiceDays.date,
      times: sql<number>`count(${availabilitySlots.time})::int`,
      last: sql<string | null>`max(${availabilitySlots.time})`,
    })
    .from(practiceDays)
    .innerJoin(practices, eq(practices.id, practiceDays.practiceId))
    .leftJoin(
      availabilitySlots,
      and(
        eq(availabilitySlots.doctorId, practices.doctorId),
        eq(availabilitySlots.date, practiceDays.date),
        eq(availabilitySlots.practiceId, practices.id),
      ),
    )
    .where(and(eq(practiceDays.practiceId, practiceId), gte(practiceDays.date, todayInIndia(ctx.now))))
    .groupBy(practiceDays.date)
    .orderBy(asc(practiceDays.date))
    .limit(30);
  return rows.map(({ last, ...row }) => ({ ...row, until: last?.slice(0, 5) ?? null }));
}
