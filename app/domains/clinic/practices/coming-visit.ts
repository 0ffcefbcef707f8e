import type { CallerView } from "#app/domains/booking/appointments/caller-times.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";

/** An open appointment that a leave or a closed practice concerns. */
export type ComingVisit = { id: string; practiceId: string; patientName: string; date: DateKey; time: TimeKey };

/** What happens to such appointments: each moves to the time chosen for it, its patient is offered other times, it is cancelled, or it stays. */
export const BOOKED_CHOICES = ["offer", "move", "cancel", "keep"] as const;
export type BookedChoice = (typeof BOOKED_CHOICES)[number];

/** The appointment for which the doctor chooses another time now, and the days and times for it. */
export type Choosing = { id: string; view: CallerView };
