import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { appointmentProposals, appointments, notifications } from "#app/db/schema/index.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makePractice } from "../../../../tests/factories/practices.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { readOwnChange } from "./caller-times.server.ts";
import { declineProposal, lapseExpiredProposals, proposeTimes, takeProposal } from "./proposals.server.ts";
import { sendAppointmentReminders } from "./send-reminders.server.ts";

const { db, ctx } = testDb();
const [day, later] = [dayFromNow(3), dayFromNow(20)];
const option = { date: later, time: "10:00" };
let doctor: TestDoctor;
let patient: Person;
let visit: string;
beforeEach(async () => {
  [doctor, patient] = [await makeDoctor(db, { slots: [option] }), await makePatient(db)];
  visit = await makeVisit(db, { patient, doctor }, { date: day, time: "11:00", status: "accepted" });
});
const at = (date: string, time: string) => ({ ...ctx(null), now: instantInIndia(date, time) });
const proposalOf = async () => (await db.select().from(appointmentProposals).where(eq(appointmentProposals.appointmentId, visit)))[0]!;
const statusOf = async () => (await db.select().from(appointments).where(eq(appointments.id, visit)))[0]?.status;
const kinds = async () =>
  (await db.select().from(notifications).where(eq(notifications.userId, patient.id))).map(({ kind }) => kind).sort();

it("lapses at the booked time, by the clock and by the job, and the appointment stays", async () => {
  await proposeTimes(ctx(doctor.actor), { id: visit, options: [option] });
  expect((await proposalOf()).expiresAt).toEqual(instantInIndia(day, "11:00"));
  const late = { ...ctx(patient.actor), now: instantInIndia(day, "11:00") };
  await expect(takeProposal(late, { id: visit, proposal: (await proposalOf()).id, at: option })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await lapseExpiredProposals(at(day, "10:59"))).toBe(0);
  expect(await lapseExpiredProposals(at(day, "11:00"))).toBe(1);
  expect([(await proposalOf()).state, await statusOf()]).toEqual(["lapsed", "accepted"]);
  expect(await lapseExpiredProposals(at(day, "11:01"))).toBe(0);
});

it("of an absent doctor is open after the booked time, sends no reminder of it, and cancels the appointment when it lapses", async () => {
  const tomorrow = dayFromNow(1);
  await db
    .update(appointments)
    .set({ date: tomorrow, createdAt: new Date("2020-01-01") })
    .where(eq(appointments.id, visit));
  await proposeTimes(ctx(doctor.actor), { id: visit, options: [option], away: "unwell" });
  const { expiresAt } = await proposalOf();
  expect(expiresAt.getTime()).toBeGreaterThan(instantInIndia(tomorrow, "11:00").getTime());
  expect(await sendAppointmentReminders(at(tomorrow, "09:30"))).toBe(0);
  expect(await lapseExpiredProposals(at(tomorrow, "12:00"))).toBe(0);
  expect(await lapseExpiredProposals({ ...ctx(null), now: expiresAt })).toBe(1);
  expect([(await proposalOf()).state, await statusOf()]).toEqual(["lapsed", "cancelled"]);
  expect(await kinds()).toEqual(["appointment-cancelled-by-doctor", "time-proposed-away"]);
});

it("of an absent doctor can be taken after the booked time", async () => {
  await proposeTimes(ctx(doctor.actor), { id: visit, options: [option], away: "emergency" });
  await db.update(appointmentProposals).set({ expiresAt: instantInIndia(later, "10:00") });
  const after = { ...ctx(patient.actor), now: instantInIndia(day, "12:00") };
  await takeProposal(after, { id: visit, proposal: (await proposalOf()).id, at: option });
  const [row] = await db.select().from(appointments).where(eq(appointments.id, visit));
  expect([row?.status, row?.date]).toEqual(["accepted", later]);
});

it("shows the place of times at another clinic, and reaches the days behind thousands of times", async () => {
  const [next, many] = [dayFromNow(4), Array.from({ length: 12 }, (_, i) => dayFromNow(5 + i))];
  const times = Array.from({ length: 144 }, (_, i) => `${String(Math.floor(i / 6)).padStart(2, "0")}:${i % 6}0`);
  const slots = [{ date: next, time: "18:00" }, ...many.flatMap((date) => times.map((time) => ({ date, time })))];
  const { id: other } = await makePractice(db, doctor.id, { minutes: 10, slots });
  const show = (query: string) =>
    readOwnChange(ctx(doctor.actor), { id: visit, date: day, time: "11:00" }, new Request(`http://nadi.test/${query}`));
  const { view, practiceId } = await show("");
  expect([practiceId, view.places, view.day]).toEqual([doctor.id, true, next]);
  expect(view.times).toMatchObject([{ time: "18:00", practiceId: other, place: expect.any(String) }]);
  expect([view.days.length, view.days[1]]).toEqual([7, { date: many[0], free: 144 }]);
  const far = await show(`?several=1&day=${later}&times=${next}+18:00&times=${next}+19:00`);
  expect(far.view.times).toMatchObject([{ time: "10:00", practiceId: doctor.id }]);
  expect(far.ticked).toMatchObject([{ date: next, time: "18:00", practiceId: other, place: expect.any(String) }]);
});

it("is taken once by two presses, one after the other or at once", async () => {
  await proposeTimes(ctx(doctor.actor), { id: visit, options: [option] });
  const input = { id: visit, proposal: (await proposalOf()).id, at: option };
  await Promise.all([takeProposal(ctx(patient.actor), input), takeProposal(ctx(patient.actor), input)]);
  await takeProposal(ctx(patient.actor), input);
  expect((await db.select().from(notifications).where(eq(notifications.userId, doctor.id))).map(({ kind }) => kind)).toEqual([
    "proposal-taken",
  ]);
  // Another time is not what was taken.
  await expect(takeProposal(ctx(patient.actor), { ...input, at: { ...option, time: "10:30" } })).rejects.toMatchObject({
    code: "not-found",
  });
  await expect(declineProposal(ctx(patient.actor), input)).rejects.toMatchObject({ code: "conflict" });
});

it("is declined once by two presses", async () => {
  await proposeTimes(ctx(doctor.actor), { id: visit, options: [option] });
  const input = { id: visit, proposal: (await proposalOf()).id };
  await declineProposal(ctx(patient.actor), input);
  await declineProposal(ctx(patient.actor), input);
  await expect(takeProposal(ctx(patient.actor), { ...input, at: option })).rejects.toMatchObject({ code: "conflict" });
  expect(await db.$count(notifications, eq(notifications.userId, doctor.id))).toBe(1);
});
