import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { appointments, doctors, encounters, notifications, outboxMessages, patients, users } from "#app/db/schema/index.ts";
import { appointmentQueries } from "#app/domains/booking/appointments/send-reminders.server.ts";
import { sendNotificationEmail, sendNotificationSms } from "#app/domains/platform/delivery/deliver.server.ts";
import { saveSettings } from "#app/domains/platform/settings/save-settings.server.ts";
import { addDays, instantInIndia } from "#app/lib/dates.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { openEncounter } from "../encounters/own-visit.server.ts";
import { bookFollowUp, findFollowUp, findNextFollowUp } from "./follow-ups.server.ts";
import { reminderDay, remindFollowUps, withFollowUps } from "./remind-follow-ups.server.ts";

const { db, ctx } = testDb();
const ON = dayFromNow(20);
const VISITED = dayFromNow(-1);
const ask = withFollowUps(appointmentQueries);
let patient: Person;
let doctor: TestDoctor;
let visitId: string;
let hour = 0;
/** The job at this time of the day, some days before the follow-up. */
const daysBefore = (days: number, time = "10:00") => ctx(null, instantInIndia(addDays(ON, -days), time));
const notified = () => db.select().from(notifications).where(eq(notifications.userId, patient.id));
const setFollowUp = (on: string | null) => db.update(encounters).set({ followUpOn: on }).where(eq(encounters.id, visitId));
/** Stores a visit of yesterday with a follow-up. */
async function newFollowUp({ name = "Proof Patient", on = ON, date = VISITED } = {}) {
  const time = `${String(hour++ % 24).padStart(2, "0")}:30`;
  const id = await makeVisit(db, { patient, doctor }, { date, time, status: "completed", name });
  await openEncounter(ctx(doctor.actor), id);
  await db.update(encounters).set({ followUpOn: on }).where(eq(encounters.id, id));
  return id;
}
const book = (over: Parameters<typeof makeVisit>[2] = {}) =>
  makeVisit(db, { patient, doctor }, { date: dayFromNow(18), status: "accepted", ...over });

beforeEach(async () => {
  await db.update(encounters).set({ followUpOn: null });
  patient = await makePatient(db);
  doctor = await makeDoctor(db, {
    slots: [
      { date: dayFromNow(17), time: "10:00" },
      { date: dayFromNow(21), time: "16:00" },
      { date: dayFromNow(40), time: "10:00" },
    ],
  });
  visitId = await newFollowUp();
});

describe("the card", () => {
  const cards = async () => (await findNextFollowUp(ctx(patient.actor)))?.id ?? null;
  it("names doctor, patient and day, and leads to the free time nearest to the day", async () => {
    const card = await findFollowUp(ctx(patient.actor), visitId);
    expect(card).toMatchObject({ id: visitId, patient: "Proof Patient", on: dayFromNow(20) });
    expect(await cards()).toBe(visitId);
    expect(await bookFollowUp(ctx(patient.actor), visitId)).toEqual({
      doctorId: doctor.id,
      practiceId: doctor.id,
      date: dayFromNow(21),
      time: "16:00",
    });
  });
  it("is the account's own", async () => {
    const other = await makePatient(db);
    expect(await findNextFollowUp(ctx(other.actor))).toBeNull();
    expect(await findFollowUp(ctx(other.actor), visitId)).toBeNull();
    await expect(bookFollowUp(ctx(other.actor), visitId)).rejects.toMatchObject({ code: "not-found" });
  });
  it("ends with a later appointment of the same person, and not with one of the family, a cancelled or a missed one", async () => {
    await book({ name: "Another Person" });
    await book({ status: "cancelled", time: "11:00" });
    const missed = await book({ time: "12:00" });
    await db.update(appointments).set({ noShowAt: new Date() }).where(eq(appointments.id, missed));
    expect(await cards()).toBe(visitId);
    await book({ time: "13:00", name: " proof  PATIENT" });
    expect(await cards()).toBeNull();
    expect(await bookFollowUp(ctx(patient.actor), visitId)).toEqual({ doctorId: doctor.id });
  });
  it("ends when the patient came back, the prescription was cancelled, or the doctor cannot be booked", async () => {
    const sister = await newFollowUp({ name: "Another Person", on: dayFromNow(25), date: dayFromNow(0) });
    expect(await cards()).toBe(visitId);
    const later = await newFollowUp({ on: dayFromNow(26), date: dayFromNow(0) });
    expect(await cards()).toBe(sister);
    await db.update(doctors).set({ registrationStatus: "suspended" }).where(eq(doctors.id, doctor.id));
    expect(await cards()).toBeNull();
    await db.update(doctors).set({ registrationStatus: "verified" }).where(eq(doctors.id, doctor.id));
    await db.update(encounters).set({ followUpOn: null }).where(eq(encounters.id, later));
    expect(await cards()).toBe(sister);
  });
  it("is on the dashboard from 30 days before to 14 days after, and on the visit's page at once", async () => {
    const counts = [];
    for (const on of [31, 30, 0, -14, -15]) {
      await setFollowUp(dayFromNow(on));
      counts.push([on, (await cards()) ? 1 : 0, (await findFollowUp(ctx(patient.actor), visitId)) ? 1 : 0]);
    }
    expect(counts).toEqual([
      [31, 0, 1],
      [30, 1, 1],
      [0, 1, 1],
      [-14, 1, 1],
      [-15, 0, 0],
    ]);
  });
});

