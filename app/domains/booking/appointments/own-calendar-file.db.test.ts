/** Emails of an appointment have it as a calendar file, which later emails move or cancel. */
import { desc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { notifications, users } from "#app/db/schema/index.ts";
import { sendNotificationEmail } from "#app/domains/platform/notifications/deliver.server.ts";
import type { EmailMessage } from "#app/integrations/email/email.server.ts";
import { makeDoctor, makePatient, makeVisit, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { changeAppointment } from "./change-appointment.server.ts";
import { appointmentQueries } from "./send-reminders.server.ts";

const { db, ctx } = testDb();

/** Sends the newest notification of a user as an email. Returns its calendar file, long lines unfolded. */
async function entryOf(person: Person): Promise<string> {
  const [notice] = await db.select().from(notifications).where(eq(notifications.userId, person.id)).orderBy(desc(notifications.createdAt));
  const sent: EmailMessage[] = [];
  const email = { send: async (message: EmailMessage) => void sent.push(message) };
  await sendNotificationEmail({ ...ctx(), integrations: { ...ctx().integrations, email } } as never, notice!.id, appointmentQueries);
  return sent[0]?.calendar?.replaceAll("\r\n ", "") ?? "";
}

it("adds the appointment, then cancels it under the same id, without its reason", async () => {
  const [patient, doctor] = [await makePatient(db), await makeDoctor(db, { name: "Dr. Calendar" })];
  await db
    .update(users)
    .set({ email: `${patient.id}@elsewhere.test` })
    .where(eq(users.id, patient.id));
  const id = await makeVisit(db, { patient, doctor }, { reason: "Chest pain" });
  await changeAppointment(ctx(doctor.actor), { id, action: "accept" });
  const accepted = await entryOf(patient);
  for (const line of [`UID:${id}`, "STATUS:CONFIRMED", "Dr. Calendar", `/patient/appointments/${id}`]) expect(accepted).toContain(line);
  await changeAppointment(ctx(doctor.actor), { id, action: "cancel" });
  const cancelled = await entryOf(patient);
  for (const line of [`UID:${id}`, "STATUS:CANCELLED"]) expect(cancelled).toContain(line);
  expect(accepted + cancelled).not.toContain("Chest pain");
});

it("gives the file to the patient of the appointment only", async () => {
  const [patient, other, doctor] = [await makePatient(db), await makePatient(db), await makeDoctor(db)];
  const id = await makeVisit(db, { patient, doctor });
  for (const [person, own] of [
    [patient, true],
    [other, false],
    [doctor, false],
  ] as const)
    expect((await appointmentQueries.calendarFileFor(ctx(), person.id, id)) !== null).toBe(own);
  expect(await appointmentQueries.calendarFileFor(ctx(), patient.id, undefined)).toBeNull();
});
