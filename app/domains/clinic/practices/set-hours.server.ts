import { and, asc, eq, ne, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, hospitals, practiceHours, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { formatTime, weekdayLong } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import type { Span } from "./hours.ts";
import { reopenDays } from "./open-days.server.ts";
import { lockOwnPractice } from "./own-practice.server.ts";

/**
 * Replaces the weekly hours of the acting doctor's practice and opens their times for the next 60 days. Booked times stay, and days that the
 * doctor changed by hand. Without spans the practice has no weekly hours.
 * @throws DomainError("not-found" | "conflict" when the doctor is in another place at these hours)
 */
export function setHours(ctx: Ctx<Actor>, input: { id: string; spans: Span[] }): Promise<void> {
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, tx.actor.userId);
    const { id, doctorId } = await lockOwnPractice(tx, input.id);
    await refuseElsewhere(tx, { id, doctorId, spans: input.spans });
    await tx.db.delete(practiceHours).where(eq(practiceHours.practiceId, id));
    try {
      if (input.spans.length) await tx.db.insert(practiceHours).values(input.spans.map((span) => ({ ...span, practiceId: id, doctorId })));
    } catch (error) {
      if (violatedConstraint(error) === "practice_hours_one_place_at_a_time")
        throw new DomainError("conflict", m.practices_hours_elsewhere());
      throw error;
    }
    await reopenDays(tx, { doctorId, practiceId: id });
    await recordChange(tx, "set-hours", { people: { doctor: doctorId }, details: { practice: id, spans: input.spans.length } });
  });
}

/** Names the weekday and the place of other hours of the doctor at the same time. @throws DomainError("conflict") */
async function refuseElsewhere(tx: Ctx, { id, doctorId, spans }: { id: string; doctorId: string; spans: readonly Span[] }): Promise<void> {
  const others = await tx.db
    .select({
      weekday: practiceHours.weekday,
      from: practiceHours.from,
      until: practiceHours.until,
      place: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", language())}`,
    })
    .from(practiceHours)
    .innerJoin(practices, eq(practices.id, practiceHours.practiceId))
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(and(eq(practiceHours.doctorId, doctorId), ne(practiceHours.practiceId, id)))
    .orderBy(asc(practiceHours.weekday), asc(practiceHours.from));
  const same = others.find((other) =>
    spans.some(({ weekday, from, until }) => weekday === other.weekday && from < other.until.slice(0, 5) && other.from.slice(0, 5) < until),
  );
  if (!same) return;
  const [from, until] = [formatTime(same.from.slice(0, 5)), formatTime(same.until.slice(0, 5))];
  const place = same.place ?? m.practices_no_place();
  throw new DomainError("conflict", m.practices_hours_elsewhere_on({ day: weekdayLong(same.weekday), place, from, until }));
}
