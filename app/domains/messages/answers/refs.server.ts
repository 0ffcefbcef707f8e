/** Doctors and appointments as conversations refer to them, in the current language. */
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, hospitals, practices, waitlistEntries, waitlistOffers } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { MOVED_BY_CLINIC, openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { type Cancellable, cancelDeadline, isCancellable, minuteInIndia } from "#app/domains/visit-time.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { language } from "#app/lib/language.ts";
import { hasIndicLetters, romanisations, soundKey } from "#app/lib/sound.ts";
import type { AppointmentRef, DoctorRef, OfferRef } from "../conversation/conversation.ts";
import { wordsIn } from "../conversation/incoming-words.ts";
import { KEYWORD_FORM, mayBeKeyword } from "../keywords/keyword.schema.ts";

const doctorColumns = () => ({
  doctorId: practices.doctorId,
  practiceId: practices.id,
  hospitalId: hospitals.id,
  name: sql<string>`${inLanguage(doctors.fullName, doctors.translations, "name", language())}`,
  place: sql<string>`coalesce(${inLanguage(hospitals.name, hospitals.translations, "name", language())}, ${doctors.city})`,
  keyword: practices.keyword,
  fee: sql<number | null>`coalesce(${practices.fee}, ${doctors.consultationFee})::float8`,
});

/** Returns doctors at their places who can be booked. */
export async function listDoctorRefs(ctx: Ctx, where: SQL | undefined, most = 20): Promise<DoctorRef[]> {
  return ctx.db
    .select(doctorColumns())
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(and(listedDoctor(doctors), eq(practices.state, "active"), where))
    .orderBy(asc(practices.createdAt), asc(practices.id))
    .limit(most);
}

/** Returns the doctor whose keyword begins a message, or follows its greeting. In Telugu or Hindi it is compared by sound. null: none, or two. */
export async function findByKeyword(ctx: Ctx, text: string): Promise<DoctorRef | null> {
  const words = wordsIn(text).slice(0, 2).filter(mayBeKeyword);
  const latin = words.map((word) => word.toUpperCase()).filter((word) => KEYWORD_FORM.test(word));
  const sounds = words
    .filter(hasIndicLetters)
    .flatMap(romanisations)
    .map(soundKey)
    .filter((sound) => sound.length > 1);
  if (!latin.length && !sounds.length) return null;
  const found = await listDoctorRefs(
    ctx,
    sql`(${practices.keyword} = any(string_to_array(${latin.join("|")}, '|')) or search_sound(${practices.keyword}) = any(string_to_array(${sounds.join("|")}, '|')))`,
    2,
  );
  return found.length === 1 ? found[0]! : null;
}

const visitColumns = () => ({
  ...doctorColumns(),
  id: appointments.id,
  date: appointments.date,
  time: appointments.time,
  status: appointments.status,
  refundHours: appointments.refundHours,
  moved: MOVED_BY_CLINIC,
  delisted: sql<boolean>`not ${listedDoctor(doctors)}`,
  phone: hospitals.phone,
});
type VisitRow = { id: string; date: string; time: string; phone: string | null } & DoctorRef &
  Pick<Cancellable, "status" | "refundHours"> & { moved: boolean; delisted: boolean };

function appointmentOf(row: VisitRow, now: Date): AppointmentRef {
  const { id, date, status, refundHours, moved, delisted, phone: _, time, ...doctor } = row;
  const at = { date, time: time.slice(0, 5) };
  const visit = { ...at, status, refundHours, movedByDoctor: moved, doctorDelisted: delisted };
  const until = status === "pending" ? at : cancelDeadline(visit);
  return { id, doctor, at, cancelUntil: isCancellable(now, visit) ? until : null };
}

/** Returns an open appointment of the acting patient: the one with this id, or the next one. `phone`: of its clinic. */
export async function findOwnAppointment(
  ctx: Ctx<Actor>,
  id?: string,
): Promise<{ appointment: AppointmentRef; phone: string | null } | null> {
  const [row] = await ctx.db
    .select(visitColumns())
    .from(appointments)
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(
      and(
        eq(appointments.patientId, ctx.actor.userId),
        openVisit(appointments),
        startsLater(appointments, minuteInIndia(ctx.now)),
        id === undefined ? undefined : eq(appointments.id, id),
      ),
    )
    .orderBy(asc(appointments.date), asc(appointments.time))
    .limit(1);
  return row ? { appointment: appointmentOf(row, ctx.now), phone: row.phone } : null;
}

/** Returns the open offer of the waitlist that a notification is about. */
export async function findOffer(ctx: Ctx<Actor>, at: { date: string; time: string }): Promise<OfferRef | null> {
  const [row] = await ctx.db
    .select({
      ...doctorColumns(),
      id: waitlistOffers.id,
      date: waitlistOffers.date,
      time: waitlistOffers.time,
      endsAt: waitlistOffers.endsAt,
      instead: { date: appointments.date, time: appointments.time },
    })
    .from(waitlistOffers)
    .innerJoin(waitlistEntries, eq(waitlistEntries.id, waitlistOffers.entryId))
    .innerJoin(practices, eq(practices.id, waitlistOffers.practiceId))
    .innerJoin(doctors, eq(doctors.id, waitlistOffers.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .leftJoin(appointments, and(eq(appointments.id, waitlistEntries.appointmentId), openVisit(appointments)))
    .where(
      and(
        eq(waitlistEntries.patientId, ctx.actor.userId),
        eq(waitlistOffers.state, "offered"),
        eq(waitlistOffers.date, at.date),
        eq(waitlistOffers.time, at.time),
      ),
    )
    .limit(1);
  if (!row) return null;
  const { id, date, time, endsAt, instead, ...doctor } = row;
  return {
    id,
    doctor,
    at: { date, time: time.slice(0, 5) },
    until: { date: todayInIndia(endsAt), time: timeInIndia(endsAt) },
    instead: instead && { date: instead.date, time: instead.time.slice(0, 5) },
  };
}
