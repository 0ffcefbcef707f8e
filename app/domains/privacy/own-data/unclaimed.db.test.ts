/** Accounts that a clinic opened for a caller: no reminders, and deleted when the patient never logs in. */
import { and, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { appointments, auditLog, notifications, patients, users } from "#app/db/schema/index.ts";
import { bookForCaller } from "#app/domains/booking/appointments/book-for-caller.server.ts";
import { sendAppointmentReminders } from "#app/domains/booking/appointments/send-reminders.server.ts";
import { claimAccount } from "#app/domains/platform/accounts/unclaimed-account.server.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { days, hours } from "#app/lib/durations.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { addSlots, dayFromNow, makePatient, newPhone } from "../../../../tests/factories/people.ts";
import { makeClinic } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { sweepUnclaimed, UNCLAIMED_FOR } from "./delete-account.server.ts";

const { db, ctx } = testDb();
const DATE = dayFromNow(6);
const START = instantInIndia(DATE, "10:00");

async function bookCaller(phone = newPhone()) {
  const clinic = await makeClinic(db);
  await addSlots(db, clinic.doctor.id, [{ date: DATE, time: "10:00" }]);
  const { id } = await bookForCaller(ctx(clinic.reception), {
    hospitalId: clinic.place.id,
    doctorId: clinic.doctor.id,
    at: { date: DATE, time: "10:00" },
    phone,
    name: "Lakshmi Devi",
    age: 54,
    gender: "female",
    idempotencyKey: randomToken(),
  });
  const [row] = await db.select({ patientId: appointments.patientId }).from(appointments).where(eq(appointments.id, id));
  return { id, phone, patientId: row!.patientId };
}
const kinds = async (userId: string) =>
  (await db.select({ kind: notifications.kind }).from(notifications).where(eq(notifications.userId, userId))).map(({ kind }) => kind);
const statusOf = async (userId: string) => (await db.select({ status: users.status }).from(users).where(eq(users.id, userId)))[0]?.status;

it("sends no reminder to a phone whose owner has not logged in, and reminders after that", async () => {
  const { patientId } = await bookCaller();
  const soon = ctx(null, new Date(START.getTime() - hours(1)));
  await sendAppointmentReminders(soon);
  expect(await kinds(patientId)).toEqual(["appointment-booked-for-you"]);
  expect([await claimAccount(ctx(null), patientId), await claimAccount(ctx(null), patientId)]).toEqual([true, false]);
  await sendAppointmentReminders(soon);
  expect((await kinds(patientId)).sort()).toEqual(["account-claimed", "appointment-booked-for-you", "appointment-reminder-hours"]);
});

it("deletes an unclaimed account some months after its last appointment, and no other account", async () => {
  const [left, claimed] = [await bookCaller(), await bookCaller()];
  const [known] = [await bookCaller((await makePatient(db)).phone)];
  await claimAccount(ctx(null), claimed.patientId);
  const later = (ms: number) => ctx(null, new Date(START.getTime() + UNCLAIMED_FOR + ms));
  await sweepUnclaimed(later(-days(2)));
  expect(await statusOf(left.patientId)).toBe("active");
  await sweepUnclaimed(later(days(2)));
  expect([await statusOf(left.patientId), await statusOf(claimed.patientId), await statusOf(known.patientId)]).toEqual([
    "deleted",
    "active",
    "active",
  ]);
  const [visit] = await db
    .select({ phone: appointments.patientPhone, name: appointments.patientName, age: appointments.patientAge })
    .from(appointments)
    .where(eq(appointments.id, left.id));
  expect(visit).toMatchObject({ phone: "" });
  expect(visit?.name).not.toContain("Lakshmi");
  expect(await kinds(left.patientId)).toEqual([]);
  expect(await db.select().from(users).where(eq(users.phone, left.phone))).toEqual([]);
  const [audit] = await db
    .select({ role: auditLog.actorRole })
    .from(auditLog)
    .where(and(eq(auditLog.action, "remove-unclaimed-account"), eq(auditLog.personId, left.patientId)));
  expect(audit).toEqual({ role: "system" });
  expect(await sweepUnclaimed(later(days(2)))).toBe(0);
  expect(await db.$count(patients, eq(patients.id, left.patientId))).toBe(1);
});
