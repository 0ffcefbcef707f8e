/** /doctor/practices/{id} as plain form posts: how patients book a practice, and what a change does to its times and bookings. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { book as bookAs, bookedId, readable, valuesOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor, typed } from "../factories/people.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const [day, other] = [dayFromNow(4), dayFromNow(5)];
let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());
beforeEach(async () => {
  doctor = await makeDoctor(server.db, { fee: 50_000, slots: [{ date: day, time: "10:00" }] });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
});

/** Every evening, and with `morning` also every morning. */
const giveHours = (morning = false) => {
  const fields: Record<string, string> = {};
  for (let n = 0; n < 21; n++) for (const end of ["from", "until"]) fields[`hours[${n}].${end}`] = "";
  for (let weekday = 0; weekday < 7; weekday++) {
    Object.assign(fields, { [`hours[${weekday * 3}].from`]: "17:00", [`hours[${weekday * 3}].until`]: "20:00" });
    if (morning) Object.assign(fields, { [`hours[${weekday * 3 + 1}].from`]: "10:00", [`hours[${weekday * 3 + 1}].until`]: "12:00" });
  }
  return asDoctor.post(`/doctor/practices/${doctor.id}/hours`, fields);
};
const path = () => `/doctor/practices/${doctor.id}`;
/** Presses "Save" on a page of the practice as it is now, after changing `over`. */
const save = async (over: Record<string, string>, who = asDoctor) => {
  const page = await asDoctor.get(path());
  return who.post(path(), { ...valuesOf(page.text), ...over });
};
const slotsOn = (date: string) =>
  server.sql<{ time: string; tokens: boolean; seats: number }[]>`
    select to_char(time, 'HH24:MI') as time, tokens, seats from availability_slots where doctor_id = ${doctor.id} and date = ${date} order by time`;
const book = async (time: string, date = day) => {
  const patient = await loginAs(server, { role: "patient", phone: newPhone() });
  const answer = await bookAs(patient, doctor.id, { date, time }, { phone: typed(newPhone()) });
  return { patient, answer, id: bookedId(answer) };
};

describe("the choice of tokens", () => {
  it("needs weekly hours, and says so", async () => {
    const page = readable((await asDoctor.get(path())).text);
    expect(page).toContain("Tokens need weekly hours.");
    const refused = await save({ mode: "tokens" });
    expect(refused.status).toBe(409);
    expect(readable(refused.text)).toContain("Tokens need weekly hours.");
    expect(await slotsOn(day)).toMatchObject([{ time: "10:00", tokens: false }]);
  });

  it("opens sessions in place of free times, and keeps booked times", async () => {
    expect((await book("10:00")).id).not.toBeNull();
    await giveHours(true);
    const page = readable((await asDoctor.get(path())).text);
    for (const words of ["free times are removed", "1 booked appointment stays at its time:", "Lakshmi Devi"])
      expect(page).toContain(words);
    const saved = await save({ mode: "tokens", seatsPerSession: "3" });
    expect([saved.status, saved.location]).toEqual([303, "/doctor/practices"]);
    const list = readable((await asDoctor.follow(saved)).text);
    expect(list).toMatch(/Saved\. Patients can now book \d+ sessions\./);
    expect(list).toContain("sessions with 3 tokens");
    expect(await slotsOn(day)).toEqual([
      { time: "10:00", tokens: false, seats: 1 },
      { time: "17:00", tokens: true, seats: 3 },
    ]);
    expect(await slotsOn(other)).toEqual([
      { time: "10:00", tokens: true, seats: 3 },
      { time: "17:00", tokens: true, seats: 3 },
    ]);
    const audited = readable((await asDoctor.get("/doctor/practices")).text);
    expect(audited).not.toContain("30 minutes");
  });

  it.each(["", "0", "501", "many"])("refuses %j tokens beside the field, and changes nothing", async (seatsPerSession) => {
    await giveHours();
    const refused = await save({ mode: "tokens", seatsPerSession });
    expect(refused.status).toBe(400);
    expect(readable(refused.text)).toContain("Enter a number from 1 to 500.");
    expect((await slotsOn(other)).every(({ tokens }) => !tokens)).toBe(true);
  });

  it("gives patients tokens in a practice whose queue was never opened, and staff see them", async () => {
    await giveHours();
    await save({ mode: "tokens", seatsPerSession: "2" });
    const [first, second, third] = [await book("17:00"), await book("17:00"), await book("17:00")];
    expect([first.id, second.id, third.id].map(Boolean)).toEqual([true, true, false]);
    expect(third.answer.status).toBe(409);
    const own = readable((await first.patient.get(`/patient/appointments/${first.id}`)).text);
    for (const words of ["Token 1", "See token 1 in the queue"]) expect(own).toContain(words);
    expect(readable((await asDoctor.get(`/doctor/appointments?view=agenda&day=${day}`)).text)).toContain("Token 2");
    expect(await server.sql`select state, last_number from queue_sessions where doctor_id = ${doctor.id}`).toEqual([
      { state: "planned", last_number: 2 },
    ]);
  });

  it("of an older page changes no mode, and a page of another doctor changes nothing", async () => {
    await giveHours();
    const older = valuesOf((await asDoctor.get(path())).text);
    await save({ mode: "tokens", seatsPerSession: "7" });
    await asDoctor.post(path(), { ...older, seatsPerSession: "9" });
    expect(await slotsOn(other)).toEqual([{ time: "17:00", tokens: true, seats: 9 }]);
    const stranger = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
    expect((await save({ mode: "slots" }, stranger)).status).toBe(404);
    expect((await stranger.get(path())).status).toBe(404);
    expect(await slotsOn(other)).toEqual([{ time: "17:00", tokens: true, seats: 9 }]);
  });
});

describe("the choice of times", () => {
  it("opens times again, and keeps the tokens of patients", async () => {
    await giveHours();
    await save({ mode: "tokens", seatsPerSession: "3" });
    const { id, patient } = await book("17:00");
    expect(readable((await asDoctor.get(path())).text)).toContain("1 patient keeps the token. The session stays open for booking.");
    const saved = await save({ mode: "slots" });
    expect(readable((await asDoctor.follow(saved)).text)).toMatch(/Saved\. Patients can now book \d+ times\./);
    expect(await slotsOn(day)).toEqual([{ time: "17:00", tokens: true, seats: 3 }]);
    expect((await slotsOn(other)).map(({ time, tokens }) => `${time} ${tokens}`)).toContain("17:30 false");
    expect(readable((await patient.get(`/patient/appointments/${id}`)).text)).toContain("Token 1");
  });
});
