/** Other times that the doctor proposes, moving an appointment, and the message of a cancellation, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatDate, formatDay } from "#app/lib/dates.ts";
import { readable as textOf } from "../factories/booking.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../factories/people.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

const readable = (html: string) => textOf(html.split("<main")[1] ?? html).replaceAll(/ ([,.:])/g, "$1");
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
  await watchChanges(server);
});
afterAll(() => server?.stop());

const date = dayFromNow(5);
const to = (time: string) => ({ date: dayFromNow(6), time });
type Pair = { doctor: TestDoctor; patient: Person; asDoctor: LoggedIn; asPatient: LoggedIn; visit: string };
let minute = 0;
/** A doctor with free times, a patient and their appointment. */
async function newPair(status: "pending" | "accepted" = "accepted"): Promise<Pair> {
  const doctor = await makeDoctor(server.db, { slots: ["09:00", "09:30", "10:00"].map(to) });
  const patient = await makePatient(server.db);
  const visit = await makeVisit(server.db, { patient, doctor }, { date, time: `11:${String(minute++ % 60).padStart(2, "0")}`, status });
  return {
    doctor,
    patient,
    visit,
    asDoctor: await loginAs(server, { role: "doctor", email: doctor.email }),
    asPatient: await loginAs(server, { role: "patient", phone: patient.phone }),
  };
}
const at = (time: string) => `${to(time).date} ${time}`;
const propose = ({ asDoctor, visit }: Pair, ...times: string[]) =>
  asDoctor.post(`/doctor/patient/${visit}/time`, {
    intent: "propose",
    // As the form sends them: empty ones do not count.
    ...Object.fromEntries([0, 1, 2].map((i) => [`times[${i}]`, times[i] ? at(times[i]) : ""])),
  });
const moveTo = ({ asDoctor, visit }: Pair, time: string) =>
  asDoctor.post(`/doctor/patient/${visit}/time`, { intent: "move", times: at(time) });
const stateOf = ({ visit }: Pair) =>
  server.sql<
    { id: string; state: string }[]
  >`select id, state from appointment_proposals where appointment_id = ${visit} order by created_at, id`;
const open = async (pair: Pair) => (await stateOf(pair)).find(({ state }) => state === "proposed")?.id ?? "";
/** `choice`: a time, or "none". */
const answer = async (pair: Pair, choice: string, proposal?: string) =>
  pair.asPatient.post(`/patient/appointments/${pair.visit}/proposal`, {
    answer: choice === "none" ? choice : at(choice),
    proposal: proposal ?? (await open(pair)),
  });
const visitOf = async ({ visit }: Pair) =>
  (
    await server.sql<
      { status: string; date: string; time: string }[]
    >`select status, date::text, to_char(time, 'HH24:MI') as time from appointments where id = ${visit}`
  )[0];
const kinds = async (userId: string) =>
  (await server.sql<{ kind: string }[]>`select kind from notifications where user_id = ${userId} order by created_at`).map(
    (row) => row.kind,
  );

