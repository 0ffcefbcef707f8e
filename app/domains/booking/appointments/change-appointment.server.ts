import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctorNames } from "#app/db/in-language.server.ts";
import { appointments, availabilitySlots, doctors, reviews } from "#app/db/schema/index.ts";
import { isListedDoctor, listedDoctor } from "#app/db/schema/visibility.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { APPOINTMENT_ACTIONS, type AppointmentAction, canDo, isOpen } from "#app/domains/appointment.state.ts";
import { closeFreedTime, lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { isRefundOwed } from "#app/domains/booking/cancellation/refund-owed.server.ts";
import { lockWaitlistOfVisit } from "#app/domains/booking/waitlist/lock.server.ts";
import { settleWaitlist } from "#app/domains/booking/waitlist/settle.server.ts";
import { type Actor, actsForDoctor, type Ctx, transact } from "#app/domains/context.server.ts";
import { reverseMissions } from "#app/domains/patients/wallet/reverse-missions.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { NotificationParams } from "#app/domains/platform/notifications/kinds.ts";
import { lockAccount } from "#app/domains/platform/users/lock-account.server.ts";
import type { CancelReason } from "#app/domains/visit-reasons.ts";
import { changedAt, hasNotPassed, isBeforeCancelDeadline, isBeforeNotice, MOVED_BY_CLINIC } from "#app/domains/visit-time.server.ts";
import { type DoctorAction, hasStarted, isInTime, minuteInIndia } from "#app/domains/visit-time.ts";
import { addTokenEntry, NO_TOKEN, reserveToken } from "#app/domains/waiting-room/queue/book-token.server.ts";
import { followAppointment } from "#app/domains/waiting-room/queue/follow-appointment.server.ts";
import { IS_INSIDE } from "#app/domains/waiting-room/queue/in-queue.server.ts";
import { tokenNotice } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import { leadsFrom } from "#app/lib/state-table.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { isSeatTaken, slotTaken } from "./book-appointment.server.ts";
import { followCancellation } from "./follow-cancellation.server.ts";
import { lapseProposals } from "./lapse-proposals.server.ts";
import { notInTime, tooLateWord, wrongStateWord } from "./words.ts";

/** What a change means for the queue of the day. A cancellation: followCancellation. */
const LEFT_QUEUE: Partial<Record<AppointmentAction, "moved" | "completed">> = {
  reschedule: "moved",
  complete: "completed",
  move: "moved",
  "take-proposal": "moved",
};

/**
 * Returns whose side an actor takes. Members of a place act for its doctor (change-at-place.server.ts), administrators for the patient or
 * the doctor who asked them (oversight/visits).
 */
export const sideOf = ({ role, userId, onBehalfOf, helping }: Actor): Pick<Actor, "role" | "userId"> =>
  helping ?? (onBehalfOf?.doctorId ? { role: "doctor", userId: onBehalfOf.doctorId } : { role, userId });

/** An administrator helps until the start, also where the patient no longer can. */
const isHelp = ({ actor }: Ctx<Actor>) => ({ late: actor.helping !== undefined });

/**
 * Accepts, completes or cancels an appointment of the acting doctor or patient, or undoes its completion. `reason` and `note`: why a
 * doctor cancels. A doctor who is not available at that time is not offered at it again.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export function changeAppointment(
  ctx: Ctx<Actor>,
  input: { id: string; action: DoctorAction; reason?: CancelReason; note?: string },
): Promise<void> {
  return transact(ctx, async (tx) => {
    const { role, userId } = sideOf(tx.actor);
    // The freed time is not offered again.
    const closes = input.action === "cancel" && role === "doctor" && input.reason === "busy";
    if (closes) await lockSchedule(tx, userId);
    const stamp = {
      accept: { acceptedAt: tx.now },
      complete: { completedAt: tx.now },
      "undo-complete": { completedAt: null },
      cancel: {
        cancelledAt: tx.now,
        cancelledBy: role,
        cancelReason: role === "doctor" ? (input.reason ?? null) : null,
        cancelNote: role === "doctor" && input.note && isUuid(input.id) ? sealed(appointments.cancelNote, input.id, input.note) : null,
      },
    }[input.action];
    await changeState(tx, input.id, input.action, stamp, { ...isHelp(tx), closes });
  });
}

/**
 * Cancels an appointment of the acting patient whose account is being deleted, at any time before it, in the transaction of `tx`.
 */
export const cancelWithAccount = (tx: Ctx<Actor>, id: string): Promise<void> =>
  changeState(tx, id, "cancel", { cancelledAt: tx.now, cancelledBy: tx.actor.role }, { late: true });

/**
 * Moves the acting patient's appointment to an earlier time that the waitlist offered. The 24-hour rule does not apply: the time of the appointment
 * is offered to the next patient. The caller has locked the waitlist and freed the seat.
 */
export async function moveToOffer(tx: Ctx<Actor>, id: string, { date, time }: { date: DateKey; time: TimeKey }): Promise<void> {
  const [slot] = await tx.db
    .select({ minutes: availabilitySlots.minutes })
    .from(availabilitySlots)
    .innerJoin(appointments, and(eq(appointments.practiceId, availabilitySlots.practiceId), eq(appointments.id, id)))
    .where(and(eq(availabilitySlots.doctorId, appointments.doctorId), eq(availabilitySlots.date, date), eq(availabilitySlots.time, time)));
  if (!slot) throw new DomainError("conflict", m.waitlist_offer_withdrawn());
  await changeState(
    tx,
    id,
    "reschedule",
    { date, time, minutes: slot.minutes, ...NO_TOKEN, acceptedAt: null, movedAt: null },
    { late: true },
  );
}

/**
 * Moves the acting patient's appointment to another free slot of the same doctor and practice. The doctor must still be in the directory.
 * @throws DomainError("not-found" | "slot-taken" | "conflict")
 */
export async function rescheduleAppointment(ctx: Ctx<Actor>, input: { id: string; date: DateKey; time: TimeKey }): Promise<void> {
  const { id, date, time } = input;
  if (!isUuid(id)) throw new DomainError("not-found");
  const [own] = await ctx.db
    .select({ doctorId: appointments.doctorId, practiceId: appointments.practiceId })
    .from(appointments)
    .where(and(eq(appointments.id, id), eq(appointments.patientId, sideOf(ctx.actor).userId)));
  if (!own) throw new DomainError("not-found");
  await toFreeSlot(ctx, own, { date, time }, (tx, slot) =>
    moveToSlot(tx, id, "reschedule", slot, { acceptedAt: null, movedAt: null }, isHelp(tx)),
  );
}

/**
 * Moves an appointment to a slot: to its time, or with a token to its session. Locks the appointment before the sessions. The caller has
 * locked the slot.
 */
export async function moveToSlot(
  tx: Ctx<Actor>,
  id: string,
  action: "reschedule" | "take-proposal" | "move",
  { date, time, minutes, practiceId, seats, tokens }: FreeSlot,
  set: Partial<typeof appointments.$inferInsert>,
  may?: Parameters<typeof changeState>[4],
): Promise<void> {
  const to = { ...set, date, time, minutes, practiceId };
  if (!tokens) return changeState(tx, id, action, { ...to, ...NO_TOKEN }, may);
  const { role, userId } = sideOf(tx.actor);
  await lockWaitlistOfVisit(tx, id);
  const [visit] = await tx.db
    .select({
      status: appointments.status,
      session: appointments.queueSessionId,
      patientId: appointments.patientId,
      name: appointments.patientName,
      phone: appointments.patientPhone,
      age: appointments.patientAge,
      birthDate: appointments.patientBirthDate,
      gender: appointments.patientGender,
    })
    .from(appointments)
    .where(and(eq(appointments.id, id), eq(role === "doctor" ? appointments.doctorId : appointments.patientId, userId)))
    .for("no key update");
  if (!visit) throw new DomainError("not-found");
  const { status, session, phone, ...patient } = visit;
  // `changeState` refuses with the reason, and no token is given out.
  if (!isOpen({ status })) return changeState(tx, id, action, to, may);
  const reserved = await reserveToken(tx, { practiceId, date, time, minutes, seats }, { ...patient, phone: phone as Phone }, session);
  await changeState(tx, id, action, { ...to, ...reserved.columns }, may);
  await addTokenEntry(tx, reserved, id);
}

/** A slot of a doctor, locked. */
export type FreeSlot = { date: DateKey; time: TimeKey; minutes: number; practiceId: string; seats: number; tokens: boolean };

/**
 * Runs `work` in a transaction while the doctor is in the directory and offers the slot, in the given practice or in any. Its change takes the slot by the trigger of
 * claims.
 * @throws DomainError("slot-taken" | "conflict")
 */
export async function toFreeSlot(
  ctx: Ctx<Actor>,
  own: { doctorId: string; practiceId?: string },
  { date, time }: { date: DateKey; time: TimeKey },
  work: (tx: Ctx<Actor>, slot: FreeSlot) => Promise<void>,
): Promise<void> {
  const refused = (sentence: string) => slotTaken(ctx, { ...own, date, time }, sentence);
  if (hasStarted(ctx.now, { date, time })) throw await refused(m.appointments_slot_past());
  try {
    await transact(ctx, async (tx) => {
      // Serializes with a suspension of the doctor.
      const [doctor] = await tx.db
        .select({ registrationStatus: doctors.registrationStatus })
        .from(doctors)
        .where(eq(doctors.id, own.doctorId))
        .for("share");
      if (!doctor || !isListedDoctor(doctor)) throw new DomainError("conflict", m.appointments_doctor_away());
      const [offered] = await tx.db
        .select({
          minutes: availabilitySlots.minutes,
          practiceId: availabilitySlots.practiceId,
          seats: availabilitySlots.seats,
          tokens: availabilitySlots.tokens,
        })
        .from(availabilitySlots)
        .where(
          and(
            eq(availabilitySlots.doctorId, own.doctorId),
            own.practiceId ? eq(availabilitySlots.practiceId, own.practiceId) : undefined,
            eq(availabilitySlots.date, date),
            eq(availabilitySlots.time, time),
          ),
        )
        .for("key share");
      if (!offered) throw new DomainError("slot-taken", m.appointments_slot_not_offered());
      await work(tx, { ...offered, date, time });
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    // The second: another appointment of the patient took the time meanwhile.
    if (isSeatTaken(constraint) || constraint === "appointments_once_per_patient") throw await refused(m.appointments_slot_taken());
    if (error instanceof DomainError && error.code === "slot-taken") throw await refused(error.sentence ?? m.appointments_slot_taken());
    throw error;
  }
}

/**
 * Locks a visit of the acting doctor for a change that depends on the clock. Undo then locks the patient's account, so that no
 * review is written and no mission completed meanwhile. Locks the visit first, as every command that notifies does. Returns null
 * if the state table refuses the change.
 * @throws DomainError("conflict") before the start of a visit whose patient was not called in, after ten minutes, or when the patient has reviewed the visit
 */
async function lockInTime(tx: Ctx<Actor>, id: string, action: "complete" | "undo-complete") {
  const own = and(eq(appointments.id, id), eq(appointments.doctorId, sideOf(tx.actor).userId));
  const [visit] = await tx.db
    .select({
      patientId: appointments.patientId,
      date: appointments.date,
      time: appointments.time,
      status: appointments.status,
      completedAt: appointments.completedAt,
      inside: IS_INSIDE,
    })
    .from(appointments)
    .where(own)
    .for("no key update");
  if (!visit || !canDo(action, visit.status, "doctor")) return null;
  if (!isInTime(tx.now, visit, action)) throw new DomainError("conflict", notInTime(visit, action), { detail: { status: visit.status } });
  if (action === "undo-complete") {
    await lockAccount(tx, visit.patientId);
    const [review] = await tx.db.select({ id: reviews.id }).from(reviews).where(eq(reviews.appointmentId, id));
    if (review) throw new DomainError("conflict", m.appointments_undo_reviewed(), { detail: { status: visit.status } });
  }
  return visit;
}

/**
 * Accepts, completes, moves or cancels an appointment: changes the state with a conditional update and, in the same transaction, ends its proposals,
 * changes its token, and passes the freed time on to the waitlist. `followCancellation` does what follows from a cancellation by any command.
 * What is announced follows from recordChange (of-booking.ts).
 */
export async function changeState(
  tx: Ctx<Actor>,
  id: string,
  action: AppointmentAction,
  set: Partial<typeof appointments.$inferInsert>,
  /**
   * `late`: the clock does not matter. `notice`: further parameters of the notification. `kind`: of the patient's notification, instead of that of the action. `atDesk`: a
   * member of the place began the change that ends here. `closes`: the freed time is removed.
   */
  may: {
    late?: boolean;
    notice?: NotificationParams;
    kind?: "appointment-booked-for-you" | "appointment-queue-closed";
    atDesk?: boolean;
    closes?: boolean;
  } = {},
): Promise<void> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const rule = APPOINTMENT_ACTIONS[action];
  const { role, userId } = sideOf(tx.actor);
  if (!(rule.by as readonly string[]).includes(role)) throw new DomainError("forbidden");
  const frees = action === "cancel" || action === "reschedule" || action === "take-proposal" || action === "move";
  if (frees) await lockWaitlistOfVisit(tx, id);
  const own = and(eq(appointments.id, id), eq(role === "doctor" ? appointments.doctorId : appointments.patientId, userId));
  const locked = action === "complete" || action === "undo-complete" ? await lockInTime(tx, id, action) : null;
  // isCancellable: until the clinic's deadline, and until the start what the doctor has not accepted or has moved, and a visit with a suspended doctor.
  const isDelisted = sql`exists (select from doctors d where d.id = ${appointments.doctorId} and not ${listedDoctor({ registrationStatus: sql`d.registration_status` })})`;
  const isAhead = hasNotPassed(appointments, minuteInIndia(tx.now));
  const byPatient: Partial<Record<AppointmentAction, SQL>> = {
    cancel: or(
      isBeforeCancelDeadline(appointments, minuteInIndia(tx.now)),
      and(isAhead, or(eq(appointments.status, "pending"), MOVED_BY_CLINIC, isDelisted)),
    ),
    // The doctor proposed it, so the 24 hours do not apply.
    "take-proposal": isAhead,
  };
  const inTime = role === "patient" && !may.late ? (byPatient[action] ?? isBeforeNotice(appointments, tx.now)) : undefined;
  // The clinic's side is asked for its own reasons (a leave, a suspension), so `cancelledBy` decides and not the role of the actor.
  const atDesk = may.atDesk || actsForDoctor(tx.actor);
  const cancelled = action === "cancel" ? { refundOwed: await isRefundOwed(tx, id, set.cancelledBy ?? role), cancelledAtDesk: atDesk } : {};
  const [row] = await tx.db
    .update(appointments)
    .set({ ...set, ...cancelled, status: rule.to, updatedAt: changedAt(tx.now) })
    .where(and(own, inArray(appointments.status, [...rule.from]), inTime))
    .returning({
      patientId: appointments.patientId,
      doctorId: appointments.doctorId,
      patient: appointments.patientName,
      date: appointments.date,
      time: appointments.time,
      token: appointments.token,
      expectedTime: appointments.expectedTime,
    });
  if (!row) {
    const [now] = await tx.db
      .select({
        status: appointments.status,
        date: appointments.date,
        time: appointments.time,
        token: appointments.token,
        refundHours: appointments.refundHours,
      })
      .from(appointments)
      .where(own);
    if (!now) throw new DomainError("not-found");
    if (leadsFrom(rule, now.status)) throw new DomainError("conflict", tooLateWord(action, { ...now, begun: hasStarted(tx.now, now) }));
    throw new DomainError("conflict", wrongStateWord(action, now.status), {
      detail: { status: now.status },
    });
  }
  const { doctorId } = row;
  const followed = action === "cancel" ? await followCancellation(tx, { id, doctorId, refundOwed: cancelled.refundOwed === true }) : {};
  // A change of the time or the end of the appointment ends a proposal for it.
  const left = LEFT_QUEUE[action];
  if (left) await lapseProposals(tx, { id, doctorId });
  // Earnings and the review request are derived from the status. Points are stored rows.
  const reversed = action === "undo-complete" && locked?.completedAt ? await reverseMissions(tx, row.patientId, locked.completedAt) : 0;
  const [doctor] = await tx.db
    .select({ ...doctorNames, hospitalId: doctors.hospitalId })
    .from(doctors)
    .where(eq(doctors.id, doctorId));
  if (left) await followAppointment(tx, id, left);
  const [date, time] = [row.date, row.time.slice(0, 5)];
  const params = {
    ...doctorParams(doctor),
    patient: row.patient,
    date,
    time,
    appointment: id,
    ...(await tokenNotice(tx, id, row)),
    ...may.notice,
    ...(atDesk && { by: "clinic" }),
  };
  const cancelledBy = action === "cancel" && role === "patient" ? { by: "patient" } : {};
  // The page shows why, and links the nearest free times.
  const why = action === "cancel" ? { why: set.cancelReason ?? "", ...(set.cancelNote && { wrote: "1" }) } : {};
  // The other side is notified, and the doctor of what a member of the place does for them.
  const forDoctor = role === "patient" || (atDesk && (action === "cancel" || action === "move"));
  await recordChange(tx, `appointment.${action}`, {
    subject: { appointment: id },
    people: { patient: row.patientId, doctor: doctorId, actor: userId },
    place: doctor?.hospitalId ?? null,
    data: { to: rule.to, date, time },
    details: {
      date,
      time,
      ...(set.cancelReason && { cancelReason: set.cancelReason }),
      ...followed,
      ...(reversed && { pointsReversed: reversed }),
    },
    notify: {
      patient:
        role === "patient"
          ? null
          : { ...(may.kind && { kind: may.kind }), params: { ...params, ...why }, target: { page: "patient-appointment", id } },
      doctor: forDoctor ? { params: { ...params, ...cancelledBy }, target: { page: "doctor-visit", id } } : null,
    },
  });
  if (may.closes) await closeFreedTime(tx, row);
  if (frees) await settleWaitlist(tx, doctorId);
}
