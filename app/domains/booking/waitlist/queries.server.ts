import { and, asc, desc, eq, gte, inArray, or, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, familyMembers, patients, waitlistEntries, waitlistOffers } from "#app/db/schema/index.ts";
import { isPrepaid } from "#app/domains/booking/cancellation/policies.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import { ageAt } from "#app/lib/age.ts";
import { type DateKey, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { days } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import { liveEntry } from "./entries.server.ts";

/** How long an entry that is over stays on the patient's page. */
const SHOWN_AFTER = days(7);

const common = () => ({
  id: waitlistEntries.id,
  state: waitlistEntries.state,
  patientName: waitlistEntries.patientName,
  fromDate: waitlistEntries.fromDate,
  untilDate: waitlistEntries.untilDate,
  parts: waitlistEntries.parts,
  doctorName: sql<string>`${inLanguage(doctors.fullName, doctors.translations, "name", language())}`,
  visit: { id: appointments.id, date: appointments.date, time: appointments.time },
  offer: { id: waitlistOffers.id, date: waitlistOffers.date, time: waitlistOffers.time, endsAt: waitlistOffers.endsAt },
});
const minute = <T extends { time: TimeKey }>(row: T | null) => row && { ...row, time: row.time.slice(0, 5) };

/** Returns until when an offer is open, as it is written: day and minute. */
const offerOf = (ctx: Ctx, offer: { id: string; date: DateKey; time: TimeKey; endsAt: Date } | null) =>
  offer && {
    id: offer.id,
    date: offer.date,
    time: offer.time.slice(0, 5),
    until: { date: todayInIndia(offer.endsAt), time: timeInIndia(offer.endsAt) },
    isOver: ctx.now >= offer.endsAt || hasStarted(ctx.now, offer),
  };

/** Returns the acting patient's entries: offers first, then in order; those that ended in the last week at the end. */
export async function listOwnEntries(ctx: Ctx<Actor>) {
  const rows = await ctx.db
    .select({
      ...common(),
      doctorId: waitlistEntries.doctorId,
      endReason: waitlistEntries.endReason,
      isPrepaid: isPrepaid(ctx, { doctorId: waitlistEntries.doctorId, practiceId: waitlistOffers.practiceId }),
      place: sql<number>`(select count(*)::int from waitlist_entries w where w.doctor_id = ${waitlistEntries.doctorId} and w.state not in ('taken', 'ended')
        and w.number <= ${waitlistEntries.number})`,
      live: sql<boolean>`${liveEntry}`.as("live"),
    })
    .from(waitlistEntries)
    .innerJoin(doctors, eq(doctors.id, waitlistEntries.doctorId))
    .leftJoin(appointments, eq(appointments.id, waitlistEntries.appointmentId))
    .leftJoin(waitlistOffers, and(eq(waitlistOffers.entryId, waitlistEntries.id), eq(waitlistOffers.state, "offered")))
    .where(
      and(
        eq(waitlistEntries.patientId, ctx.actor.userId),
        or(liveEntry, gte(waitlistEntries.endedAt, new Date(ctx.now.getTime() - SHOWN_AFTER))),
      ),
    )
    .orderBy(desc(sql`live`), desc(sql`${waitlistEntries.state} = 'offered'`), asc(waitlistEntries.number))
    .limit(30);
  return rows.map((row) => ({ ...row, visit: minute(row.visit), offer: offerOf(ctx, row.offer) }));
}
export type OwnEntry = Awaited<ReturnType<typeof listOwnEntries>>[number];

/** Returns true while the acting patient is on a waitlist. */
export async function isWaiting(ctx: Ctx<Actor>): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: waitlistEntries.id })
    .from(waitlistEntries)
    .where(and(eq(waitlistEntries.patientId, ctx.actor.userId), liveEntry))
    .limit(1);
  return row !== undefined;
}

/**
 * Returns the live entries of doctors, in the order in which times are offered. The caller has checked who may see them.
 * @param hospitalId only entries that a time at this place suits
 */
export async function listWaitlistOf(ctx: Ctx, doctorIds: string[], hospitalId?: string) {
  if (doctorIds.length === 0) return [];
  const rows = await ctx.db
    .select({
      ...common(),
      doctorId: waitlistEntries.doctorId,
      phone: waitlistEntries.patientPhone,
      age: waitlistEntries.patientAge,
      birthDate: waitlistEntries.patientBirthDate,
      gender: waitlistEntries.patientGender,
      since: waitlistEntries.createdAt,
    })
    .from(waitlistEntries)
    .innerJoin(doctors, eq(doctors.id, waitlistEntries.doctorId))
    .leftJoin(appointments, eq(appointments.id, waitlistEntries.appointmentId))
    .leftJoin(waitlistOffers, and(eq(waitlistOffers.entryId, waitlistEntries.id), eq(waitlistOffers.state, "offered")))
    .where(
      and(
        inArray(waitlistEntries.doctorId, doctorIds),
        liveEntry,
        hospitalId
          ? sql`(${waitlistEntries.practiceId} is null or ${waitlistEntries.practiceId} in (select p.id from practices p
              join doctors d on d.id = p.doctor_id where coalesce(p.hospital_id, d.hospital_id) = ${hospitalId}))`
          : undefined,
      ),
    )
    .orderBy(asc(doctors.fullName), asc(waitlistEntries.doctorId), asc(waitlistEntries.number))
    .limit(500);
  return rows.map(({ age, birthDate, ...row }) => ({
    ...row,
    age: ageAt(age, birthDate, todayInIndia(ctx.now)),
    since: todayInIndia(row.since),
    visit: minute(row.visit),
    offer: offerOf(ctx, row.offer),
  }));
}

/** Returns what the form of joining asks: the own details, the family, and the appointment to move. */
export async function getJoinForm(ctx: Ctx<Actor>, { doctorId, appointment }: { doctorId: string; appointment?: string | undefined }) {
  const mine = ctx.actor.userId;
  const [[own], family, [visit]] = await Promise.all([
    ctx.db
      .select({
        name: patients.name,
        hasAge: sql<boolean>`${patients.dateOfBirth} is not null`,
        hasGender: sql<boolean>`${patients.gender} is not null`,
      })
      .from(patients)
      .where(eq(patients.id, mine)),
    ctx.db
      .select({ id: familyMembers.id, name: familyMembers.name })
      .from(familyMembers)
      .where(eq(familyMembers.patientId, mine))
      .orderBy(asc(familyMembers.createdAt)),
    isUuid(appointment)
      ? ctx.db
          .select({
            id: appointments.id,
            practiceId: appointments.practiceId,
            date: appointments.date,
            time: appointments.time,
            status: appointments.status,
          })
          .from(appointments)
          .where(
            and(
              eq(appointments.id, appointment),
              eq(appointments.patientId, mine),
              eq(appointments.doctorId, doctorId),
              openVisit(appointments),
            ),
          )
      : [],
  ]);
  return {
    own: own ?? { name: null, hasAge: false, hasGender: false },
    family,
    visit: visit && !hasStarted(ctx.now, visit) ? { ...visit, time: visit.time.slice(0, 5) } : null,
  };
}
