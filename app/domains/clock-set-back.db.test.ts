/**
 * The clock of a machine is set back by an hour, between a step and the next one: nothing is accepted twice, and what ends does so at most an hour later
 * than before.
 */
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { appointments, queueEntries, queueSessions, slotClaims, waitlistOffers } from "#app/db/schema/index.ts";
import { addDays, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { days, hours, minutes, seconds } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeStaff, makeVisit, newPhone } from "../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../tests/factories/queues.ts";
import { testDb } from "../../tests/setup/test-db.ts";
import { bookAppointment } from "./booking/appointments/book-appointment.server.ts";
import { changeAppointment } from "./booking/appointments/change-appointment.server.ts";
import { sendAppointmentReminders } from "./booking/appointments/send-reminders.server.ts";
import { takeOffer } from "./booking/appointments/take-offer.server.ts";
import { joinWaitlist } from "./booking/waitlist/join-waitlist.server.ts";
import { settleAllWaitlists } from "./booking/waitlist/settle-all.server.ts";
import { startChallenge, verifyChallenge } from "./platform/accounts/otp.server.ts";
import { hasFreshProof } from "./platform/accounts/proof.ts";
import { findSession, touchSession } from "./platform/accounts/queries.server.ts";
import { openSession } from "./platform/accounts/sessions.server.ts";
import { spendLimits } from "./platform/limits/limit.server.ts";
import { LIMITS } from "./platform/limits/limits.ts";
import { claimReplay, settleReplay } from "./platform/limits/replay.server.ts";
import { addWalkIn } from "./waiting-room/queue/add-walk-in.server.ts";
import { callPatient, changeEntry } from "./waiting-room/queue/change-entry.server.ts";
import { changeSession } from "./waiting-room/queue/change-session.server.ts";

const { db, sql, ctx } = testDb();
const HOUR = hours(1);
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: DomainError) => error.code,
  );

describe("a one-time code", () => {
  const START = new Date("2026-11-21T06:00:00Z");
  let addresses = 0;
  const at = (ms: number) => ({ ...ctx(null, new Date(START.getTime() + ms)), ip: `10.9.0.${++addresses}` });
  const start = async () => {
    const phone = newPhone();
    const { challengeId } = await startChallenge(at(0), { purpose: "patient-login", phone });
    const [sent] = await sql<{ body: string }[]>`select body from outbox_messages where "to" = ${phone} order by sent_at desc limit 1`;
    return { idHash: hashToken(challengeId), code: /\d{6}/.exec(sent!.body)![0] };
  };
  const verify = ({ idHash, code }: { idHash: string; code: string }, ms: number) =>
    outcome(verifyChallenge(at(ms), { purposes: "patient-login", idHash, code, consume: true, expired: () => "EXPIRED" }));

  it("works once, and never again when the clock returns", async () => {
    const made = await start();
    expect(await verify(made, -HOUR)).toBe("done");
    for (const ms of [-HOUR, 0, seconds(30)]) expect(await verify(made, ms)).not.toBe("done");
  });
  it("ends at the same instant as before, and has no more than five attempts over both clocks", async () => {
    const [late, guessed] = [await start(), await start()];
    expect(await verify(late, seconds(120))).not.toBe("done");
    const wrong = { ...guessed, code: String((Number(guessed.code) + 1) % 1_000_000).padStart(6, "0") };
    for (const ms of [0, 0, 0, -HOUR, -HOUR]) await verify(wrong, ms);
    for (const ms of [-HOUR, 0]) expect(await verify(guessed, ms)).not.toBe("done");
  });
});

it("a limit stays full, and is free again after its time by the clock that counted it", async () => {
  const now = new Date();
  const at = (ms: number) => ctx(null, new Date(now.getTime() + ms));
  const { max, per } = LIMITS.upload;
  const key = newPhone();
  const spend = (ms: number) => outcome(spendLimits(at(ms), [{ limit: "upload", key }]));
  for (let n = 0; n < max; n++) expect(await spend(0)).toBe("done");
  for (const ms of [0, -HOUR, -minutes(1)]) expect(await spend(ms)).toBe("too-many");
  // The wait that the user reads is not endless either.
  const refused = await spendLimits(at(-HOUR), [{ limit: "upload", key }]).catch((error: DomainError) => error);
  expect((refused as DomainError).retryAfterSeconds! * 1_000).toBeLessThanOrEqual(per + HOUR + seconds(1));
  expect(await spend(per + seconds(1))).toBe("done");
});

it("a session and a proof of identity live at most an hour longer, and a login is not extended", async () => {
  const now = new Date();
  const at = (ms: number) => ctx(null, new Date(now.getTime() + ms));
  const admin = await makeStaff(db, "admin");
  const token = hashToken(await openSession(at(0), admin, "test"));
  const live = async (ms: number) => findSession(at(ms), token);
  // Used while the clock is an hour behind, and then no more.
  await touchSession(at(-HOUR), (await live(-HOUR))!);
  expect([(await live(minutes(29))) !== null, await live(minutes(31))]).toEqual([true, null]);
  await touchSession(at(minutes(29)), (await live(minutes(29)))!);
  const { expiresAt, provenAt } = (await live(minutes(29)))!;
  expect(expiresAt.getTime() - now.getTime()).toBe(hours(12));
  expect(await live(hours(12))).toBeNull();
  const proven = (ms: number) => hasFreshProof({ actor: { ...admin, provenAt }, now: new Date(now.getTime() + ms) });
  expect([proven(-HOUR), proven(minutes(4)), proven(minutes(5))]).toEqual([true, true, false]);
});

