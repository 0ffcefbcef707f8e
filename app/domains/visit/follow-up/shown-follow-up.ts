import type { DateKey } from "#app/lib/dates.ts";

/** What the card of a follow-up shows. `id`: of the appointment, null for a visit without one, which has `booking`: the query of the calendar. */
export type ShownFollowUp = { id: string | null; doctor: string; patient: string; on: DateKey; booking?: Record<string, string> };
