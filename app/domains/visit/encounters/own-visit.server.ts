import { and, eq, sql } from "drizzle-orm";
import { appointments, encounters, queueEntries, queueSessions, users, type VisitPatient } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { type Age, ageAt } from "#app/lib/age.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { BASE_LANGUAGE, type Language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

/** A consultation of the acting doctor. Its row exists once something was saved. */
export type OwnVisit = {
  id: string;
  doctorId: string;
  practiceId: string;
  patientId: string | null;
  appointmentId: string | null;
  queueEntryId: string | null;
  date: DateKey;
  personKey: string;
  patient: VisitPatient;
  /** Of the account. */
  language: Language;
  /** The visit has a row. */
  begun: boolean;
};

/** Returns the patient's age on the day of the visit. null: it was not entered, and the document needs it. */
export function ageOfVisit({ patient: { age, birthDate }, date }: Pick<OwnVisit, "patient" | "date">): Age | null {
  // Queues stored 0 for a baby without a birth date before November 2026.
  return age || birthDate ? ageAt(age ?? 0, birthDate, date) : null;
}

/** Returns what the forms of a visit ask about the patient. */
export const asksOf = (visit: Pick<OwnVisit, "patient" | "date">) => ({
  age: ageOfVisit(visit) === null,
  gender: visit.patient.gender === null,
});

/**
 * Returns a consultation of the acting doctor by the id of its appointment, or of the queue entry of a patient without one. An appointment is
 * open from its day on, when it was accepted.
 * @throws DomainError("not-found"), "conflict" when there is nothing to write yet or any more
 */
export async function getOwnVisit(ctx: Ctx<Actor>, id: string | undefined): Promise<OwnVisit> {
  if (ctx.actor.role !== "doctor" || !isUuid(id)) throw new DomainError("not-found");
  const doctorId = ctx.actor.userId;
  const [row] = await ctx.db
    .select({
      doctorId: encounters.doctorId,
      practiceId: encounters.practiceId,
      patientId: encounters.patientId,
      appointmentId: encounters.appointmentId,
      queueEntryId: encounters.queueEntryId,
      date: encounters.date,
      personKey: encounters.personKey,
      patient: opened(encounters.patient),
      language: users.language,
    })
    .from(encounters)
    .leftJoin(users, eq(users.id, encounters.patientId))
    .where(and(eq(encounters.id, id), eq(encounters.doctorId, doctorId)));
  if (row) return { id, ...row, language: row.language ?? BASE_LANGUAGE, begun: true };
  return (await ofAppointment(ctx, id)) ?? (await ofQueue(ctx, id));
}

async function ofAppointment(ctx: Ctx<Actor>, id: string): Promise<OwnVisit | null> {
  const [row] = await ctx.db
    .select({
      practiceId: appointments.practiceId,
      patientId: appointments.patientId,
      date: appointments.date,
      status: appointments.status,
      name: appointments.patientName,
      age: appointments.patientAge,
      birthDate: appointments.patientBirthDate,
      gender: appointments.patientGender,
      language: users.language,
    })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.patientId))
    .where(and(eq(appointments.id, id), eq(appointments.doctorId, ctx.actor.userId)));
  if (!row) return null;
  const { practiceId, patientId, date, name, age, birthDate, gender } = row;
  if (row.status === "pending" || row.status === "cancelled") throw new DomainError("conflict", m.visit_not_accepted());
  if (date > todayInIndia(ctx.now)) throw new DomainError("conflict", m.visit_too_early());
  return {
    id,
    doctorId: ctx.actor.userId,
    practiceId,
    patientId,
    appointmentId: id,
    queueEntryId: null,
    date,
    personKey: await personKeyOf(ctx, patientId, name),
    patient: { name, age, birthDate, gender },
    language: row.language ?? BASE_LANGUAGE,
    begun: false,
  };
}

async function ofQueue(ctx: Ctx<Actor>, id: string): Promise<OwnVisit> {
  const [row] = await ctx.db
    .select({
      practiceId: queueSessions.practiceId,
      patientId: queueEntries.patientId,
      date: queueSessions.date,
      state: queueEntries.state,
      personKey: queueEntries.personKey,
      name: opened(queueEntries.name),
      phone: opened(queueEntries.phone),
      age: queueEntries.age,
      birthDate: queueEntries.birthDate,
      gender: queueEntries.gender,
      language: users.language,
    })
    .from(queueEntries)
    .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
    .leftJoin(users, eq(users.id, queueEntries.patientId))
    .where(and(eq(queueEntries.id, id), eq(queueSessions.doctorId, ctx.actor.userId), sql`${queueEntries.appointmentId} is null`));
  if (!row || row.personKey === null) throw new DomainError("not-found");
  if (row.state !== "with-doctor" && row.state !== "done") throw new DomainError("conflict", m.visit_not_with_doctor());
  return {
    id,
    doctorId: ctx.actor.userId,
    practiceId: row.practiceId,
    patientId: row.patientId,
    appointmentId: null,
    queueEntryId: id,
    date: row.date,
    personKey: await personKeyOf(ctx, row.patientId ?? row.phone, row.name),
    patient: { name: row.name, age: row.age, birthDate: row.birthDate, gender: row.gender },
    language: row.language ?? BASE_LANGUAGE,
    begun: false,
  };
}

/** Stores a consultation when something of it is saved for the first time. Idempotent. @throws as getOwnVisit */
export async function openEncounter(tx: Ctx<Actor>, id: string | undefined): Promise<OwnVisit> {
  const visit = await getOwnVisit(tx, id);
  if (visit.begun) return visit;
  const { patient, language: _, begun: __, ...row } = visit;
  await tx.db
    .insert(encounters)
    .values({ ...row, patient: sealed(encounters.patient, visit.id, patient), createdAt: tx.now, updatedAt: tx.now })
    .onConflictDoNothing();
  return { ...visit, begun: true };
}
