/** The week of a doctor over HTTP: opens and closes single times, copies the week before. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays, weekdayOf } from "#app/lib/dates.ts";
import { readable as textOf } from "../factories/booking.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, type TestDoctor } from "../factories/people.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const readable = (html: string) => textOf(html.split("<main")[1] ?? html).replaceAll(/ ([,.:])/g, "$1");
const WEEK = "/doctor/availability/week";
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

const today = dayFromNow(0);
/** The Monday of the week after the next one. */
const monday = addDays(today, 14 - ((weekdayOf(today) + 6) % 7));
const here = `${WEEK}?from=${monday}`;
async function newDoctor(slots: { date: string; time: string }[] = []): Promise<{ doctor: TestDoctor; as: LoggedIn }> {
  const doctor = await makeDoctor(server.db, { slots });
  return { doctor, as: await loginAs(server, { role: "doctor", email: doctor.email }) };
}
const slotsOf = async ({ id }: TestDoctor, date: string) =>
  (
    await server.sql<
      { time: string }[]
    >`select to_char(time, 'HH24:MI') as time from availability_slots where doctor_id = ${id} and date = ${date} order by 1`
  ).map((row) => row.time);

describe("the grid", () => {
  it("shows open, closed and booked times, and a line per day", async () => {
    const { doctor, as } = await newDoctor(["09:00", "09:30", "17:00"].map((time) => ({ date: monday, time })));
    const patient = await makePatient(server.db);
    const visit = await makeVisit(
      server.db,
      { patient, doctor },
      { date: monday, time: "10:00", name: "Lakshmi Devi", status: "accepted" },
    );
    const { status, text } = await as.get(here);
    expect(status).toBe(200);
    expect(text.match(/<th scope="row"/g)).toHaveLength(24);
    expect(text).toMatch(new RegExp(`<a [^>]*href="/doctor/patient/${visit}"[^>]*>.{0,80}Lakshmi Devi`));
    const words = readable(text);
    expect(words).toContain("3 times, 1 booked, 9:00 AM to 5:00 PM");
    expect(text).toMatch(/aria-label="Close \w{3} \d+ \w{3} \d{4}, 9:00 AM"/);
    expect(text).toMatch(/aria-label="Open \w{3} \d+ \w{3} \d{4}, 11:00 AM"/);
  });
  it("starts no earlier than this week and no later than six months ahead", async () => {
    const { as } = await newDoctor();
    expect((await as.get(WEEK)).text).not.toContain('aria-label="Previous week"');
    expect((await as.get(`${WEEK}?from=2020-01-01`)).text).not.toContain('aria-label="Previous week"');
    const last = await as.get(`${WEEK}?from=2999-01-01`);
    expect(last.text).toContain('aria-label="Previous week"');
    expect(last.text).not.toContain('aria-label="Next week"');
  });
});

