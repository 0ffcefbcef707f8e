import type { AppointmentStatus } from "#app/db/schema/index.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import { APPOINTMENT_ACTIONS, canDo } from "./appointment.state.ts";

/** How long after completing a visit its doctor may undo it. */
export const UNDO_TIME = minutes(10);

type Visit = { date: string; time: string; status: AppointmentStatus; completedAt: Date | null };
export type DoctorAction = "accept" | "complete" | "cancel" | "undo-complete";
const DOCTOR_ACTIONS = (Object.keys(APPOINTMENT_ACTIONS) as (keyof typeof APPOINTMENT_ACTIONS)[]).filter(
  (action): action is DoctorAction => action !== "reschedule",
);

/** Returns true once a visit can be completed: from its booked time in India. */
export const hasStarted = (now: Date, visit: { date: string; time: string }) =>
  now.getTime() >= instantInIndia(visit.date, visit.time).getTime();

/** Returns true while the completion of a visit can be undone. A visit without a completion time is too old. */
export const isUndoable = (now: Date, visit: { completedAt: Date | null }) =>
  visit.completedAt !== null && now.getTime() < visit.completedAt.getTime() + UNDO_TIME;

/** Returns the actions that the state and the clock allow its doctor now. Pages show buttons for these only. */
export const actionsOfDoctor = (now: Date, visit: Visit): DoctorAction[] =>
  DOCTOR_ACTIONS.filter((action) => canDo(action, visit.status, "doctor") && isInTime(now, visit, action));

/** Returns true when the clock allows the action. The state table decides the rest. */
export function isInTime(now: Date, visit: Omit<Visit, "status">, action: keyof typeof APPOINTMENT_ACTIONS): boolean {
  if (action === "complete") return hasStarted(now, visit);
  return action !== "undo-complete" || isUndoable(now, visit);
}
