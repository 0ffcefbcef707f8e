import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { appointments, notifications, outboxMessages, reminders, users } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { sendNotificationEmail, sendNotificationSms } from "#app/domains/platform/delivery/deliver.server.ts";
import { saveSettings } from "#app/domains/platform/settings/save-settings.server.ts";
import { startWorkers } from "#app/jobs/worker.server.ts";
import { type DateKey, formatDate, instantInIndia } from "#app/lib/dates.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { changeAppointment, rescheduleAppointment } from "./change-appointment.server.ts";
import { appointmentQueries, DAY_BEFORE, dueReminder, HOURS_BEFORE, sendAppointmentReminders } from "./send-reminders.server.ts";

const { db, ctx } = testDb();
const DATE: DateKey = dayFromNow(40);
const START = instantInIndia(DATE, "10:00");
const ahead = (ms: number) => ctx(null, new Date(START.getTime() - ms));
const SLOTS = [
  { date: DATE, time: "10:00" },
  { date: dayFromNow(41), time: "11:00" },
];
let patient: Person;
let doctor: TestDoctor;
let id: string;
beforeEach(async () => {
  await db.delete(notifications);
  await db.delete(appointments);
  patient = await makePatient(db);
  doctor = await makeDoctor(db, { slots: SLOTS });
  id = await makeVisit(db, { patient, doctor }, { date: DATE, status: "accepted" });
});
const notified = async (who: { id: string } = patient) =>
  (await db.select({ kind: notifications.kind }).from(notifications).where(eq(notifications.userId, who.id))).map((n) => n.kind);

describe("due reminders", () => {
  const booked = new Date(START.getTime() - hours(100));
  it.each([
    [hours(24) + 1, null],
    [hours(24), "day"],
    [hours(12) + 1, "day"],
    [hours(12), null],
    [hours(2) + 1, null],
    [hours(2), "hours"],
    [1, "hours"],
    [0, null],
    [-1, null],
  ] as const)("%i ms before: %s", (ms, kind) =>
    expect(dueReminder({ startsAt: START, bookedAt: booked }, new Date(START.getTime() - ms))).toBe(kind),
  );
  it("sends none for a visit that was booked a moment ago", () => {
    const at = (ms: number) => new Date(START.getTime() - ms);
    expect(dueReminder({ startsAt: START, bookedAt: at(hours(20)) }, at(hours(19)))).toBeNull();
    expect(dueReminder({ startsAt: START, bookedAt: at(hours(20)) }, at(hours(1)))).toBe("hours");
    expect(dueReminder({ startsAt: START, bookedAt: at(hours(1.5)) }, at(hours(1)))).toBeNull();
  });
});

it("sends one reminder a day before and one two hours before, even when several processes run the job", async () => {
  await sendAppointmentReminders(ahead(DAY_BEFORE + minutes(1)));
  expect(await notified()).toEqual([]);
  const counts = await Promise.all(Array.from({ length: 20 }, () => sendAppointmentReminders(ahead(DAY_BEFORE))));
  expect(counts.reduce((a, b) => a + b)).toBe(1);
  await sendAppointmentReminders(ahead(hours(20))); // as after a restart
  expect(await notified()).toEqual(["appointment-reminder-day"]);
  await Promise.all(Array.from({ length: 20 }, () => sendAppointmentReminders(ahead(HOURS_BEFORE))));
  expect((await notified()).sort()).toEqual(["appointment-reminder-day", "appointment-reminder-hours"]);
  await sendAppointmentReminders(ahead(-1));
  expect(await notified()).toHaveLength(2);
  expect(await notified(doctor)).toEqual([]);
});

it("notifies the doctor too when a request was not answered", async () => {
  await db.update(appointments).set({ status: "pending" }).where(eq(appointments.id, id));
  await sendAppointmentReminders(ahead(DAY_BEFORE));
  expect(await notified(doctor)).toEqual(["appointment-unanswered"]);
  await sendAppointmentReminders(ahead(HOURS_BEFORE));
  expect(await notified(doctor)).toHaveLength(1);
});

it.each(["cancelled", "completed"] as const)("sends none for a %s visit", async (status) => {
  await db.update(appointments).set({ status }).where(eq(appointments.id, id));
  expect(await sendAppointmentReminders(ahead(DAY_BEFORE))).toBe(0);
  expect(await sendAppointmentReminders(ahead(HOURS_BEFORE))).toBe(0);
});

it("sends new reminders for a moved visit, and none for its old time", async () => {
  await sendAppointmentReminders(ahead(DAY_BEFORE));
  const as: Actor = patient.actor;
  const moved = SLOTS[1]!;
  await rescheduleAppointment(ctx(as, new Date(START.getTime() - hours(24))), { id, ...moved });
  await db.delete(notifications);
  expect(await sendAppointmentReminders(ahead(HOURS_BEFORE))).toBe(0);
  const then = instantInIndia(moved.date, moved.time).getTime();
  expect(await sendAppointmentReminders(ctx(null, new Date(then - DAY_BEFORE)))).toBe(1);
  expect(await sendAppointmentReminders(ctx(null, new Date(then - HOURS_BEFORE)))).toBe(1);
  expect(await db.select().from(reminders).where(eq(reminders.appointmentId, id))).toHaveLength(3);
});

