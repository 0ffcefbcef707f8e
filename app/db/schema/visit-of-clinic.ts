import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { appointments } from "./appointments.ts";

/**
 * SQL: the doctor worked for the hospital or clinic at this instant: from the day on which they accepted each other until they parted. What came
 * before is of another practice, and its patients are not the clinic's (docs/decisions/049).
 */
export const workedFor = (hospitalId: string, of: { doctorId: AnyPgColumn; at: SQL }): SQL =>
  sql`exists (select from place_doctors pd where pd.hospital_id = ${hospitalId} and pd.doctor_id = ${of.doctorId}
    and ${of.at} >= date_trunc('day', pd.accepted_at, 'Asia/Kolkata') and (pd.state = 'active' or ${of.at} < pd.ended_at))`;

/** SQL: the appointment is one of the hospital or clinic, for its lists, searches, imports and exports. */
export const isVisitOf = (hospitalId: string): SQL =>
  sql`(${appointments.hospitalId} = ${hospitalId} and ${workedFor(hospitalId, {
    doctorId: appointments.doctorId,
    at: sql`(${appointments.date} + ${appointments.time}) at time zone 'Asia/Kolkata'`,
  })})`;