describe("changes", () => {
  it("opens and closes one time, and a second press changes nothing", async () => {
    const { doctor, as } = await newDoctor([{ date: monday, time: "09:00" }]);
    const press = (intent: string, time: string, date = monday) => as.post(here, { intent, date, time });
    for (let i = 0; i < 2; i++) expect((await press("open", "11:00")).status).toBeLessThan(400);
    expect(await slotsOf(doctor, monday)).toEqual(["09:00", "11:00"]);
    for (let i = 0; i < 2; i++) expect((await press("close", "09:00")).status).toBeLessThan(400);
    expect(await slotsOf(doctor, monday)).toEqual(["11:00"]);
    for (const [intent, time, date] of [
      ["open", "18:45", monday],
      ["open", "10:00", addDays(today, -1)],
      ["open", "10:00", addDays(today, 400)],
      ["close", "x", monday],
      ["open", "10:00", "2026-02-31"],
      ["burn", "10:00", monday],
    ] as const)
      expect((await press(intent, time, date)).status, `${intent} ${date} ${time}`).toBe(400);
    expect(await slotsOf(doctor, monday)).toEqual(["11:00"]);
  });
  it("refuses to close a booked time and says why", async () => {
    const { doctor, as } = await newDoctor([{ date: monday, time: "09:00" }]);
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor }, { date: monday, time: "09:00" });
    const answer = await as.post(here, { intent: "close", date: monday, time: "09:00" });
    expect(answer.status).toBe(409);
    expect(readable(answer.text)).toContain("You cannot remove a booked time.");
    expect(await slotsOf(doctor, monday)).toEqual(["09:00"]);
  });
  it("closes different times of a day from two tabs without opening one again", async () => {
    const times = ["09:00", "09:30", "10:00", "10:30", "11:00", "11:30"];
    const { doctor, as } = await newDoctor(times.map((time) => ({ date: monday, time })));
    await Promise.all(times.slice(0, 5).map((time) => as.post(here, { intent: "close", date: monday, time })));
    expect(await slotsOf(doctor, monday)).toEqual(["11:30"]);
  });
  it("copies the times of the week before and leaves the others", async () => {
    const { doctor, as } = await newDoctor([{ date: monday, time: "16:00" }]);
    await addSlots(
      server.db,
      doctor.id,
      ["09:00", "09:30"].map((time) => ({ date: addDays(monday, -7), time })),
    );
    const answer = await as.post(here, { intent: "copy" });
    expect([answer.status, answer.location]).toEqual([303, here]);
    expect(await slotsOf(doctor, monday)).toEqual(["09:00", "09:30", "16:00"]);
    expect(readable((await as.get(here)).text)).toContain("2 times added from last week.");
  });
  it("changes only the acting doctor's week", async () => {
    const [{ doctor }, { as }] = [await newDoctor([{ date: monday, time: "09:00" }]), await newDoctor()];
    await as.post(here, { intent: "close", date: monday, time: "09:00" });
    expect(await slotsOf(doctor, monday)).toEqual(["09:00"]);
    const asPatient = await loginAs(server, { role: "patient", phone: (await makePatient(server.db)).phone });
    expect((await asPatient.get(here)).location).toBe("/patient-dashboard");
    await asPatient.post(here, { intent: "close", date: monday, time: "09:00" });
    expect(await slotsOf(doctor, monday)).toEqual(["09:00"]);
  });
});

it("opens an evening time at the chosen place, and names places and their leave", async () => {
  const doctor = await makeDoctor(server.db);
  const me = await loginAs(server, { role: "doctor", email: doctor.email });
  const [place] = await server.sql<{ id: string }[]>`
    insert into hospitals (name, category, address, city, state) values ('Guntur Evening Clinic', 'Clinic', 'Road', 'Guntur', 'Andhra Pradesh') returning id`;
  const [practice] = await server.sql<{ id: string }[]>`
    insert into practices (doctor_id, hospital_id, slot_minutes, state) values (${doctor.id}, ${place!.id}, 30, 'active') returning id`;
  const day = dayFromNow(8);
  const here = `${WEEK}?from=${day}&place=${practice!.id}`;
  expect((await me.get(here)).text).toContain(`name="practiceId" value="${practice!.id}"`);
  const press = (date: string) => me.post(here, { intent: "open", date, time: "18:30", practiceId: practice!.id });
  expect((await press(day)).status).toBe(200);
  expect(
    await server.sql`select practice_id, to_char(time, 'HH24:MI') as time from availability_slots where doctor_id = ${doctor.id}`,
  ).toMatchObject([{ practice_id: practice!.id, time: "18:30" }]);
  expect((await me.get(here)).text).toContain("6:30 PM, Guntur Evening Clinic");
  const leave = (practiceId: string) =>
    me.post("/doctor/leave/add", { intent: "enter", from: day, until: day, practiceId, booked: "keep", reason: "busy" });
  expect((await leave(practice!.id)).status).toBe(303);
  expect((await me.get(here)).text).toContain("Leave: Guntur Evening Clinic");
  expect((await press(day)).status).toBe(409);
  expect((await leave("")).status).toBe(303);
  const closed = (await me.get(here)).text;
  expect(closed).not.toContain("Leave: Guntur Evening Clinic");
  expect(closed).toContain('<span class="sr-only">Leave</span>');
  expect((await me.post(here, { intent: "open", date: dayFromNow(9), time: "18:31", practiceId: practice!.id })).status).toBe(400);
});
