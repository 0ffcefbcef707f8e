import { and, asc, desc, eq, or, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { inLanguage, languageValue } from "#app/db/in-language.server.ts";
import { appointments, doctors, hospitals, medicalRecords, walletCodes } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { opened } from "#app/db/sealed.server.ts";
import { isOpen } from "#app/domains/appointment.state.ts";
import type { VisitMoney } from "#app/domains/booking/payments/payment-status.ts";
import { VISIT_SUMS } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { Eta } from "#app/domains/token-words.ts";
import { hasNotPassed, MOVED_BY_CLINIC, NOW, nowValues, openVisit } from "#app/domains/visit-time.server.ts";
import {
  type Cancellable,
  cancelDeadline,
  hasPassed,
  hasStarted,
  isCancellable,
  isReschedulable,
  minuteInIndia,
  rescheduleDeadline,
} from "#app/domains/visit-time.ts";
import { inQueue } from "#app/domains/waiting-room/queue/in-queue.server.ts";
import { withExpected } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { type Language, language } from "#app/lib/language.ts";
import type { AppointmentStatus, Canceller, PaymentMethod, RecordType } from "#app/lib/vocabulary.ts";
import { asRead, byUpload, missed, whoCancelled } from "./rows.server.ts";

/** @param spoken the reader's language; default: that of a prepared query */
const patientRow = (spoken?: Language) => ({
  id: appointments.id,
  date: appointments.date,
  time: appointments.time,
  token: appointments.token,
  expectedTime: appointments.expectedTime,
  status: appointments.status,
  reason: opened(appointments.reason),
  patientName: appointments.patientName,
  doctorId: appointments.doctorId,
  doctorName: inLanguage(doctors.fullName, doctors.translations, "name", spoken),
  specialization: doctors.primarySpecialization,
  /** The doctor was removed from the directory after the booking. */
  doctorDelisted: sql<boolean>`not ${listedDoctor(doctors)}`,
});
/** Further columns that decide until when the patient may cancel. */
const cancelRule = { movedByDoctor: MOVED_BY_CLINIC, refundHours: appointments.refundHours };
/** SQL: when an appointment is over for its patient: a token has its expected time (isOver). */
const ofPatient = { date: sql`${appointments.date}`, time: sql`coalesce(${appointments.expectedTime}, ${appointments.time})` };
/** SQL form of `!isOver`. `now`: the same instant as `minute`. */
const notOver = (minute: Parameters<typeof hasNotPassed>[1], now: Parameters<typeof inQueue>[0]) =>
  or(hasNotPassed(ofPatient, minute), inQueue(now));
/** SQL: the place of an appointment. The first practice has the hospital of the doctor's profile. */
const placeOfVisit = sql`coalesce((select p.hospital_id from practices p where p.id = ${appointments.practiceId}), ${doctors.hospitalId})`;
const hospitalNameIn = (spoken?: Language) => sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", spoken)}`;

/** Returns which changes the state and the clock allow the patient now, and until when (changeRuleWord). */
function changesOfPatient(ctx: Ctx, row: Cancellable) {
  const cancelBy = cancelDeadline(row);
  return {
    movable: isReschedulable(ctx.now, row),
    cancellable: isCancellable(ctx.now, row),
    deadline: rescheduleDeadline(ctx.now, row),
    cancelBy: !isOpen(row) || hasPassed(cancelBy, minuteInIndia(ctx.now)) ? null : cancelBy,
    begun: hasStarted(ctx.now, row),
  };
}

/** The acting patient's bookings in order of time: those of `month` ("yyyy-mm") when given, else all, at most 500. */
export async function listPatientAppointments(ctx: Ctx<Actor>): Promise<ListedAppointment[]> {
  const query = hot(ctx.db, "list_patient_appointments", (db) =>
    db
      .select({
        ...patientRow(),
        hospitalName: hospitalNameIn(),
        hospitalPhone: hospitals.phone,
        ...cancelRule,
        paymentMethod: appointments.paymentMethod,
        cancelledBy: whoCancelled,
        fee: appointments.fee,
        discount: appointments.discount,
        refundOwed: appointments.refundOwed,
        ...VISIT_SUMS,
        reviewed: sql<boolean>`exists (select from reviews r where r.appointment_id = appointments.id)`,
        missed,
        inQueue: inQueue(NOW.instant),
      })
      .from(appointments)
      .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
      .leftJoin(hospitals, eq(hospitals.id, placeOfVisit))
      .where(eq(appointments.patientId, sql.placeholder("patient")))
      .orderBy(desc(appointments.date), desc(appointments.time))
      .limit(500)
      .prepare("list_patient_appointments"),
  );
  const rows = await query.execute({ patient: ctx.actor.userId, ...nowValues(ctx.now), ...languageValue() });
  return withExpected(ctx, rows.map((row) => ({ ...asRead(row), ...changesOfPatient(ctx, row) })).reverse());
}
export type PatientAppointment = {
  id: string;
  date: DateKey;
  time: string;
  token: number | null;
  expectedTime: TimeKey | null;
  expected?: Eta;
  status: AppointmentStatus;
  reason: string;
  patientName: string;
  doctorId: string;
  doctorName: string;
  specialization: string;
  doctorDelisted: boolean;
};
export type ListedAppointment = PatientAppointment &
  VisitMoney &
  ReturnType<typeof changesOfPatient> & {
    movedByDoctor: boolean;
    refundHours: number;
    hospitalName: string | null;
    hospitalPhone: string | null;
    paymentMethod: PaymentMethod | null;
    cancelledBy: Canceller | null;
    reviewed: boolean;
    missed: boolean;
    inQueue: boolean;
  };

/** Returns the earliest non-cancelled booking from now on, or null (spec 001 §4.3). */
export async function findNextAppointment(ctx: Ctx<Actor>): Promise<(PatientAppointment & { hospitalName: string | null }) | null> {
  const query = hot(ctx.db, "find_next_appointment", (db) =>
    db
      .select({ ...patientRow(), hospitalName: hospitalNameIn() })
      .from(appointments)
      .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
      .leftJoin(hospitals, eq(hospitals.id, placeOfVisit))
      .where(and(eq(appointments.patientId, sql.placeholder("patient")), openVisit(appointments), notOver(NOW, NOW.instant)))
      .orderBy(asc(appointments.date), asc(appointments.time))
      .limit(1)
      .prepare("find_next_appointment"),
  );
  const [row] = await query.execute({ patient: ctx.actor.userId, ...nowValues(ctx.now), ...languageValue() });
  return row ? (await withExpected(ctx, [asRead(row)]))[0]! : null;
}

/** Returns the acting patient's open visits from now on with their hospitals, soonest first. */
export async function listComingVisits(ctx: Ctx<Actor>, limit: number) {
  const rows = await ctx.db
    .select({
      ...patientRow(language()),
      hospitalName: hospitalNameIn(language()),
      hospitalPhone: hospitals.phone,
      hospitalAddress: inLanguage(hospitals.address, hospitals.translations, "address", language()),
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfVisit))
    .where(and(eq(appointments.patientId, ctx.actor.userId), openVisit(appointments), notOver(minuteInIndia(ctx.now), ctx.now)))
    .orderBy(asc(appointments.date), asc(appointments.time))
    .limit(limit);
  return withExpected(ctx, rows.map(asRead));
}

/** Returns a booking of the acting patient with the data of its pages. @throws DomainError("not-found") */
export async function getPatientAppointment(ctx: Ctx<Actor>, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({
      ...patientRow(language()),
      /** The name in Latin script, for banks. */
      registeredDoctorName: doctors.fullName,
      missed,
      inQueue: inQueue(ctx.now),
      ...VISIT_SUMS,
      practiceId: appointments.practiceId,
      fee: appointments.fee,
      discount: appointments.discount,
      discountCode: walletCodes.code,
      paymentReference: appointments.paymentReference,
      paymentMethod: appointments.paymentMethod,
      cancelledBy: whoCancelled,
      cancelReason: appointments.cancelReason,
      cancelNote: opened(appointments.cancelNote),
      ...cancelRule,
      refundOwed: appointments.refundOwed,
      prepayUntil: appointments.prepayUntil,
      smsUpdates: appointments.smsUpdates,
      category: doctors.category,
      hospitalId: hospitals.id,
      hospitalName: hospitalNameIn(language()),
      hospitalPhone: hospitals.phone,
      address: inLanguage(hospitals.address, hospitals.translations, "address", language()),
      city: hospitals.city,
      pinCode: hospitals.pinCode,
      latitude: hospitals.latitude,
      longitude: hospitals.longitude,
      demoPhone: hospitals.isDemo,
      patientAge: appointments.patientAge,
      patientBirthDate: appointments.patientBirthDate,
      doctorPhoto: sql<string | null>`coalesce(${doctors.photoFileId}::text, ${doctors.portrait})`,
      reviewed: sql<boolean>`exists (select from reviews r where r.appointment_id = appointments.id)`,
      updatedAt: appointments.updatedAt,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfVisit))
    .leftJoin(walletCodes, eq(walletCodes.appointmentId, appointments.id))
    .where(and(eq(appointments.id, id), eq(appointments.patientId, ctx.actor.userId)));
  if (!row) throw new DomainError("not-found");
  const [read] = await withExpected(ctx, [asRead(row)]);
  return { ...read!, ...changesOfPatient(ctx, row) };
}

/** Returns the documents of an appointment of the acting patient, the newest first. */
export async function listOwnDocuments(
  ctx: Ctx<Actor>,
  id: string,
): Promise<{ fileId: string; recordType: RecordType; description: string }[]> {
  const rows = await ctx.db
    .select({
      fileId: medicalRecords.fileId,
      recordType: medicalRecords.recordType,
      description: opened(medicalRecords.description),
      uploadedAt: medicalRecords.createdAt,
    })
    .from(medicalRecords)
    .innerJoin(appointments, eq(appointments.id, medicalRecords.appointmentId))
    .where(and(eq(appointments.id, id), eq(appointments.patientId, ctx.actor.userId)));
  return rows.sort((a, b) => byUpload(b, a)).map(({ uploadedAt: _, ...document }) => document);
}
