/** SMS about one appointment: what the patient asked for in the booking form, and cancellations, which are always sent. */

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { appointments, notifications, outboxMessages, users } from "#app/db/schema/index.ts";
import { sendNotificationSms } from "#app/domains/platform/delivery/deliver.server.ts";
import { CANCEL_REASONS } from "#app/domains/visit-reasons.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { changeAppointment } from "./change-appointment.server.ts";
import { cancelledWord } from "./own-words.ts";
import { getPatientAppointment } from "./patient-queries.server.ts";
import { appointmentQueries } from "./send-reminders.server.ts";

const { db, ctx } = testDb();
const DATE = dayFromNow(6);
let patient: Person;
let doctor: TestDoctor;
let id: string;
beforeEach(async () => {
  patient = await makePatient(db);
  doctor = await makeDoctor(db, { name: "Dr. Sms" });
  id = await makeVisit(db, { patient, doctor }, { date: DATE, time: "10:00" });
});

/** Sends what waits for the patient, and returns the newest SMS. */
async function smsAfter(change: Promise<void>): Promise<string | null> {
  await change;
  await db.delete(outboxMessages);
  const rows = await db.select().from(notifications).where(eq(notifications.userId, patient.id)).orderBy(notifications.createdAt);
  await sendNotificationSms(ctx(), rows.at(-1)!.id, appointmentQueries);
  const [message] = await db.select().from(outboxMessages).where(eq(outboxMessages.to, patient.phone));
  return message?.body ?? null;
}
const act = (action: "accept" | "cancel", reason?: (typeof CANCEL_REASONS)[number]) =>
  changeAppointment(ctx(doctor.actor), { id, action, ...(reason && { reason }) });

describe("an accepted appointment", () => {
  it("is texted when the patient asked for it", async () => {
    await db.update(appointments).set({ smsUpdates: true }).where(eq(appointments.id, id));
    expect(await smsAfter(act("accept"))).toMatch(/^Nadi: Appointment accepted\. Dr\. Sms.*, \d+ \w+ \d{4} at 10:00 AM\. Please log in at/);
  });
  it("is not texted when the patient did not", async () => expect(await smsAfter(act("accept"))).toBeNull());
});

describe("a cancellation by the doctor", () => {
  it("is always texted: doctor, when, who and why", async () => {
    const body = await smsAfter(act("cancel", "unwell"));
    expect(body).toMatch(
      /^Nadi: your appointment with Dr\. Sms.* on \d+ \w+ \d{4} at 10:00 AM was cancelled by your doctor\. Reason: the doctor is unwell\. Choose another time at \S+\.$/,
    );
  });
  it.each(["te", "hi"] as const)("has each reason in %s", async (language) => {
    await db.update(users).set({ language }).where(eq(users.id, patient.id));
    for (const reason of CANCEL_REASONS) {
      await db.update(appointments).set({ status: "pending" }).where(eq(appointments.id, id));
      const body = await smsAfter(act("cancel", reason));
      expect(body).toContain(DATE.split("-").reverse().join("/"));
      expect(body).toMatch(language === "te" ? /Dr\. Sms.* రద్దు \(డాక్టర్\): .+\. / : /Dr\. Sms.* रद्द \(डॉक्टर\): .+। /);
    }
  });
  it("names no time without a reason: it can still be booked", async () => {
    expect(await smsAfter(act("cancel"))).toContain("Reason: the doctor is not available. ");
    const visit = await getPatientAppointment(ctx(patient.actor), id);
    expect(visit).toMatchObject({ cancelledBy: "doctor", cancelReason: null });
    expect(cancelledWord(visit)).toMatch(/^Dr\. Sms.* cancelled this appointment\.$/);
  });
});

it("has no reason of the doctor when the patient cancels", async () => {
  await changeAppointment(ctx(patient.actor), { id, action: "cancel" });
  expect(await getPatientAppointment(ctx(patient.actor), id)).toMatchObject({ cancelledBy: "patient", cancelReason: null });
  const [notification] = await db.select().from(notifications).where(eq(notifications.userId, doctor.id));
  expect(notification).toMatchObject({ kind: "appointment-cancelled", params: { by: "patient" } });
});
