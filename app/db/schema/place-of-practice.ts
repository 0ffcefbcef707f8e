import { sql } from "drizzle-orm";
import { practices } from "./clinic.ts";
import { doctors } from "./people.ts";

/** SQL: the place of a practice today: its own, or for the first practice the hospital of the profile. Needs `practices` and `doctors`. */
export const placeOfPractice = sql<string | null>`coalesce(${practices.hospitalId}, ${doctors.hospitalId})`;
