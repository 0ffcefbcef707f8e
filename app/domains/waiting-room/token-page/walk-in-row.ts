import type { Age } from "#app/lib/age.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import type { DayToken } from "./row-estimates.ts";

/** A patient without an appointment in the queues of a day. `time`: when the patient came. `patientName`: empty once it was erased. */
export type WalkInRow = {
  id: string;
  date: DateKey;
  time: TimeKey;
  doctorName: string;
  patientName: string;
  age: Age | null;
  gender: Gender | null;
  sessionId: string;
  token: DayToken;
};
