import { sql } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import type { Canceller } from "#app/lib/vocabulary.ts";
import { reasonWord } from "./words.ts";

/** Converts "10:30:00" of Postgres to "10:30" and stored default texts to the reader's language. */
export function asRead<T extends { time: string; patientName: string; reason?: string; expectedTime?: string | null }>(row: T): T {
  const { time, patientName, reason, expectedTime } = row;
  return {
    ...row,
    time: time.slice(0, 5),
    ...(expectedTime && { expectedTime: expectedTime.slice(0, 5) }),
    patientName: patientNameWord(patientName),
    ...(reason && { reason: reasonWord(reason) }),
  };
}

/** SQL: the patient did not come (waiting-room/queue). */
export const missed = sql<boolean>`${appointments.noShowAt} is not null`;

/** SQL: who cancelled. "clinic": a member of the place, for the doctor. */
export const whoCancelled = sql<Canceller | null>`case when ${appointments.cancelledAtDesk} then 'clinic' else ${appointments.cancelledBy} end`;

/** Sorts by time, then by description. SQL cannot sort by the description: it is encrypted. */
export const byUpload = (a: { uploadedAt: Date; description: string }, b: typeof a): number =>
  a.uploadedAt.getTime() - b.uploadedAt.getTime() || (a.description < b.description ? -1 : a.description > b.description ? 1 : 0);