describe("proposing other times", () => {
  it("leaves the appointment, notifies the patient and offers the choice", async () => {
    const pair = await newPair();
    const before = await visitOf(pair);
    expect((await pair.asDoctor.get(`/doctor/patient/${pair.visit}`)).text).toContain(`/doctor/patient/${pair.visit}/time`);
    expect((await pair.asDoctor.get(`/doctor/patient/${pair.visit}/time`)).text).toContain("Move now");
    expect((await propose(pair, "09:30", "09:00")).status).toBe(303);
    expect(await visitOf(pair)).toEqual(before);
    expect(await kinds(pair.patient.id)).toEqual(["time-proposed"]);
    const words = readable((await pair.asPatient.get(`/patient/appointments/${pair.visit}`)).text);
    for (const time of ["9:00 AM", "9:30 AM"]) expect(words).toContain(`Take ${formatDay(to("").date)}, ${time}`);
    expect(words).not.toContain("10:00 AM");
    expect(words).toContain("Keep my time");
    const notice = readable((await pair.asPatient.get("/patient/notifications")).text);
    expect(notice).toContain("Another time proposed");
    expect(notice).toContain("9:00 AM;");
    expect(readable((await pair.asDoctor.get(`/doctor/patient/${pair.visit}/time`)).text)).toContain("You proposed:");
  });
  it("moves the appointment when the patient takes one, accepted, frees the old time and notifies the doctor", async () => {
    const pair = await newPair("pending");
    const old = (await visitOf(pair))!;
    await addSlots(server.db, pair.doctor.id, [{ date: old.date, time: old.time }]);
    await propose(pair, "09:30", "10:00");
    expect((await answer(pair, "10:00")).location).toBe(`/patient/appointments/${pair.visit}`);
    expect(await visitOf(pair)).toEqual({ status: "accepted", ...to("10:00") });
    expect((await stateOf(pair)).map(({ state }) => state)).toEqual(["taken"]);
    expect(await kinds(pair.doctor.id)).toEqual(["proposal-taken"]);
    expect((await server.sql`select from slot_claims where doctor_id = ${pair.doctor.id}`).count).toBe(1);
    // A second press is the same answer, another time comes too late.
    const [{ id } = { id: "" }] = await stateOf(pair);
    expect((await answer(pair, "10:00", id)).location).toBe(`/patient/appointments/${pair.visit}`);
    expect(await kinds(pair.doctor.id)).toEqual(["proposal-taken"]);
    const other = await answer(pair, "09:30", id);
    expect(other.status).toBe(409);
    expect(readable(other.text)).toContain("This offer of other times has ended.");
  });
  it("keeps the time when the patient declines", async () => {
    const pair = await newPair();
    const before = await visitOf(pair);
    await propose(pair, "09:00");
    expect((await answer(pair, "none")).status).toBe(303);
    expect(await visitOf(pair)).toEqual(before);
    expect((await stateOf(pair)).map(({ state }) => state)).toEqual(["declined"]);
    expect(await kinds(pair.doctor.id)).toEqual(["proposal-declined"]);
    expect((await pair.asPatient.get(`/patient/appointments/${pair.visit}`)).text).not.toContain("Keep my time");
  });
  it("replaces an earlier proposal, and lapses when the appointment ends", async () => {
    const pair = await newPair();
    await propose(pair, "09:00");
    const first = await open(pair);
    await propose(pair, "09:30");
    expect((await stateOf(pair)).map(({ state }) => state).sort()).toEqual(["lapsed", "proposed"]);
    expect((await answer(pair, "09:00", first)).status).toBe(409);
    await pair.asDoctor.post(`/doctor/appointments/${pair.visit}/cancel`, {});
    expect((await stateOf(pair)).map(({ state }) => state)).toEqual(["lapsed", "lapsed"]);
  });
  it("says that a time is gone when another patient booked it or it was removed, and shows the others", async () => {
    const pair = await newPair();
    const before = await visitOf(pair);
    await propose(pair, "09:00", "09:30", "10:00");
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor: pair.doctor }, to("10:00"));
    await server.sql`delete from availability_slots where doctor_id = ${pair.doctor.id} and time = '09:30'`;
    for (const [time, why] of [
      ["10:00", "This slot was just taken."],
      ["09:30", "The doctor does not offer this time."],
    ] as const) {
      const refused = await answer(pair, time);
      expect(refused.status).toBe(409);
      expect(readable(refused.text)).toContain(why);
      expect(readable(refused.text)).toContain("9:00 AM");
      expect(refused.text).not.toContain(`value="${at(time)}"`);
    }
    expect(await visitOf(pair)).toEqual(before);
    expect((await answer(pair, "09:00")).status).toBe(303);
  });
  it("refuses times that are not free, the same time, a past time, four times and a closed appointment", async () => {
    const pair = await newPair();
    const own = await visitOf(pair);
    await addSlots(server.db, pair.doctor.id, [{ date: own!.date, time: own!.time }, to("12:00"), to("12:30")]);
    const post = (times: string | string[]) => pair.asDoctor.post(`/doctor/patient/${pair.visit}/time`, { intent: "propose", times });
    for (const times of [at("16:00"), `${own!.date} ${own!.time}`, `${dayFromNow(-1)} 09:00`, [at("09:00"), at("16:00")]])
      expect((await post(times)).status).toBe(409);
    for (const times of ["x y", "", ["09:00", "09:30", "10:00", "12:00"].map(at)]) expect((await post(times)).status).toBe(400);
    await server.sql`update appointments set status = 'completed' where id = ${pair.visit}`;
    expect((await post(at("09:00"))).status).toBe(409);
    expect(await stateOf(pair)).toEqual([]);
  });
  it("ends in one clear state when the patient takes while the doctor cancels, ten times", async () => {
    for (let i = 0; i < 10; i++) {
      const pair = await newPair();
      await propose(pair, "09:00");
      const proposal = await open(pair);
      const [taken, cancelled] = await Promise.all([
        answer(pair, "09:00", proposal),
        pair.asDoctor.post(`/doctor/appointments/${pair.visit}/cancel`, {}),
      ]);
      expect(cancelled.status).toBe(303);
      expect([303, 409]).toContain(taken.status);
      expect((await visitOf(pair))?.status).toBe("cancelled");
      expect((await stateOf(pair)).map(({ state }) => state)).toEqual([taken.status === 303 ? "taken" : "lapsed"]);
    }
  });
  it("has one open proposal when three are sent at once", async () => {
    const pair = await newPair();
    const answers = await Promise.all(["09:00", "09:30", "10:00"].map((time) => propose(pair, time)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await stateOf(pair)).map(({ state }) => state).sort()).toEqual(["lapsed", "lapsed", "proposed"]);
  });
  it("belongs to its doctor and its patient only", async () => {
    const [pair, other] = [await newPair(), await newPair()];
    await propose(pair, "09:00");
    const proposal = await open(pair);
    const path = `/doctor/patient/${pair.visit}/time`;
    for (const request of [
      () => other.asDoctor.get(path),
      () => other.asDoctor.post(path, { intent: "propose", times: at("09:00") }),
      () => other.asDoctor.post(path, { intent: "move", times: at("09:00") }),
    ])
      expect((await request()).status).toBe(404);
    const theirs = `/patient/appointments/${pair.visit}/proposal`;
    for (const request of [
      () => other.asPatient.get(theirs),
      () => other.asPatient.post(theirs, { answer: at("09:00"), proposal }),
      () => other.asPatient.post(`/patient/appointments/${other.visit}/proposal`, { answer: at("09:00"), proposal }),
      () => other.asPatient.post(theirs, { answer: "none", proposal }),
    ])
      expect((await request()).status).toBe(404);
    expect((await stateOf(pair)).map(({ state }) => state)).toEqual(["proposed"]);
  });
});

