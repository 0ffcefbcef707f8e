import { and, asc, eq, gt, gte, isNull, lte, ne, type SQL } from "drizzle-orm";
import { doctorNames, inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, encounters, type VisitPatient } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { opened } from "#app/db/sealed.server.ts";
import { bookAgain } from "#app/domains/booking/appointments/booking-draft.server.ts";
import { listNearestFree } from "#app/domains/booking/availability/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { language } from "#app/lib/language.ts";
import type { ShownFollowUp } from "./shown-follow-up.ts";

/** How long after its day a follow-up is still offered, in days. */
const OPEN_AFTER = 14;
/** The dashboard shows a follow-up from this many days before. The page of the visit shows it at once. */
const SHOWN_BEFORE = 30;

/** A visit after which the doctor wants to see the patient again. */
export type FollowUp = {
  visitId: string;
  /** Null: a visit without an appointment. */
  appointmentId: string | null;
  patientId: string | null;
  doctorId: string;
  practiceId: string;
  personKey: string;
  patient: VisitPatient;
  doctor: string;
  visitedOn: DateKey;
  on: DateKey | null;
};

/** Selects visits with the day of the next one, of doctors who can be booked. */
export const selectFollowUps = (ctx: Pick<Ctx, "db">, where: SQL | undefined) =>
  ctx.db
    .select({
      visitId: encounters.id,
      appointmentId: encounters.appointmentId,
      patientId: encounters.patientId,
      doctorId: encounters.doctorId,
      practiceId: encounters.practiceId,
      personKey: encounters.personKey,
      patient: opened(encounters.patient),
      doctor: inLanguage(doctors.fullName, doctors.translations, "name", language()),
      names: doctorNames,
      visitedOn: encounters.date,
      on: encounters.followUpOn,
    })
    .from(encounters)
    .innerJoin(doctors, eq(doctors.id, encounters.doctorId))
    .where(and(listedDoctor(doctors), where))
    .orderBy(asc(encounters.followUpOn));

/** Returns true when the same person has an appointment with the doctor on a later day, or came on one. A missed appointment is none. */
export async function hasComeBack(ctx: Pick<Ctx, "db">, of: FollowUp): Promise<boolean> {
  if (of.patientId === null) return false;
  const seen = await ctx.db.$count(
    encounters,
    and(eq(encounters.doctorId, of.doctorId), eq(encounters.personKey, of.personKey), gt(encounters.date, of.visitedOn)),
  );
  if (seen) return true;
  const booked = await ctx.db
    .selectDistinct({ name: appointments.patientName })
    .from(appointments)
    .where(
      and(
        eq(appointments.patientId, of.patientId),
        eq(appointments.doctorId, of.doctorId),
        gt(appointments.date, of.visitedOn),
        ne(appointments.status, "cancelled"),
        isNull(appointments.noShowAt),
      ),
    );
  for (const { name } of booked) if ((await personKeyOf(ctx, of.patientId, name)) === of.personKey) return true;
  return false;
}

/** Returns the earliest open follow-up of the acting patient. */
async function findOpen(ctx: Ctx<Actor>, where: SQL | undefined): Promise<(FollowUp & { on: DateKey }) | null> {
  const from = addDays(todayInIndia(ctx.now), -OPEN_AFTER);
  const rows = await selectFollowUps(ctx, and(eq(encounters.patientId, ctx.actor.userId), gte(encounters.followUpOn, from), where)).limit(
    20,
  );
  for (const { on, ...row } of rows) if (on && !(await hasComeBack(ctx, { on, ...row }))) return { on, ...row };
  return null;
}

async function shown(ctx: Ctx<Actor>, one: FollowUp & { on: DateKey }): Promise<ShownFollowUp> {
  const { doctor, on, appointmentId, patient } = one;
  const booking = appointmentId === null ? { booking: await bookingOf(ctx, one) } : {};
  return { id: appointmentId, doctor, patient: patient.name, on, ...booking };
}

/** Returns the query of the calendar, with the free time nearest to the day of a follow-up chosen. */
async function bookingOf(ctx: Ctx, { doctorId, practiceId, on }: Pick<FollowUp, "doctorId" | "practiceId"> & { on: DateKey }) {
  const today = todayInIndia(ctx.now);
  const date = on < today ? today : on;
  const [nearest] = await listNearestFree(ctx, doctorId, { date, time: "10:00", practiceId }, 1);
  return { doctorId, practiceId, ...(nearest ?? { date }) };
}

/** Returns the earliest follow-up of the acting patient and the family for the dashboard; null for none. */
export async function findNextFollowUp(ctx: Ctx<Actor>): Promise<ShownFollowUp | null> {
  const open = await findOpen(ctx, lte(encounters.followUpOn, addDays(todayInIndia(ctx.now), SHOWN_BEFORE)));
  return open ? shown(ctx, open) : null;
}

/** Returns the open follow-up of an appointment of the acting patient; null for none. */
export async function findFollowUp(ctx: Ctx<Actor>, appointmentId: string): Promise<ShownFollowUp | null> {
  const open = await findOpen(ctx, eq(encounters.id, appointmentId));
  return open ? shown(ctx, open) : null;
}

/**
 * Starts a booking with the doctor of an earlier appointment, for the same patient. Returns the query of the calendar: at the day that the
 * doctor asked for while the follow-up is open, otherwise with the next free time chosen.
 * @throws DomainError("not-found")
 */
export async function bookFollowUp(ctx: Ctx<Actor>, id: string): Promise<Record<string, string>> {
  const { doctorId, practiceId } = await bookAgain(ctx, id);
  const open = await findOpen(ctx, eq(encounters.id, id));
  if (open) return bookingOf(ctx, open);
  const [next] = await listNearestFree(ctx, doctorId, { ...minuteInIndia(ctx.now), practiceId }, 1);
  return { doctorId, ...(next && { practiceId, ...next }) };
}
