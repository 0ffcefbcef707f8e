import { and, asc, eq, gte, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, calendarFeeds, doctors, hospitals, practices, users } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { BASE_LANGUAGE, language } from "#app/lib/language.ts";
import { feedOfDoctor, feedOfPatient } from "../appointments/schedule-ics.ts";

const KEY = /^[\w-]{32}$/;
/** Days before today that stay in the feed, so that a recent cancellation reaches calendars that load it rarely. */
const PAST_DAYS = 60;
const MOST_VISITS = 4_000;

/**
 * Returns the calendar of a key as iCalendar text, in its owner's language. The text changes only with the appointments. Counts wrong keys of an
 * address.
 * @throws DomainError("not-found" | "too-many")
 */
export async function openFeed(ctx: Ctx, key: string, origin: string): Promise<string> {
  const [owner] = KEY.test(key)
    ? await ctx.db
        .select({ id: users.id, role: users.role, language: users.language })
        .from(calendarFeeds)
        .innerJoin(users, and(eq(users.id, calendarFeeds.userId), eq(users.status, "active")))
        .where(eq(calendarFeeds.keyHash, hashToken(key)))
    : [];
  if (!owner) {
    await spendLimits(ctx, [{ limit: "feed-key-wrong", address: ctx.ip }]);
    throw new DomainError("not-found");
  }
  return withLanguage(owner.language ?? BASE_LANGUAGE, () => (owner.role === "doctor" ? ofDoctor : ofPatient)(ctx, owner.id, origin));
}

const visit = {
  id: appointments.id,
  date: appointments.date,
  time: sql<string>`to_char(coalesce(${appointments.expectedTime}, ${appointments.time}), 'HH24:MI')`,
  status: appointments.status,
  updatedAt: appointments.updatedAt,
};
const firstDay = (ctx: Ctx) => addDays(todayInIndia(ctx.now), -PAST_DAYS);

async function ofDoctor(ctx: Ctx, doctorId: string, origin: string): Promise<string> {
  const [[doctor], visits] = await Promise.all([
    ctx.db.select({ name: doctors.fullName }).from(doctors).where(eq(doctors.id, doctorId)),
    ctx.db
      .select({ ...visit, patientName: appointments.patientName })
      .from(appointments)
      .where(and(eq(appointments.doctorId, doctorId), gte(appointments.date, firstDay(ctx))))
      .orderBy(asc(appointments.date), asc(appointments.time), asc(appointments.id))
      .limit(MOST_VISITS),
  ]);
  return feedOfDoctor(visits, { origin, name: doctor?.name ?? "" });
}

async function ofPatient(ctx: Ctx, patientId: string, origin: string): Promise<string> {
  const visits = await ctx.db
    .select({
      ...visit,
      doctorName: inLanguage(doctors.fullName, doctors.translations, "name", language()),
      hospital: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", language())}`,
      address: sql<string | null>`${inLanguage(hospitals.address, hospitals.translations, "address", language())}`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .leftJoin(practices, eq(practices.id, appointments.practiceId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(and(eq(appointments.patientId, patientId), gte(appointments.date, firstDay(ctx))))
    .orderBy(asc(appointments.date), asc(appointments.time), asc(appointments.id))
    .limit(MOST_VISITS);
  return feedOfPatient(
    visits.map(({ hospital, address, ...rest }) => ({ ...rest, place: [hospital, address].filter(Boolean).join(", ") })),
    { origin },
  );
}