describe("moving an appointment", () => {
  it("tells the patient the old and the new time, who may cancel until the start", async () => {
    const pair = await newPair("pending");
    const tomorrow = { date: dayFromNow(1), time: "00:05" };
    await addSlots(server.db, pair.doctor.id, [tomorrow]);
    const old = (await visitOf(pair))!;
    const moved = await pair.asDoctor.post(`/doctor/patient/${pair.visit}/time`, { intent: "move", times: `${tomorrow.date} 00:05` });
    expect([moved.status, moved.location]).toEqual([303, `/doctor/patient/${pair.visit}`]);
    expect(await visitOf(pair)).toEqual({ status: "accepted", ...tomorrow });
    const notice = readable((await pair.asPatient.get("/patient/notifications")).text);
    expect(notice).toContain("Appointment moved");
    for (const day of [old.date, tomorrow.date]) expect(notice).toContain(formatDate(day));
    // Less than 24 hours ahead.
    expect((await pair.asPatient.post(`/patient/appointments/${pair.visit}/cancel`, {})).status).toBe(303);
    expect((await visitOf(pair))?.status).toBe("cancelled");
  });
  it("goes to another practice of the doctor and keeps the fee", async () => {
    const pair = await newPair();
    const [place] = await server.sql<{ id: string }[]>`
      insert into hospitals (name, category, address, city, state) values ('Guntur Clinic', 'Clinic', 'Road', 'Guntur', 'Andhra Pradesh') returning id`;
    const [practice] = await server.sql<{ id: string }[]>`
      insert into practices (doctor_id, hospital_id, fee, state) values (${pair.doctor.id}, ${place!.id}, 90000, 'active') returning id`;
    await server.sql`insert into availability_slots (doctor_id, practice_id, date, time) values (${pair.doctor.id}, ${practice!.id}, ${to("").date}, '18:00')`;
    expect((await pair.asDoctor.get(`/doctor/patient/${pair.visit}/time`)).text).toContain("Guntur Clinic");
    const fee = async () => (await server.sql`select fee, practice_id from appointments where id = ${pair.visit}`)[0];
    const before = await fee();
    expect((await moveTo(pair, "18:00")).status).toBe(303);
    expect(await fee()).toEqual({ fee: before?.fee, practice_id: practice!.id });
    expect(readable((await pair.asPatient.get(`/patient/appointments/${pair.visit}`)).text)).toContain("Guntur Clinic");
  });
  it("refuses a time that was taken, and the time that it has", async () => {
    const pair = await newPair();
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor: pair.doctor }, to("10:00"));
    const refused = await moveTo(pair, "10:00");
    expect([refused.status, readable(refused.text).includes("This slot was just taken.")]).toEqual([409, true]);
    expect((await moveTo(pair, "09:00")).status).toBe(303);
    expect((await moveTo(pair, "09:00")).status).toBe(409);
  });
  it("gives one time to one of two appointments, ten times", async () => {
    for (let i = 0; i < 10; i++) {
      const pair = await newPair();
      const second = await makeVisit(server.db, { patient: await makePatient(server.db), doctor: pair.doctor }, { date, time: "15:00" });
      const answers = await Promise.all([moveTo(pair, "09:00"), moveTo({ ...pair, visit: second }, "09:00")]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    }
  });
});

