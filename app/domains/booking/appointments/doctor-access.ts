import { ne, type SQL, sql } from "drizzle-orm";
import { type AppointmentStatus, appointments } from "#app/db/schema/index.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";

/** Days after a visit on which its doctor still sees the patient's photo. */
const PHOTO_DAYS = 30;

/** A cancelled visit closes its documents to the doctor: the condition on `appointments`, and the same for a row. */
export const documentsOpen: SQL = ne(appointments.status, "cancelled");
export const areDocumentsOpen = (status: AppointmentStatus): boolean => status !== "cancelled";

/** The doctor sees the patient's photo from acceptance until PHOTO_DAYS after the visit. */
export const isPhotoOpen = (now: Date, visit: { status: AppointmentStatus; date: DateKey }): boolean =>
  (visit.status === "accepted" || visit.status === "completed") && addDays(visit.date, PHOTO_DAYS) >= todayInIndia(now);
/** The same as a condition on an appointment named `a`. */
export const photoOpen = (now: Date): SQL =>
  sql`a.status in ('accepted', 'completed') and a.date >= ${addDays(todayInIndia(now), -PHOTO_DAYS)}`;
