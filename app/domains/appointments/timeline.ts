import type { AppointmentStatus } from "#app/db/schema/index.ts";

/** Where "now" is, as read in India. */
export type Clock = { today: string; now: string };
type Timed = { date: string; time: string; status: AppointmentStatus };

/** Spec 001 §4.3: an appointment displays as completed once its time is past. */
export const hasPassed = (a: Timed, clock: Clock) => a.date < clock.today || (a.date === clock.today && a.time < clock.now);

/** Spec 001 §4.3: the earliest non-cancelled one whose date and time are now or later. `list` in order of time. */
export function findNext<A extends Timed>(list: A[], clock: Clock): A | null {
  return list.find((a) => a.status !== "cancelled" && a.status !== "completed" && !hasPassed(a, clock)) ?? null;
}

/** The latest one that displays as completed, for who has nothing to come. `list` in order of time. */
export function findLastSeen<A extends Timed>(list: A[], clock: Clock): A | null {
  return list.findLast((a) => a.status === "completed" || (a.status === "accepted" && hasPassed(a, clock))) ?? null;
}
