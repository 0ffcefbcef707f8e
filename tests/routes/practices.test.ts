/** /doctor/practices and /doctor/leave as plain form posts: places, weekly hours, leave; another doctor's are not found. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatDay, weekdayOf } from "#app/lib/dates.ts";
import { book, bookedId } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makePatient, type TestDoctor } from "../factories/people.ts";
import { plain } from "../setup/applications.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let asOther: LoggedIn;
let place: string;
beforeAll(async () => {
  server = await startServer({ seed: false });
  await watchChanges(server);
  const [own, other] = [await makeDoctor(server.db), await makeDoctor(server.db)];
  doctor = own;
  [asDoctor, asOther] = [
    await loginAs(server, { role: "doctor", email: own.email }),
    await loginAs(server, { role: "doctor", email: other.email }),
  ];
  const [row] = await server.sql<{ id: string }[]>`
    insert into hospitals (name, category, address, city, state) values ('Guntur Evening Clinic', 'Clinic', 'Arundelpet', 'Guntur', 'Andhra Pradesh') returning id`;
  place = row!.id;
});
afterAll(() => server?.stop());

const day = dayFromNow(9);
const weekday = weekdayOf(day);
const hours = (practice: string, who: LoggedIn, spans: [n: number, from: string, until: string][]) => {
  const fields: Record<string, string> = {};
  for (let n = 0; n < 21; n++) for (const end of ["from", "until"]) fields[`hours[${n}].${end}`] = "";
  for (const [n, from, until] of spans) Object.assign(fields, { [`hours[${n}].from`]: from, [`hours[${n}].until`]: until });
  return who.post(`/doctor/practices/${practice}/hours`, fields);
};
const practiceAt = async () =>
  (await server.sql<{ id: string }[]>`select id from practices where doctor_id = ${doctor.id} and hospital_id = ${place}`)[0]!.id;
const timesOn = async (date: string) =>
  (
    await server.sql<{ time: string }[]>`
      select to_char(time, 'HH24:MI') as time from availability_slots where doctor_id = ${doctor.id} and date = ${date} order by time`
  ).map(({ time }) => time);

describe("the word that starts a booking", () => {
  const path = () => `/doctor/practices/${doctor.id}/keyword`;
  it("is chosen on a page of the practice", async () => {
    expect((await asDoctor.get(`/doctor/practices/${doctor.id}`)).text).toContain(`href="${path()}"`);
    const saved = await asDoctor.post(path(), { practiceId: doctor.id, keyword: "kavya" });
    expect([saved.status, saved.location]).toEqual([303, `/doctor/practices/${doctor.id}`]);
    expect((await asDoctor.get(path())).text).toContain('value="KAVYA"');
  });
  it("is refused with what was typed where Nadi understands it already", async () => {
    const refused = await asDoctor.post(path(), { practiceId: doctor.id, keyword: "STOP" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Nadi already understands this word");
    expect(refused.text).toContain('value="STOP"');
  });
});

describe("a second place", () => {
  it("that is not listed is entered in a form of its own, refused beside each field, and waits", async () => {
    const path = "/doctor/practices/add/unlisted";
    expect((await asOther.get("/doctor/practices/add?q=nowhere")).text).toContain(`href="${path}"`);
    const terms = { fee: "300", slotMinutes: "20", patientsPerSlot: "1" };
    const refused = await asOther.post(path, { ...terms, name: "", address: "", city: "", state: "", phone: "12" });
    expect(refused.status).toBe(400);
    for (const name of ["name", "address", "city", "state", "phone"])
      expect(refused.text, name).toMatch(new RegExp(`<(?:input|select)(?=[^>]*name="${name}")(?=[^>]*aria-invalid="true")`));
    expect(refused.text).toContain('value="300"');
    const place = { name: "Asha Clinic", address: "4-1-9, Brodipet", city: "Guntur", state: "Andhra Pradesh", phone: "0863 223 4455" };
    const entered = await asOther.post(path, { ...terms, ...place });
    expect([entered.status, entered.location]).toEqual([303, expect.stringMatching(/^\/doctor\/practices\/[\w-]{36}\/hours$/)]);
    expect(plain((await asOther.get("/doctor/practices")).text)).toContain(
      "Asha Clinic 4-1-9, Brodipet Waiting until we have checked the place",
    );
    const again = await asOther.post(path, { ...terms, ...place });
    expect([again.status, plain(again.text)]).toEqual([409, expect.stringContaining("You already see patients at this place.")]);
  });
  it("is found by city, added with its fee, and gets weekly hours that patients can book", async () => {
    const found = await asDoctor.get("/doctor/practices/add?q=guntur");
    expect(plain(found.text)).toContain("Guntur Evening Clinic Arundelpet");
    const added = await asDoctor.post("/doctor/practices/add?q=guntur", {
      hospitalId: place,
      fee: "300",
      slotMinutes: "20",
      patientsPerSlot: "1",
    });
    expect([added.status, added.location]).toEqual([303, `/doctor/practices/${await practiceAt()}/hours`]);
    const saved = await hours(await practiceAt(), asDoctor, [[weekday * 3 + 1, "18:00", "19:00"]]);
    expect([saved.status, saved.location]).toEqual([303, "/doctor/practices"]);
    expect(await timesOn(day)).toEqual(["18:00", "18:20", "18:40"]);
    const list = plain((await asDoctor.get("/doctor/practices")).text);
    for (const words of ["Guntur Evening Clinic", "₹300", "20 minutes", "6:00 PM to 7:00 PM"]) expect(list).toContain(words);
  });

  it("has its own single days: the pages of a day are the first practice's", async () => {
    const [id, date] = [await practiceAt(), dayFromNow(11)];
    await server.sql`insert into practice_days ${server.sql([
      { practice_id: id, date },
      { practice_id: doctor.id, date },
    ])}`;
    const page = async (practice: string) => (await asDoctor.get(`/doctor/practices/${practice}/hours`)).text.replaceAll("&amp;", "&");
    const second = await page(id);
    expect(second).toContain(`"/doctor/availability/week?from=${date}&place=${id}"`);
    expect(second).not.toMatch(/"\/doctor\/availability\/(change|add)/);
    expect(await page(doctor.id)).toContain(`"/doctor/availability/add?date=${date}"`);
    await server.sql`delete from practice_days where date = ${date}`;
  });

  it("takes bookings with its fee, which the patient's page shows with its address", async () => {
    const patient = await loginAs(server, { role: "patient", phone: (await makePatient(server.db)).phone });
    const booked = bookedId(await book(patient, doctor.id, { date: day, time: "18:20" }));
    const page = plain((await patient.get(`/patient/appointments/${booked}`)).text);
    for (const words of ["Guntur Evening Clinic", "Arundelpet", "₹300"]) expect(page).toContain(words);
  });

  it("lets a patient choose the place, and shows the fee and the times of that place", async () => {
    const first = dayFromNow(10);
    await asDoctor.post("/doctor/availability/add", { date: first, slots: ["09:00"] });
    const patient = await loginAs(server, { role: "patient", phone: (await makePatient(server.db)).phone });
    const steps = "/patient/appointments/datetime";
    const at = async (query: string) => plain((await patient.get(`${steps}?doctorId=${doctor.id}${query}`)).text);
    const evening = await at(`&practiceId=${await practiceAt()}&date=${day}`);
    for (const words of ["Guntur Evening Clinic", "6:00 PM", "₹300"]) expect(evening).toContain(words);
    const morning = await at(`&practiceId=${doctor.id}`);
    for (const words of ["9:00 AM", "₹500"]) expect(morning).toContain(words);
    expect(morning).not.toContain("6:00 PM");
    expect(await at(`&date=${day}&time=18:00`)).toContain("₹300");
    const details = await patient.get(`/patient/appointments/patient-detail?doctorId=${doctor.id}&date=${day}&time=18:00`);
    for (const words of ["Guntur Evening Clinic", "₹300"]) expect(plain(details.text)).toContain(words);
    await asDoctor.post(`/doctor/availability/delete/${first}`, {});
  });

  it.each([
    ["no place", { hospitalId: "", fee: "", slotMinutes: "30", patientsPerSlot: "1" }, "Choose a place from the list."],
    ["a place twice", { hospitalId: "here", fee: "", slotMinutes: "30", patientsPerSlot: "1" }, "You already see patients at this place."],
    ["a fee in words", { hospitalId: "here", fee: "five", slotMinutes: "30", patientsPerSlot: "1" }, "Enter whole rupees"],
    [
      "a length of 7 minutes",
      { hospitalId: "here", fee: "", slotMinutes: "7", patientsPerSlot: "1" },
      "Choose how long an appointment takes.",
    ],
    ["50 patients", { hospitalId: "here", fee: "", slotMinutes: "30", patientsPerSlot: "50" }, "Choose a number from 1 to 10."],
  ])("refuses %s beside its field", async (_, fields, sentence) => {
    const answer = await asDoctor.post("/doctor/practices/add?q=guntur", { ...fields, hospitalId: fields.hospitalId && place });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(plain(answer.text)).toContain(sentence);
  });

  it("refuses hours that overlap with the other place, and keeps what was typed", async () => {
    const answer = await hours(doctor.id, asDoctor, [[weekday * 3, "18:30", "20:00"]]);
    expect(answer.status).toBe(409);
    expect(plain(answer.text)).toMatch(/On \w+day you are at Guntur Evening Clinic from 6:00 PM to 7:00 PM\./);
    expect(answer.text).toContain('value="18:30"');
  });

  it.each(["", "/hours", "/keyword", "/close"])("is not found by another doctor: %s", async (page) => {
    const path = `/doctor/practices/${await practiceAt()}${page}`;
    expect((await asOther.get(path)).status).toBe(404);
    const fields = { fee: "1", slotMinutes: "60", patientsPerSlot: "9", reason: "busy" };
    expect((page === "/hours" ? await hours(await practiceAt(), asOther, []) : await asOther.post(path, fields)).status).toBe(404);
    expect(await timesOn(day)).toEqual(["18:00", "18:20", "18:40"]);
  });

  it("has no page to close the first place", async () => {
    expect((await asDoctor.get(`/doctor/practices/${doctor.id}/close`)).status).toBe(404);
    expect((await asDoctor.post(`/doctor/practices/${doctor.id}/close`, { reason: "busy" })).status).toBe(409);
  });
});

describe("leave", () => {
  it("shows the appointments in it first, cancels them on the second press, and closes the day", async () => {
    const fields = { from: day, until: day, practiceId: "", note: "A wedding", booked: "cancel", reason: "unwell" };
    const looked = await asDoctor.post("/doctor/leave/add", { ...fields, intent: "look" });
    expect(looked.status).toBe(200);
    expect(plain(looked.text)).toContain("1 appointment is booked on these days");
    const visits = [...looked.text.matchAll(/name="visits" value="([^"]+)"/g)].map(([, id]) => id!);
    expect(visits).toHaveLength(1);
    const stale = await asDoctor.post("/doctor/leave/add", { ...fields, intent: "enter" });
    expect([stale.status, await timesOn(day)]).toEqual([409, ["18:00", "18:20", "18:40"]]);
    const entered = await asDoctor.post("/doctor/leave/add", { ...fields, intent: "enter", visits });
    expect([entered.status, entered.location, await timesOn(day)]).toEqual([303, "/doctor/practices", []]);
    const list = plain((await asDoctor.get("/doctor/practices")).text);
    for (const words of [formatDay(day), "A wedding", "Leave added. These days are closed. 1 appointment was cancelled."])
      expect(list).toContain(words);
    const refused = await asDoctor.post("/doctor/availability/add", { date: day, slots: ["09:00"] });
    expect(plain(refused.text)).toContain(`You are on leave on ${formatDay(day)}. End the leave first.`);
  });

  it("is ended by its doctor only, and opens the weekly hours again", async () => {
    const [{ id } = { id: "" }] = await server.sql<{ id: string }[]>`select id from leaves where doctor_id = ${doctor.id}`;
    expect((await asOther.get(`/doctor/leave/${id}/end`)).status).toBe(404);
    expect((await asOther.post(`/doctor/leave/${id}/end`, {})).status).toBe(404);
    expect(plain((await asDoctor.get(`/doctor/leave/${id}/end`)).text)).toContain("End your leave from");
    expect((await asDoctor.post(`/doctor/leave/${id}/end`, {})).status).toBe(303);
    expect(await timesOn(day)).toEqual(["18:00", "18:20", "18:40"]);
    // A second press.
    expect((await asDoctor.post(`/doctor/leave/${id}/end`, {})).status).toBe(303);
  });

  it("that ends before it begins is refused beside its field", async () => {
    const answer = await asDoctor.post("/doctor/leave/add", {
      intent: "look",
      from: day,
      until: dayFromNow(8),
      booked: "keep",
      reason: "busy",
    });
    expect(answer.status).toBe(400);
    expect(plain(answer.text)).toContain("The last day cannot be before the first.");
  });
});

it("closes a place with its appointments", async () => {
  const patient = await loginAs(server, { role: "patient", phone: (await makePatient(server.db)).phone });
  const id = bookedId(await book(patient, doctor.id, { date: day, time: "18:40" }))!;
  const path = `/doctor/practices/${await practiceAt()}/close`;
  expect(plain((await asDoctor.get(path)).text)).toContain("Cancel this appointment and notify the patient");
  expect((await asDoctor.post(path, { reason: "busy" })).status).toBe(409);
  expect((await asDoctor.post(path, { reason: "busy", visits: id })).status).toBe(303);
  expect(plain((await patient.get(`/patient/appointments/${id}`)).text)).toContain("Cancelled");
  expect(await timesOn(day)).toEqual([]);
});

it("records one event for each state change of these pages, and takes each transition of the state tables", () =>
  expectEveryTransition(server, ["practice"], {
    "practice.accept from asked": "needs the owner of the place: place-begins.test.ts",
    "practice.close from asked": "place-begins.test.ts",
  }));
