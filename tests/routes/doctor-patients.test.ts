/** A doctor's patients and their history over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays, formatDate } from "#app/lib/dates.ts";
import { readable as textOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../factories/people.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const readable = (html: string) => textOf(html.split("<main")[1] ?? html).replaceAll(/ ([,.:])/g, "$1");
let server: TestServer;
let [doctor, other]: TestDoctor[] = [];
let [parent, stranger]: Person[] = [];
let as: LoggedIn;
let [son, mother, foreign]: string[] = [];
const today = dayFromNow(0);
beforeAll(async () => {
  server = await startServer({ seed: false });
  [doctor, other] = [await makeDoctor(server.db), await makeDoctor(server.db)];
  [parent, stranger] = [await makePatient(server.db), await makePatient(server.db)];
  as = await loginAs(server, { role: "doctor", email: doctor.email });
  const add = (patient: Person, of: TestDoctor, over: Parameters<typeof makeVisit>[2]) =>
    makeVisit(server.db, { patient, doctor: of }, over);
  mother = await add(parent, doctor, { date: addDays(today, -30), status: "completed", name: "Savitri Devi", reason: "Palpitations" });
  await add(parent, doctor, { date: addDays(today, 4), status: "accepted", name: " savitri devi" });
  await add(parent, doctor, { date: addDays(today, -3), status: "cancelled", name: "Savitri Devi", reason: "Cancelled reason" });
  son = await add(parent, doctor, { date: addDays(today, -10), status: "completed", name: "Ravi Kumar" });
  await add(parent, other, { date: addDays(today, -5), status: "completed", name: "Savitri Devi", reason: "Told to the other doctor" });
  foreign = await add(stranger, other, { date: today, status: "accepted", name: "Secretia Patientova" });
  await add(stranger, doctor, { date: today, status: "cancelled", name: "Never Came" });
});
afterAll(() => server?.stop());

describe("the list", () => {
  it("has each person once with the last and the next appointment, and family members apart", async () => {
    const { status, text } = await as.get("/doctor/patients");
    expect(status).toBe(200);
    const words = readable(text);
    expect(words.match(/savitri devi/gi)).toHaveLength(1);
    expect(words).toContain(`Last appointment ${formatDate(addDays(today, -30))}`);
    expect(words).toContain(`Next appointment ${formatDate(addDays(today, 4))}`);
    expect(words).toContain("2 appointments");
    expect(words).toContain("Ravi Kumar");
    for (const absent of ["Secretia", "Never Came"]) expect(words).not.toContain(absent);
  });
  it("is searched by name and by phone", async () => {
    const found = async (q: string) => {
      const words = readable((await as.get(`/doctor/patients?q=${encodeURIComponent(q)}`)).text);
      return [/savitri/i, /ravi kumar/i].map((name) => name.test(words.replace(/“[^”]*”/g, "")));
    };
    expect(await found("ravi")).toEqual([false, true]);
    expect(await found("devi sav")).toEqual([true, false]);
    expect(await found(parent!.phone.slice(-6))).toEqual([true, true]);
    expect(await found("nothing-like-this")).toEqual([false, false]);
    expect(readable((await as.get("/doctor/patients?q=nothing-like-this")).text)).toContain("No patient matches “nothing-like-this”");
  });
  it("shows 20 a page", async () => {
    const busy = await makeDoctor(server.db);
    for (let i = 0; i < 25; i++)
      await makeVisit(
        server.db,
        { patient: parent!, doctor: busy },
        { date: addDays(today, -i - 1), status: "completed", name: `Person ${String(i).padStart(2, "0")}` },
      );
    const asBusy = await loginAs(server, { role: "doctor", email: busy.email });
    const names = async (path: string) => new Set((await asBusy.get(path)).text.match(/Person \d\d/g));
    const [first, second] = [await names("/doctor/patients"), await names("/doctor/patients?page=2")];
    expect([first.size, second.size]).toEqual([20, 5]);
    expect(new Set([...first, ...second]).size).toBe(25);
  });
  it("says so when a doctor has no patients", async () => {
    const fresh = await makeDoctor(server.db);
    const words = readable((await (await loginAs(server, { role: "doctor", email: fresh.email })).get("/doctor/patients")).text);
    expect(words).toContain("No patients yet");
  });
});

describe("the history", () => {
  it("has the appointments of this person with this doctor only", async () => {
    const { text } = await as.get(`/doctor/patients/${mother}`);
    const words = readable(text);
    for (const part of ["Palpitations", "Cancelled reason", "Completed", "Accepted", "Cancelled"]) expect(words).toContain(part);
    expect(text.match(/href="\/doctor\/patient\/[0-9a-f-]{36}"/g)).toHaveLength(3);
    expect(words).not.toContain("Told to the other doctor");
    expect(readable((await as.get(`/doctor/patients/${son}`)).text)).not.toContain("Palpitations");
  });
  it("is not found for another doctor's appointment, a malformed id and other roles", async () => {
    for (const id of [foreign, "x", "00000000-0000-4000-8000-000000000000"]) {
      const answer = await as.get(`/doctor/patients/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain("Secretia");
    }
    const asPatient = await loginAs(server, { role: "patient", phone: parent!.phone });
    for (const path of ["/doctor/patients", `/doctor/patients/${mother}`])
      expect((await asPatient.get(path)).location).toBe("/patient-dashboard");
  });
});

it("links the patients and the week from the side bar and the profile, and not from the bottom bar", async () => {
  const { text } = await as.get("/doctor/profile");
  const part = (name: RegExp) => name.exec(text)?.[0] ?? "";
  const bar = part(/<nav [^>]*data-nav="bar"[\s\S]*?<\/nav>/);
  const side = part(/<nav [^>]*data-nav="side"[\s\S]*?<\/nav>/);
  const menu = part(/<nav [^>]*aria-label="Profile"[\s\S]*?<\/nav>/);
  for (const path of ["/doctor/patients", "/doctor/availability/week"]) {
    expect(side).toContain(`href="${path}"`);
    expect(menu).toContain(`href="${path}"`);
    expect(bar).not.toContain(`href="${path}"`);
  }
  expect(bar.match(/<a /g)).toHaveLength(5);
});
