import { and, eq, sql } from "drizzle-orm";
import { appointments, doctors, hospitals, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { isOpen } from "#app/domains/appointment.state.ts";
import { changeAppointment, rescheduleAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { listFreeTimes } from "#app/domains/booking/appointments/free-times.server.ts";
import { type FreeTime, timeValue } from "#app/domains/booking/appointments/proposal-times.ts";
import { moveAppointment } from "#app/domains/booking/appointments/proposals.server.ts";
import { missed } from "#app/domains/booking/appointments/rows.server.ts";
import { decideRefund } from "#app/domains/booking/cancellation/refund-policy.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { MOVED_BY_CLINIC } from "#app/domains/visit-time.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import type { AskedBy, HelpCancel, HelpMove } from "./help-with-visit.schema.ts";

/**
 * Returns an appointment for the administrator who helps with it, without health data. Writes an audit row for its patient.
 * `changeable`: it is open and has not started. `refund`: what the patient gets back if it is cancelled now.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function getVisitToHelp(ctx: Ctx<Actor>, id: string | undefined) {
  const visit = await readVisit(ctx, id);
  await recordRead(ctx, {
    action: "find-visit",
    subjectType: "appointment",
    subjectId: visit.id,
    personId: visit.patientId,
    details: { doctorId: visit.doctorId },
  });
  return { ...visit, patientName: patientNameWord(visit.patientName) };
}

async function readVisit(ctx: Ctx<Actor>, id: string | undefined) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({
      id: appointments.id,
      date: appointments.date,
      time: appointments.time,
      token: appointments.token,
      expectedTime: appointments.expectedTime,
      status: appointments.status,
      missed,
      reference: appointments.paymentReference,
      refundHours: appointments.refundHours,
      movedByDoctor: MOVED_BY_CLINIC,
      listed: sql<boolean>`${listedDoctor(doctors)}`,
      patientId: appointments.patientId,
      patientName: appointments.patientName,
      doctorId: doctors.id,
      doctorName: doctors.fullName,
      doctorTexts: doctors.translations,
      practiceId: appointments.practiceId,
      hospitalName: hospitals.name,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(and(eq(appointments.id, id)));
  if (!row) throw new DomainError("not-found");
  const { refundHours, movedByDoctor, listed, ...visit } = { ...row, time: row.time.slice(0, 5) };
  const asked = { ...visit, refundHours, movedByDoctor, doctorDelisted: !listed };
  const refund = decideRefund({ ...asked, cancelledBy: "patient", now: ctx.now });
  return { ...visit, refund, listed, changeable: isOpen(visit) && !hasStarted(ctx.now, visit) };
}

type Visit = Awaited<ReturnType<typeof readVisit>>;

/** Returns the free times to which an administrator can move an appointment: those of its practice. @throws DomainError("not-found" | "forbidden") */
export async function listTimesToHelp(
  ctx: Ctx<Actor>,
  visit: Pick<Visit, "doctorId" | "practiceId" | "date" | "time">,
): Promise<FreeTime[]> {
  const free = await listFreeTimes(ctx, { doctorId: visit.doctorId, at: visit.practiceId });
  return free.filter((slot) => timeValue(slot) !== timeValue(visit));
}

/**
 * Cancels an appointment at the request of its patient or doctor, until its start. The patient's refund follows the policy of the
 * side that asked. Notifies both.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export const cancelForUser = (ctx: Ctx<Actor>, { id, reason, ...request }: HelpCancel & { id: string | undefined }): Promise<void> =>
  help(ctx, { id, ...request }, async (tx, visit) => {
    await changeAppointment(tx, { id: visit.id, action: "cancel", ...(reason && { reason }) });
    return { kind: "appointment-cancelled-as-asked", at: visit };
  });

/**
 * Moves an appointment at the request of its patient or doctor to another free time of the same practice. The doctor has to accept
 * again what a patient asked for. Notifies both.
 * @throws DomainError("not-found" | "forbidden" | "slot-taken" | "conflict")
 */
export const moveForUser = (ctx: Ctx<Actor>, { id, to, ...request }: HelpMove & { id: string | undefined }): Promise<void> =>
  help(ctx, { id, ...request }, async (tx, visit) => {
    if (timeValue(to) === timeValue(visit)) throw new DomainError("conflict", m.proposals_same());
    if (request.askedBy === "patient") await rescheduleAppointment(tx, { id: visit.id, ...to });
    else await moveAppointment(tx, { id: visit.id, at: to, practiceId: visit.practiceId });
    return { kind: "appointment-moved-as-asked", at: to, from: { fromDate: visit.date, fromTime: visit.time } };
  });

type Done = {
  kind: "appointment-cancelled-as-asked" | "appointment-moved-as-asked";
  at: { date: string; time: string };
  from?: { fromDate: string; fromTime: string };
};

/** Runs a change for one side. The command notifies the other side, and this the side that asked. */
function help(
  ctx: Ctx<Actor>,
  { id, askedBy, why }: { id: string | undefined; askedBy: AskedBy; why: string },
  change: (tx: Ctx<Actor>, visit: Visit) => Promise<Done>,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const visit = await readVisit(tx, id);
    if (isOpen(visit) && hasStarted(tx.now, visit)) throw new DomainError("conflict", m.proposals_started());
    const userId = askedBy === "patient" ? visit.patientId : visit.doctorId;
    const { kind, at, from } = await change({ ...tx, actor: { ...tx.actor, helping: { role: askedBy, userId } } }, visit);
    const params = {
      ...doctorParams({ name: visit.doctorName, translations: visit.doctorTexts }),
      patient: visit.patientName,
      date: at.date,
      time: at.time,
      appointment: visit.id,
      ...from,
    };
    const notice = {
      kind,
      params,
      target: { page: askedBy === "patient" ? "patient-appointment" : "doctor-visit", id: visit.id },
    } as const;
    await recordChange(tx, "help-with-appointment", {
      subject: { appointment: visit.id },
      people: { patient: visit.patientId, doctor: visit.doctorId },
      details: { askedBy, reason: why, doctorId: visit.doctorId },
      notify: { patient: askedBy === "patient" ? notice : null, doctor: askedBy === "doctor" ? notice : null },
    });
  });
}
