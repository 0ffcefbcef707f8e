import type { DateKey } from "#app/lib/dates.ts";
import type { TimelineEntry } from "../records/timeline.ts";

/** Most days of a permission. */
export const MOST_DAYS = 365;
/** Days of a permission when the patient chooses no other day. */
export const USUAL_DAYS = 30;

/** A permission on the patient's page. */
export type ShownPermission = {
  id: string;
  doctorId: string;
  doctor: string;
  until: DateKey;
  /** Ended by the patient or by its date. */
  endedOn: DateKey | null;
  /** How many times the doctor opened records with it since it was given. */
  opened: number;
  lastOpenedAt: Date | null;
};

/** Records of other doctors and of the patient, for the page of a visit. */
export type SharedBeside = {
  until: DateKey;
  entries: TimelineEntry[];
  total: number;
  /** Allergies and conditions in the notes of other doctors, the latest first. */
  known: { kind: "allergy" | "condition"; what: string; doctor: string; date: DateKey }[];
};
