/** What the card of a follow-up shows: words of the server. `id`: of the appointment, null for a visit without one, which has `booking`: the query of the calendar. */
export type ShownFollowUp = { id: string | null; text: string; go: string; booking?: Record<string, string> };
