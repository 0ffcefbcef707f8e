import { type DateKey, instantInIndia, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { APPOINTMENT_ACTIONS, canDo, isOpen } from "./appointment.state.ts";

// The rules of time for visits and slots. visit-time.server.ts has the same rules in SQL, a test compares them.

/** An instant as visits and slots are stored: the day and the minute in India. */
export type Minute = { date: DateKey; time: TimeKey };
export const minuteInIndia = (now: Date): Minute => ({ date: todayInIndia(now), time: timeInIndia(now) });

/** The cancellation window of the FAQ (spec 001 §9): a patient may cancel or reschedule up to 24 hours before; a clinic may allow cancelling later. */
export const CHANGE_HOURS = 24;
const CHANGE_NOTICE = hours(CHANGE_HOURS);
/** The first visit that a patient may still change at this instant. */
export const firstChangeable = (now: Date): Minute => minuteInIndia(new Date(now.getTime() + CHANGE_NOTICE));

/** How long after completing a visit its doctor may undo it. */
export const UNDO_TIME = minutes(10);

/** `inside`: the queue of the day has called the patient in (IS_INSIDE), perhaps before the booked time. */
type Visit = { date: string; time: string; status: AppointmentStatus; completedAt: Date | null; inside?: boolean };
export type DoctorAction = "accept" | "complete" | "cancel" | "undo-complete";
const DOCTOR_ACTIONS = (Object.keys(APPOINTMENT_ACTIONS) as (keyof typeof APPOINTMENT_ACTIONS)[]).filter(
  (action): action is DoctorAction => action !== "reschedule" && action !== "take-proposal" && action !== "move",
);

/** Returns true for a past slot or visit, from its start on: it can be completed and no longer booked. */
export const hasStarted = (now: Date, visit: { date: string; time: string }) =>
  now.getTime() >= instantInIndia(visit.date, visit.time).getTime();

/** Returns the whole minutes until the start; negative after it. */
export const minutesUntil = (now: Date, visit: { date: string; time: string }): number =>
  Math.ceil((instantInIndia(visit.date, visit.time).getTime() - now.getTime()) / minutes(1));

/** Returns true while the completion of a visit can be undone. A visit without a completion time is too old. */
export const isUndoable = (now: Date, visit: { completedAt: Date | null }) =>
  visit.completedAt !== null && now.getTime() < visit.completedAt.getTime() + UNDO_TIME;

/** Returns the actions that the state and the clock allow its doctor now. Pages show buttons for these only. */
export const actionsOfDoctor = (now: Date, visit: Visit): DoctorAction[] =>
  DOCTOR_ACTIONS.filter((action) => canDo(action, visit.status, "doctor") && isInTime(now, visit, action));

/** Returns true when the clock allows the action. The state table decides the rest. */
export function isInTime(now: Date, visit: Omit<Visit, "status">, action: keyof typeof APPOINTMENT_ACTIONS): boolean {
  if (action === "complete") return hasStarted(now, visit) || visit.inside === true;
  return action !== "undo-complete" || isUndoable(now, visit);
}

/** Returns true from the next minute on: the visit is not upcoming any more (spec 001 §4.3 shows it as completed). */
export const hasPassed = (visit: Minute, now: Minute): boolean =>
  visit.date < now.date || (visit.date === now.date && visit.time.slice(0, 5) < now.time);

type Timed = Minute & { expectedTime?: TimeKey | null; inQueue?: boolean };
/**
 * Returns true once the visit is not upcoming any more for its patient: a token has its expected time, which is later than the start of the session. Not while
 * the token waits or is inside (`inQueue`).
 */
export const isOver = ({ date, time, expectedTime, inQueue }: Timed, now: Minute): boolean =>
  !inQueue && hasPassed({ date, time: expectedTime ?? time }, now);

type Changeable = Minute & { status: AppointmentStatus; doctorDelisted: boolean };
/** `refundHours`: until how many hours before the start its clinic lets the patient cancel, as it was when they booked. */
export type Cancellable = Changeable & { movedByDoctor: boolean; refundHours: number };
/** Returns true while a patient may reschedule the visit: it is open, its doctor is listed, and it is at least 24 hours ahead. */
export const isReschedulable = (now: Date, visit: Changeable): boolean =>
  isOpen(visit) && !visit.doctorDelisted && !hasPassed(visit, firstChangeable(now));
/**
 * The cancellation window. Returns the last minute at which a patient may cancel an accepted visit, and until which they get back what they paid: one deadline for both. The hours
 * of the clinic's policy before the start, never more than 24; the start itself where the doctor moved the visit or is suspended.
 */
export function cancelDeadline({ date, time, doctorDelisted, movedByDoctor, refundHours }: Omit<Cancellable, "status">): Minute {
  const notice = doctorDelisted || movedByDoctor ? 0 : Math.min(Math.max(refundHours, 0), CHANGE_HOURS);
  return minuteInIndia(new Date(instantInIndia(date, time).getTime() - hours(notice)));
}
/** Returns true while a patient may cancel the visit: it is open, and before its deadline. A request that the doctor has not accepted: until the start. */
export const isCancellable = (now: Date, visit: Cancellable): boolean =>
  isOpen(visit) && !hasPassed(visit.status === "pending" ? visit : cancelDeadline(visit), minuteInIndia(now));
/** Returns the last minute at which the 24-hour rule allows a patient to reschedule. Returns null when it has passed. */
export function rescheduleDeadline(now: Date, visit: { date: string; time: string }): Minute | null {
  const deadline = minuteInIndia(new Date(instantInIndia(visit.date, visit.time).getTime() - CHANGE_NOTICE));
  return hasPassed(deadline, minuteInIndia(now)) ? null : deadline;
}

type Listed = Timed & { status: AppointmentStatus; missed?: boolean };
/** Returns the next visit: the earliest open one that has not passed (spec 001 §4.3). `list` is in order of time. */
export const findNext = <V extends Listed>(list: V[], now: Minute): V | null =>
  list.find((visit) => isOpen(visit) && !isOver(visit, now)) ?? null;

/** Returns the latest visit that is shown as completed, for a patient without an upcoming one. `list` is in order of time. */
export const findLastSeen = <V extends Listed>(list: V[], now: Minute): V | null =>
  list.findLast((visit) => visit.status === "completed" || (visit.status === "accepted" && !visit.missed && isOver(visit, now))) ?? null;