describe("the reminder", () => {
  it.each([
    ["2026-11-24", null],
    ["2026-11-25", "2026-11-24"],
    ["2026-11-29", "2026-11-28"],
    ["2026-11-30", "2026-11-27"],
    ["2027-02-21", "2027-02-18"],
  ])("for the %s after a visit on 23 November is due from %s", (on, day) => expect(reminderDay({ visitedOn: "2026-11-23", on })).toBe(day));
  it("is sent once, three days before, even when several processes run the job", async () => {
    await remindFollowUps(daysBefore(4));
    expect(await notified()).toEqual([]);
    const counts = await Promise.all(Array.from({ length: 10 }, () => remindFollowUps(daysBefore(3))));
    expect(counts.reduce((a, b) => a + b)).toBe(1);
    await remindFollowUps(daysBefore(2));
    const [only, ...more] = await notified();
    expect(more).toEqual([]);
    expect(only).toMatchObject({ kind: "follow-up-due", targetPath: `/patient/appointments/${visitId}` });
    expect(only!.params).toMatchObject({ patient: "Proof Patient", date: ON, visit: visitId });
  });
  it("is sent in daytime only, and on the day itself no more", async () => {
    for (const time of ["08:59", "20:00", "23:30", "03:00"]) expect(await remindFollowUps(daysBefore(3, time))).toBe(0);
    expect(await remindFollowUps(daysBefore(0))).toBe(0);
    expect(await remindFollowUps(daysBefore(1, "09:00"))).toBe(1);
  });
  it("is not sent when the next visit is booked, and sent again for another day only", async () => {
    await book();
    expect(await remindFollowUps(daysBefore(3))).toBe(0);
    const other = await newFollowUp({ name: "Another Person" });
    expect(await remindFollowUps(daysBefore(3))).toBe(1);
    await db
      .update(encounters)
      .set({ followUpOn: addDays(ON, 1) })
      .where(eq(encounters.id, other));
    expect(await remindFollowUps(daysBefore(2))).toBe(1);
    expect(await notified()).toHaveLength(2);
  });
  it("is not sent to an unclaimed or a deleted account", async () => {
    await db.update(patients).set({ unclaimedSince: new Date() }).where(eq(patients.id, patient.id));
    expect(await remindFollowUps(daysBefore(3))).toBe(0);
    await db.update(patients).set({ unclaimedSince: null }).where(eq(patients.id, patient.id));
    await db.update(users).set({ status: "deleted" }).where(eq(users.id, patient.id));
    expect(await remindFollowUps(daysBefore(3))).toBe(0);
    await db.update(users).set({ status: "active" }).where(eq(users.id, patient.id));
    expect(await remindFollowUps(daysBefore(3))).toBe(1);
  });
  it("honours the settings of the patient, the hours, and a booking while it waits", async () => {
    await db
      .update(users)
      .set({ email: `${patient.id}@test.example` })
      .where(eq(users.id, patient.id));
    await db.update(appointments).set({ smsUpdates: false }).where(eq(appointments.id, visitId));
    await remindFollowUps(daysBefore(3));
    const [{ id } = { id: "" }] = await notified();
    const sent = async (now = daysBefore(3)) => {
      await db.delete(outboxMessages);
      await sendNotificationEmail(now, id, ask);
      await sendNotificationSms(now, id, ask);
      return db.select().from(outboxMessages);
    };
    const channels = async (now = daysBefore(3)) => (await sent(now)).map(({ channel }) => channel).sort();
    expect(await channels()).toEqual(["email"]);
    await saveSettings(ctx(patient.actor), "notifications", { sms: true });
    expect(await channels()).toEqual(["email", "sms"]);
    const sms = (await sent()).find(({ channel }) => channel === "sms");
    expect(sms?.body).toContain("Follow-up visit is due");
    expect(sms?.body).not.toMatch(/Proof|Dr/);
    expect(await channels(daysBefore(3, "21:00"))).toEqual([]);
    await saveSettings(ctx(patient.actor), "notifications", { appointmentReminders: false });
    expect(await channels()).toEqual([]);
    await saveSettings(ctx(patient.actor), "notifications", { appointmentReminders: true });
    await book();
    expect(await channels()).toEqual([]);
    expect(await db.$count(notifications, and(eq(notifications.userId, patient.id), eq(notifications.kind, "follow-up-due")))).toBe(1);
  });
});