describe("the message of a cancellation", () => {
  it("is encrypted, shown to the patient in the appointment and announced in the notification", async () => {
    const pair = await newPair();
    const note = "Please bring the ECG report next time";
    expect((await pair.asDoctor.get(`/doctor/appointments/${pair.visit}/cancel`)).text).toContain('name="note"');
    expect((await pair.asDoctor.post(`/doctor/appointments/${pair.visit}/cancel`, { reason: "unwell", note })).status).toBe(303);
    const [row] = await server.sql<{ cancel_note: string }[]>`select cancel_note from appointments where id = ${pair.visit}`;
    expect(row?.cancel_note).toMatch(/^v1\./);
    expect(readable((await pair.asPatient.get(`/patient/appointments/${pair.visit}`)).text)).toContain(`Message from the doctor: ${note}`);
    const notice = readable((await pair.asPatient.get("/patient/notifications")).text);
    expect(notice).toContain("The doctor wrote you a message.");
    // It may be about health, so it is in no notification, email or SMS.
    expect(notice).not.toContain("ECG");
    expect((await server.sql`select from notifications where params::text like '%ECG%'`).count).toBe(0);
  });
  it("has at most 300 characters", async () => {
    const pair = await newPair();
    const answer = await pair.asDoctor.post(`/doctor/appointments/${pair.visit}/cancel`, { note: "x".repeat(301) });
    expect(answer.status).toBe(400);
    expect((await visitOf(pair))?.status).toBe("accepted");
  });
});

it("records one event for each state change of these pages, and takes each transition of the state tables", () =>
  expectEveryTransition(server, ["proposal"]));
