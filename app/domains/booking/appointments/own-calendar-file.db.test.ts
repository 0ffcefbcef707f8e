/** Emails of an appointment have it as a message to the calendar, which later emails move or cancel. */
import { desc, eq, sql } from "drizzle-orm";
import ICAL from "ical.js";
import { expect, it } from "vitest";
import { notifications, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { sendNotificationEmail } from "#app/domains/platform/delivery/deliver.server.ts";
import { saveSettings } from "#app/domains/platform/settings/save-settings.server.ts";
import type { EmailMessage } from "#app/integrations/email/email.server.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { changeAppointment, rescheduleAppointment } from "./change-appointment.server.ts";
import { moveAppointment } from "./proposals.server.ts";
import { sendOwnChange } from "./send-own-change.server.ts";
import { appointmentQueries } from "./send-reminders.server.ts";

const { db, ctx } = testDb();

/** Runs `work` with an email sender that records. */
async function emailsOf(work: (ctx: Ctx) => Promise<void>): Promise<EmailMessage[]> {
  const sent: EmailMessage[] = [];
  const email = { send: async (message: EmailMessage) => void sent.push(message) };
  await work({ ...ctx(), integrations: { ...ctx().integrations, email } } as never);
  return sent;
}

/** Sends the newest notification of a user as an email. Returns its calendar message. */
async function messageOf(person: Person) {
  const [notice] = await db.select().from(notifications).where(eq(notifications.userId, person.id)).orderBy(desc(notifications.createdAt));
  return readMessage(await emailsOf((by) => sendNotificationEmail(by, notice!.id, appointmentQueries)));
}

/** Returns the calendar message of an email, as ical.js reads it. */
function readMessage(sent: EmailMessage[]) {
  const { method, content } = sent[0]!.calendar!;
  const calendar = new ICAL.Component(ICAL.parse(content) as never);
  const events = calendar.getAllSubcomponents("vevent");
  expect([calendar.getFirstPropertyValue("method"), events.length]).toEqual([method, 1]);
  const of = (name: string) => String(events[0]!.getFirstPropertyValue(name));
  const names = ["uid", "status", "organizer", "attendee", "dtstart", "url", "summary"] as const;
  return {
    method,
    content,
    sequence: Number(of("sequence")),
    ...(Object.fromEntries(names.map((name) => [name, of(name)])) as Record<(typeof names)[number], string>),
  };
}

it("invites to the appointment, moves and cancels it under one id with rising numbers, without its reason", async () => {
  const [patient, doctor] = [await makePatient(db), await makeDoctor(db, { name: "Dr. Calendar" })];
  const address = `${patient.id}@elsewhere.test`;
  await db.update(users).set({ email: address }).where(eq(users.id, patient.id));
  const id = await makeVisit(db, { patient, doctor }, { reason: "Chest pain" });
  const date = dayFromNow(9);
  await addSlots(db, doctor.id, [{ date, time: "16:00" }]);
  // All within one second, and the last by a clock that is behind.
  const now = new Date();
  const at = (ms: number) => ({ ...ctx(doctor.actor), now: new Date(now.getTime() + ms) });
  await changeAppointment(at(0), { id, action: "accept" });
  const accepted = await messageOf(patient);
  await moveAppointment(at(1), { id, at: { date, time: "16:00" } });
  const moved = await messageOf(patient);
  await changeAppointment(at(-2_000), { id, action: "cancel" });
  const [notice] = await db.select().from(notifications).where(eq(notifications.kind, "appointment-cancelled-by-doctor"));
  await db
    .update(notifications)
    .set({ createdAt: new Date(now.getTime() + 5_000) })
    .where(eq(notifications.id, notice!.id));
  const cancelled = await messageOf(patient);
  const people = { uid: id, organizer: "mailto:no-reply@nadi.invalid", attendee: `mailto:${address}` };
  expect(accepted).toMatchObject({ ...people, method: "REQUEST", status: "CONFIRMED" });
  expect(accepted.url).toContain(`/patient/appointments/${id}`);
  expect(accepted.content).toContain("Dr. Calendar");
  expect(moved).toMatchObject({ ...people, method: "REQUEST", dtstart: `${date}T16:00:00` });
  expect(cancelled).toMatchObject({ ...people, method: "CANCEL", status: "CANCELLED", dtstart: `${date}T16:00:00` });
  expect(moved.sequence).toBeGreaterThan(accepted.sequence);
  expect(cancelled.sequence).toBeGreaterThan(moved.sequence);
  for (const { content } of [accepted, moved, cancelled]) {
    expect(content).not.toContain("Chest pain");
    // Outlook opens a named calendar beside the reader's own.
    expect(content).not.toContain("X-WR-CALNAME");
  }
});

it("moves and cancels the entry of a patient who moves and cancels the appointment, unless emails are off", async () => {
  const [patient, doctor] = [await makePatient(db), await makeDoctor(db)];
  const date = dayFromNow(9);
  await addSlots(db, doctor.id, [{ date, time: "16:00" }]);
  const id = await makeVisit(db, { patient, doctor });
  const own = () => emailsOf((by) => sendOwnChange(by, id));
  const jobs = async () =>
    (await db.execute(sql`select from pgboss.job where name = 'own-change-email' and data->>'appointmentId' = ${id}`)).length;
  expect(await own()).toEqual([]);
  await db
    .update(users)
    .set({ email: `${patient.id}@elsewhere.test` })
    .where(eq(users.id, patient.id));
  await changeAppointment(ctx(doctor.actor), { id, action: "accept" });
  const accepted = await messageOf(patient);
  expect(await jobs()).toBe(0);
  await rescheduleAppointment(ctx(patient.actor), { id, date, time: "16:00" });
  const moved = readMessage(await own());
  await changeAppointment(ctx(patient.actor), { id, action: "cancel" });
  expect(await jobs()).toBe(2);
  const cancelled = readMessage(await own());
  expect(moved).toMatchObject({ uid: id, method: "REQUEST", status: "TENTATIVE", dtstart: `${date}T16:00:00` });
  expect(cancelled).toMatchObject({ uid: id, method: "CANCEL", status: "CANCELLED" });
  expect(moved.sequence).toBeGreaterThan(accepted.sequence);
  expect(cancelled.sequence).toBeGreaterThan(moved.sequence);
  expect((await own())[0]).toMatchObject({ to: `${patient.id}@elsewhere.test`, subject: "Appointment cancelled · Nadi" });
  await saveSettings(ctx(patient.actor), "notifications", { email: false });
  expect(await own()).toEqual([]);
});

it("gives the message to the patient of the appointment only", async () => {
  const [patient, other, doctor] = [await makePatient(db), await makePatient(db), await makeDoctor(db)];
  const id = await makeVisit(db, { patient, doctor });
  for (const [person, own] of [
    [patient, true],
    [other, false],
    [doctor, false],
  ] as const)
    expect((await appointmentQueries.invitationFor(ctx(), { userId: person.id, email: "someone@demo.test" }, id)) !== null).toBe(own);
  expect(await appointmentQueries.invitationFor(ctx(), { userId: patient.id, email: "someone@demo.test" }, undefined)).toBeNull();
});
