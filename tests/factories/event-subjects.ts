/** One row for each subject of events, all of one practice, inserted directly. */
import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import type { Database } from "#app/db/client.server.ts";
import type { EventSubject } from "#app/domains/platform/events/event-kinds.ts";
import { addDays } from "#app/lib/dates.ts";
import { dayFromNow, makePatient, makeVisit, type TestDoctor } from "./people.ts";
import { makeSession } from "./queues.ts";

/** Returns the ids of the rows. `doctor`, `profile-change`, `membership` and `place-doctor` have none: their events name doctor or place. */
export async function makeEventSubjects(db: Database, sql: postgres.Sql, doctor: TestDoctor): Promise<Record<EventSubject, string>> {
  const patient = await makePatient(db);
  const appointment = await makeVisit(db, { patient, doctor });
  const session = await makeSession(db, doctor.id);
  const id = {
    appointment,
    proposal: randomUUID(),
    practice: doctor.id,
    doctor: doctor.id,
    "profile-change": randomUUID(),
    membership: randomUUID(),
    "place-doctor": randomUUID(),
    payment: randomUUID(),
    "payment-order": randomUUID(),
    "provider-refund": randomUUID(),
    "queue-session": session,
    "queue-entry": randomUUID(),
    "visit-document": randomUUID(),
    waitlist: randomUUID(),
    review: randomUUID(),
  };
  await sql.begin(async (tx) => {
    // Without the triggers of payments and visits: only the rows that lead to the practice count here.
    await tx`set local session_replication_role = replica`;
    await tx`insert into appointment_proposals (id, appointment_id, options, expires_at)
      values (${id.proposal}, ${appointment}, '[{"date":"2030-01-01","time":"10:00"}]', now())`;
    await tx`insert into payment_orders (id, appointment_id, doctor_id, merchant_id, amount, provider, expires_at)
      values (${id["payment-order"]}, ${appointment}, ${doctor.id}, ${doctor.id}, 100, 'local', now())`;
    await tx`insert into payments (id, appointment_id, doctor_id, merchant_id, method, amount, idempotency_key)
      values (${id.payment}, ${appointment}, ${doctor.id}, ${doctor.id}, 'cash', 100, 'k')`;
    await tx`insert into refunds (id, payment_id, method, amount, reason, idempotency_key)
      values (${id["provider-refund"]}, ${id.payment}, 'cash', 100, 'other', 'k')`;
    await tx`insert into queue_entries (id, session_id, number, kind, name, phone, state, code, due_at)
      values (${id["queue-entry"]}, ${session}, 1, 'walk-in', '', '', 'arrived', ${randomUUID()}, now())`;
    await tx`insert into encounters (id, doctor_id, practice_id, appointment_id, date, person_key, patient)
      values (${appointment}, ${doctor.id}, ${doctor.id}, ${appointment}, current_date, 'k', '""')`;
    await tx`insert into visit_documents (id, encounter_id, kind, draft) values (${id["visit-document"]}, ${appointment}, 'prescription', '""')`;
    await tx`insert into waitlist_entries (id, patient_id, doctor_id, practice_id, patient_name, patient_phone, patient_age, patient_gender, from_date, until_date)
      values (${id.waitlist}, ${patient.id}, ${doctor.id}, ${doctor.id}, 'P', '1', 40, 'female', ${dayFromNow(1)}, ${addDays(dayFromNow(1), 3)})`;
    await tx`insert into reviews (id, appointment_id, patient_id, doctor_id, rating) values (${id.review}, ${appointment}, ${patient.id}, ${doctor.id}, 4)`;
  });
  return id;
}