it("cancelling at the same moment sends either the reminder before it or none", async () => {
  for (let round = 0; round < 10; round++) {
    const visit = await makeVisit(db, { patient, doctor }, { date: DATE, time: `1${round % 10}:30`, status: "accepted" });
    const now = instantInIndia(DATE, `1${round % 10}:30`).getTime() - HOURS_BEFORE;
    await Promise.all([
      changeAppointment(ctx(doctor.actor, new Date(now)), { id: visit, action: "cancel" }),
      ...Array.from({ length: 3 }, () => sendAppointmentReminders(ctx(null, new Date(now)))),
    ]);
    const rows = await db.select().from(notifications).where(eq(notifications.userId, patient.id));
    const mine = rows.filter((n) => n.params.appointment === visit && n.kind.startsWith("appointment-reminder"));
    expect(mine.length).toBeLessThanOrEqual(1);
    expect((await db.select().from(reminders).where(eq(reminders.appointmentId, visit))).length).toBe(mine.length);
    await db.delete(notifications);
    expect(await sendAppointmentReminders(ctx(null, new Date(now)))).toBe(0);
  }
});

describe("the channels a user chose", () => {
  /** Returns what is sent for the current reminder. */
  async function sent(now = ahead(DAY_BEFORE)): Promise<string[]> {
    const [row] = await db.select().from(notifications).where(eq(notifications.userId, patient.id));
    await db.delete(outboxMessages);
    await sendNotificationEmail(now, row!.id, appointmentQueries);
    await sendNotificationSms(now, row!.id, appointmentQueries);
    return (await db.select({ channel: outboxMessages.channel }).from(outboxMessages)).map((o) => o.channel).sort();
  }
  beforeEach(async () => {
    await db
      .update(users)
      .set({ email: `${patient.id}@test.example` })
      .where(eq(users.id, patient.id));
    await sendAppointmentReminders(ahead(DAY_BEFORE));
  });
  it("sends email by default, SMS when chosen, and only the notification when reminders are off", async () => {
    expect(await sent()).toEqual(["email"]);
    await saveSettings(ctx(patient.actor), "notifications", { sms: true });
    expect(await sent()).toEqual(["email", "sms"]);
    const [sms] = await db.select().from(outboxMessages).where(eq(outboxMessages.channel, "sms"));
    expect(sms?.body).toContain(`${formatDate(DATE)} at 10:00 AM`);
    expect(sms?.body).toContain("Dr. Proof");
    await saveSettings(ctx(patient.actor), "notifications", { appointmentReminders: false });
    expect(await sent()).toEqual([]);
    expect(await notified()).toEqual(["appointment-reminder-day"]);
  });
  it.each([
    ["te", "నాడి: Dr\\. Proof.*, మీ అపాయింట్‌మెంట్", "ఉదయం 10:00", "గుర్తుచేత"],
    ["hi", "नाड़ी: Dr\\. Proof.*, आपका अपॉइंटमेंट", "सुबह 10:00", "याद"],
  ] as const)("writes email and SMS in the user's language: %s", async (language, begins, time, word) => {
    await db.update(users).set({ language }).where(eq(users.id, patient.id));
    await saveSettings(ctx(patient.actor), "notifications", { sms: true });
    expect(await sent()).toEqual(["email", "sms"]);
    const written = await db.select().from(outboxMessages);
    const sms = written.find((one) => one.channel === "sms");
    expect(sms?.body).toMatch(new RegExp(`^${begins}`));
    expect(sms?.body).toContain(DATE.split("-").reverse().join("/"));
    expect(sms?.body).toContain("10:00 AM");
    const email = written.find((one) => one.channel === "email");
    expect(email?.body).toContain(time);
    expect(`${email?.subject} ${email?.body}`).toContain(word);
  });
  it("sends no queued email after the visit is cancelled or moved, or the account is disabled", async () => {
    expect(await sent(ahead(-1))).toEqual([]);
    await db.update(appointments).set({ status: "cancelled" }).where(eq(appointments.id, id));
    expect(await sent()).toEqual([]);
  });
});

describe("through the queue", () => {
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ stop } = await startWorkers());
  });
  afterAll(() => stop());
  it("runs each minute and sends the email", async () => {
    await db
      .update(users)
      .set({ email: `q${patient.id}@test.example` })
      .where(eq(users.id, patient.id));
    const { sql } = testDb();
    expect(await sql`select cron from pgboss.schedule where name = 'reminders'`).toMatchObject([{ cron: "* * * * *" }]);
    // A visit that is due at the real time.
    const soon = new Date(Date.now() + hours(1.5) + hours(5.5)).toISOString();
    await db
      .update(appointments)
      .set({ date: soon.slice(0, 10), time: soon.slice(11, 16), createdAt: new Date(Date.now() - hours(48)) })
      .where(eq(appointments.id, id));
    const { enqueue } = await import("#app/queue/queue.server.ts");
    await Promise.all([enqueue(ctx(), "reminders", {}), enqueue(ctx(), "reminders", {})]);
    await vi.waitFor(
      async () =>
        expect(
          await db
            .select()
            .from(outboxMessages)
            .where(eq(outboxMessages.to, `q${patient.id}@test.example`)),
        ).toMatchObject([{ subject: expect.stringContaining("Appointment in 2 hours") }]),
      { timeout: 50_000 },
    );
    expect(await notified()).toEqual(["appointment-reminder-hours"]);
  });
});