it("an answered call of an app is not run again, and one that crashed can be repeated", async () => {
  const patient = await makePatient(db);
  const now = new Date();
  const at = (ms: number) => ctx(patient.actor, new Date(now.getTime() + ms));
  expect(await claimReplay(at(0), { key: "a", call: "x" })).toBe(true);
  await settleReplay(at(0), "a", { fingerprint: "f", status: 200, body: {} });
  for (const ms of [-HOUR, 0, HOUR]) expect(await claimReplay(at(ms), { key: "a", call: "x" })).toBe(false);
  expect(await claimReplay(at(0), { key: "b", call: "x" })).toBe(true);
  expect(await claimReplay(at(minutes(2) + 1), { key: "b", call: "x" })).toBe(true);
});

it("a reminder is sent once", async () => {
  const [patient, doctor] = [await makePatient(db), await makeDoctor(db)];
  const date = dayFromNow(5);
  const id = await makeVisit(db, { patient, doctor }, { date, time: "12:00", status: "accepted" });
  await db
    .update(appointments)
    .set({ createdAt: new Date(Date.now() - days(3)) })
    .where(eq(appointments.id, id));
  const starts = instantInIndia(date, "12:00").getTime();
  const run = (ms: number) => sendAppointmentReminders(ctx(null, new Date(starts + ms)));
  await run(-hours(23));
  await run(-hours(24));
  await run(-hours(23));
  await run(-hours(2));
  await run(-hours(3));
  await run(-hours(2));
  const sent = await sql<{ kind: string }[]>`select kind from reminders where appointment_id = ${id} order by kind`;
  expect(sent.map(({ kind }) => kind)).toEqual(["day", "hours"]);
});

it("a time is booked once, and an offer of the waitlist is taken once and ends", async () => {
  const day = addDays(todayInIndia(new Date()), 9);
  const noon = instantInIndia(addDays(day, -2), "12:00");
  const later = (ms: number) => new Date(noon.getTime() + ms);
  const doctor = await makeDoctor(db, { slots: [{ date: day, time: "10:00" }] });
  const [booked, owner] = [await makePatient(db), await makePatient(db, { name: "Waits" })];
  const visit = await makeVisit(db, { patient: booked, doctor }, { date: day, time: "10:00" });
  const wish = { doctorId: doctor.id, date: day, practiceId: undefined, appointment: undefined, who: "me", name: undefined } as const;
  await joinWaitlist(ctx(owner.actor, noon), { ...wish, age: 40, gender: "female", days: 0, parts: [], sms: true });
  await changeAppointment(ctx(booked.actor, noon), { id: visit, action: "cancel" });
  const [offer] = await db.select().from(waitlistOffers).where(eq(waitlistOffers.doctorId, doctor.id));
  // The job of the earlier clock neither ends nor repeats the offer.
  await settleAllWaitlists(ctx(null, later(-HOUR)));
  expect(await db.$count(waitlistOffers, eq(waitlistOffers.doctorId, doctor.id))).toBe(1);
  const taken = [];
  for (const ms of [-HOUR, 0, minutes(1)]) taken.push(await outcome(takeOffer(ctx(owner.actor, later(ms)), offer!.id)));
  expect(taken.filter((one) => one === "done").length).toBeGreaterThan(0);
  expect(await db.$count(slotClaims, eq(slotClaims.doctorId, doctor.id))).toBe(1);
  expect(await db.$count(appointments, eq(appointments.patientId, owner.id))).toBe(1);
});

it("the form of a booking makes one appointment", async () => {
  const day = dayFromNow(6);
  const doctor = await makeDoctor(db);
  await addSlots(db, doctor.id, [
    { date: day, time: "10:00" },
    { date: day, time: "10:30" },
  ]);
  const patient = await makePatient(db);
  const now = new Date();
  const book = (ms: number) =>
    bookAppointment(ctx(patient.actor, new Date(now.getTime() + ms)), {
      ...{ doctorId: doctor.id, date: day, time: "10:00", idempotencyKey: "of-one-form", name: "Lakshmi Devi", phone: patient.phone },
      ...{ age: 40, gender: "female", reason: "", medicalHistory: "", bloodGroup: undefined, records: [] },
    } as never);
  const made = [await book(0), await book(-HOUR), await book(minutes(1))];
  expect(new Set(made.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await db.$count(appointments, eq(appointments.patientId, patient.id))).toBe(1);
});

it("a queue gives each number once, and every entry can be ended", async () => {
  const { doctor, reception } = await makeClinic(db);
  const sessionId = await makeSession(db, doctor.id, { state: "planned" });
  const now = new Date();
  const at = (ms: number) => ctx(reception, new Date(now.getTime() + ms));
  const walkIn = (ms: number, key: string) => addWalkIn(at(ms), { sessionId, name: `Patient ${key}`, phone: newPhone(), formKey: key });
  await changeSession(at(0), { sessionId, action: "open" });
  await changeSession(at(-HOUR), { sessionId, action: "open" });
  const one = await walkIn(0, "a");
  const two = await walkIn(-HOUR, "b");
  expect([one.number, two.number, (await walkIn(0, "a")).number]).toEqual([1, 2, 1]);
  await callPatient(at(0), { sessionId, entryId: one.id, now: true });
  for (const action of ["enter", "finish"] as const) await changeEntry(at(-HOUR), { sessionId, entryId: one.id, action });
  await callPatient(at(-HOUR), { sessionId, entryId: two.id, now: true });
  for (const action of ["enter", "finish"] as const) await changeEntry(at(0), { sessionId, entryId: two.id, action });
  const rows = await db.select().from(queueEntries).where(eq(queueEntries.sessionId, sessionId));
  expect(rows.map(({ state }) => state)).toEqual(["done", "done"]);
  expect((await db.select().from(queueSessions).where(eq(queueSessions.id, sessionId)))[0]).toMatchObject({
    state: "open",
    lastNumber: 2,
    calls: 2,
  });
});
