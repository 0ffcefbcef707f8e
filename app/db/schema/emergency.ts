import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { at, createdAt } from "./columns.ts";
import { ofNoPatient } from "./policy.ts";

/** Spec 001 §4.5. IDLE means no run. */
export const EMERGENCY_STATES = ["GETTING_LOCATION", "FINDING_HOSPITALS", "CONTACTING", "COMPLETED", "ERROR"] as const;
export type EmergencyState = (typeof EMERGENCY_STATES)[number];

/** Why a run ended in ERROR. Each has its sentence in the specification (001 §8). */
export const EMERGENCY_PROBLEMS = ["denied", "no-location", "unknown-place", "none-2km", "none-10km", "maps", "unknown"] as const;
export type EmergencyProblem = (typeof EMERGENCY_PROBLEMS)[number];

/** A hospital of a run for its page. */
export type EmergencyHospital = {
  name: string;
  address: string;
  /** For a `tel:` link: digits with an optional +; null: unknown. */
  phone: string | null;
  /** False: only the model gave this number. */
  phoneVerified: boolean;
  /** Metres in a straight line; null: only the model knows the place. */
  distance: number | null;
  /** The metres are from the centre of a typed place or a chosen city: the person may be elsewhere. */
  fromCentre?: true;
  /** Coordinates for directions. */
  at: { latitude: number; longitude: number } | null;
  isDemo: boolean;
};

/** A press of SOS, without a login: the browser has the id, the table its hash. The position is never stored. */
export const emergencyRuns = pgTable(
  "emergency_runs",
  {
    idHash: text().primaryKey(),
    state: text({ enum: EMERGENCY_STATES }).notNull(),
    problem: text({ enum: EMERGENCY_PROBLEMS }),
    hospitals: jsonb().$type<EmergencyHospital[]>().notNull().default([]),
    /** Start of this state; while contacting, the start of the first hospital's 30 seconds. */
    changedAt: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("emergency_runs_created").on(t.createdAt)],
);
ofNoPatient(emergencyRuns);
