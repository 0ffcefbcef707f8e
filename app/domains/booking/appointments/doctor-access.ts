import { ne, type SQL, sql } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";

/** Days after a visit in which its doctor can open the patient's photo. */
const PHOTO_DAYS = 30;

/** The doctor can open documents unless the visit is cancelled: as a condition on `appointments`, and for a row. */
export const documentsOpen: SQL = ne(appointments.status, "cancelled");
export const areDocumentsOpen = (status: AppointmentStatus): boolean => status !== "cancelled";

/**
 * True while the doctor can open the patient's photo: from acceptance until PHOTO_DAYS after the visit. An appointment that the clinic booked for
 * a caller does not open it: otherwise a phone number would be enough to see the photo of its owner.
 */
export const isPhotoOpen = (now: Date, visit: { status: AppointmentStatus; date: DateKey; forCaller: boolean }): boolean =>
  !visit.forCaller && (visit.status === "accepted" || visit.status === "completed") && addDays(visit.date, PHOTO_DAYS) >= todayInIndia(now);
/** SQL form of isPhotoOpen for an appointment named `a`. */
export const photoOpen = (now: Date): SQL =>
  sql`not a.for_caller and a.status in ('accepted', 'completed') and a.date >= ${addDays(todayInIndia(now), -PHOTO_DAYS)}`;
