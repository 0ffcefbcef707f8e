import type { DateKey, TimeKey } from "#app/lib/dates.ts";

/** An open appointment that a leave or a closed practice concerns. */
export type ComingVisit = { id: string; patientName: string; date: DateKey; time: TimeKey };
