/** SQL about the reviewer of a case, for queries of `doctors`. */
import { type SQL, sql } from "drizzle-orm";
import { doctors } from "#app/db/schema/index.ts";

/** The assignment of `doctors`, while its user is an active reviewer of the doctor's hospital. */
const valid = sql`case_assignments ca
  join hospital_reviewers hr on hr.user_id = ca.user_id and hr.hospital_id = doctors.hospital_id
  join users cu on cu.id = ca.user_id and cu.status = 'active' where ca.doctor_id = doctors.id`;

export const assigneeId = sql<string | null>`(select ca.user_id from ${valid})`;
export const assigneeName = sql<string | null>`(select cu.staff_name from ${valid})`;
export const isUnassigned: SQL = sql`not exists (select from ${valid})`;
export const isAssignedTo = (userId: string): SQL => sql`exists (select from ${valid} and ca.user_id = ${userId})`;

/** Since when the case has its status: with the hospital, with the administrators. */
export const waitingSince = sql<Date | null>`coalesce((select max(e.at) from verification_events e
  where e.doctor_id = doctors.id and e.to_status = doctors.registration_status), doctors.submitted_at)`.mapWith(doctors.submittedAt);
