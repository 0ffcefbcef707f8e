import { sql } from "drizzle-orm";

/** SQL: the doctor has signed a prescription of the visit of a row of `queue_entries`. A visit has the id of its appointment, or of its entry. */
export const IS_SIGNED = sql<boolean>`exists (select from visit_documents d
  where d.encounter_id in (queue_entries.appointment_id, queue_entries.id) and d.kind = 'prescription' and d.state = 'signed')`;
