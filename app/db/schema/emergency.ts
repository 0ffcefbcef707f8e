import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { at, createdAt } from "./columns.ts";

/** Specification 001 §4.5. IDLE is the absence of a run. */
export const EMERGENCY_STATES = ["GETTING_LOCATION", "FINDING_HOSPITALS", "CONTACTING", "COMPLETED", "ERROR"] as const;
export type EmergencyState = (typeof EMERGENCY_STATES)[number];

/** Why a run ended in ERROR; each has its sentence in the specification (001 §8). */
export const EMERGENCY_PROBLEMS = ["denied", "no-location", "unknown-place", "none-2km", "none-10km", "maps", "unknown"] as const;
export type EmergencyProblem = (typeof EMERGENCY_PROBLEMS)[number];

/** One hospital of a run, as it is shown. */
export type EmergencyHospital = {
  name: string;
  address: string;
  /** For a `tel:` link, digits only with an optional +; null: none is known. */
  phone: string | null;
  /** False: only the model gave this number. */
  phoneVerified: boolean;
  /** Metres as the crow flies; null: only the model knows the place. */
  distance: number | null;
  /** Degrees, for the way there. */
  at: { latitude: number; longitude: number } | null;
  isDemo: boolean;
};

/** One press of SOS. Nobody is logged in: the browser holds the id, the table its hash. The position itself is never written. */
export const emergencyRuns = pgTable(
  "emergency_runs",
  {
    idHash: text().primaryKey(),
    state: text({ enum: EMERGENCY_STATES }).notNull(),
    problem: text({ enum: EMERGENCY_PROBLEMS }),
    hospitals: jsonb().$type<EmergencyHospital[]>().notNull().default([]),
    /** When this state began; while contacting, when the first hospital's 30 seconds began. */
    changedAt: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("emergency_runs_created").on(t.createdAt)],
);
