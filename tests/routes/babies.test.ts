/** A baby from the booking form to the prescription, over HTTP without scripts: every page writes the age from the birth date. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { addDays, addMonths } from "#app/lib/dates.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { book, bookedId, bookingPage, valuesOf } from "../factories/booking.ts";
import { addSlots, dayFromNow, letSign, newPhone } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { errorsOf, plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const AGE = "Please enter a valid age.";
const LATE = "Choose a valid date of birth, not later than today.";
const NEEDED = "For a child under 1 year, enter the date of birth.";
const DAY = dayFromNow(4);
const TODAY = dayFromNow(0);
/** Seven months old on the day of the appointment, and on the day of a walk-in. */
const BORN = addMonths(DAY, -7);
const BORN_TODAY = addMonths(TODAY, -7);

let server: TestServer;
let own: Awaited<ReturnType<typeof makeClinic>>;
let me: LoggedIn;
let doctor: LoggedIn;
let reception: LoggedIn;
let minute = 0;

beforeAll(async () => {
  server = await startServer({ seed: false });
  own = await makeClinic(server.db, { doctor: "Dr. Swarna Latha" });
  await letSign(server.db, own.doctor.id);
  const emailOf = async ({ userId }: Actor) =>
    (await server.sql<{ email: string }[]>`select email from users where id = ${userId}`)[0]!.email;
  me = await loginAs(server, { role: "patient", phone: newPhone() });
  doctor = await loginAs(server, { role: "doctor", email: own.doctor.email });
  reception = await loginAs(server, { role: "staff", email: await emailOf(own.reception) });
});
afterAll(() => server?.stop());

async function newSlot() {
  const slot = { date: DAY, time: `${String(8 + Math.floor(minute / 2)).padStart(2, "0")}:${minute++ % 2 ? "30" : "00"}` };
  await addSlots(server.db, own.doctor.id, [slot]);
  return slot;
}
const rowOf = async (id: string) =>
  (
    await server.sql<{ age: number; birth: string | null }[]>`
      select patient_age as age, patient_birth_date::text as birth from appointments where id = ${id}`
  )[0];
const isAsked = (html: string) => /<details class="field" open="">(?:(?!<\/details>)[\s\S])*name="dateOfBirth"/.test(html);

describe("the booking form", () => {
  it("asks for the birth date when the age is 0, and books with it", async () => {
    const slot = await newSlot();
    const first = await me.get(bookingPage(own.doctor.id, slot));
    expect(plain(first.text)).toContain("Child under 2 years? Enter the date of birth");
    expect(isAsked(first.text)).toBe(false);
    const baby = { name: "Anvi Prasanna", age: "0", dateOfBirth: "" };
    const asked = await book(me, own.doctor.id, slot, baby);
    expect([asked.status, errorsOf(asked).age]).toEqual([400, AGE]);
    expect(plain(asked.text)).toContain(NEEDED);
    expect([isAsked(asked.text), valuesOf(asked.text).name]).toEqual([true, "Anvi Prasanna"]);
    // The age that was typed first stays in its field.
    const done = await book(me, own.doctor.id, slot, { ...baby, dateOfBirth: BORN });
    expect(await rowOf(bookedId(done)!)).toEqual({ age: 1, birth: BORN });
  });
  it("refuses a birth date after today beside its field, and preserves the input", async () => {
    const slot = await newSlot();
    for (const dateOfBirth of [addDays(TODAY, 1), "2026-02-30", "1890-01-01"]) {
      const refused = await book(me, own.doctor.id, slot, { name: "Anvi Prasanna", age: "", dateOfBirth });
      expect([refused.status, errorsOf(refused).dateOfBirth, isAsked(refused.text)], dateOfBirth).toEqual([400, LATE, true]);
      expect(valuesOf(refused.text)).toMatchObject({ name: "Anvi Prasanna", dateOfBirth });
    }
    const missing = await book(me, own.doctor.id, slot, { age: "", dateOfBirth: "" });
    expect(errorsOf(missing).age).toBe("Enter the date of birth or the age.");
  });
  it("starts with the birth date of a baby on the family list", async () => {
    const slot = await newSlot();
    const person = { name: "Charan", relation: "son", gender: "male", age: "", bloodGroup: "" };
    expect(errorsOf(await me.post("/patient/family/add", { ...person, age: "0", dateOfBirth: "" })).age).toContain(NEEDED);
    await me.post("/patient/family/add", { ...person, dateOfBirth: BORN });
    const [member] = await server.sql<{ id: string }[]>`select id from family_members where name = 'Charan'`;
    await book(me, own.doctor.id, slot, { intent: `for:${member!.id}` });
    const { text } = await me.get(bookingPage(own.doctor.id, slot));
    expect([isAsked(text), valuesOf(text).dateOfBirth, valuesOf(text).age]).toEqual([true, BORN, ""]);
    const done = await book(me, own.doctor.id, slot, { ...valuesOf(text), intent: "book", phone: "9876543210" });
    expect(await rowOf(bookedId(done)!)).toEqual({ age: 1, birth: BORN });
  });
});

it("writes months on every page of patient, doctor and desk, in each language", async () => {
  const done = await book(me, own.doctor.id, await newSlot(), { name: "Baby Everywhere", age: undefined, dateOfBirth: BORN });
  const id = bookedId(done)!;
  expect(plain((await me.get(`/patient/appointments/${id}`)).text)).toContain("Baby Everywhere, 7 months");
  for (const path of [
    "/doctor/appointments?q=Everywhere",
    `/doctor/patient/${id}`,
    `/doctor/patients/${id}`,
    "/doctor/patients?q=Everywhere",
    `/doctor/appointments/day/${DAY}`,
  ])
    expect(plain((await doctor.get(path)).text), path).toContain("7 months, female");
  for (const path of [`/desk?day=${DAY}`, `/desk?day=${DAY}&open=${id}`])
    expect(plain((await reception.get(path)).text), path).toContain("7 months, female");
  const words: [string, string][] = [
    ["te", "7 నెలలు"],
    ["hi", "7 महीने"],
  ];
  for (const [language, word] of words) {
    me.cookies.set("lang", language);
    const { text } = await me.get(`/patient/appointments/${id}`);
    expect(plain(text), language).toContain(word);
  }
  me.cookies.delete("lang");
});

describe("the desk", () => {
  const caller = (at: string, over: Record<string, string>) => ({
    intent: "book",
    doctorId: own.doctor.id,
    at,
    phone: "9000000197",
    name: "Baby of Sandhya",
    age: "",
    dateOfBirth: "",
    gender: "male",
    idempotencyKey: randomToken().slice(0, 20),
    ...over,
  });
  it("books a baby for a caller, and offers it as a known patient afterwards", async () => {
    const slot = await newSlot();
    const at = `${slot.date} ${slot.time}`;
    const asked = await reception.post("/desk/book", caller(at, { age: "0" }));
    expect([asked.status, errorsOf(asked).age, isAsked(asked.text)]).toEqual([400, AGE, true]);
    expect(plain(asked.text)).toContain(NEEDED);
    const late = await reception.post("/desk/book", caller(at, { dateOfBirth: addDays(TODAY, 1) }));
    expect([late.status, errorsOf(late).dateOfBirth]).toEqual([400, LATE]);
    expect((await reception.post("/desk/book", caller(at, { age: "0", dateOfBirth: BORN }))).location).toBe(`/desk?day=${DAY}`);
    const second = await newSlot();
    const found = await reception.post("/desk/book", caller(`${second.date} ${second.time}`, { intent: "find" }));
    const value = `Baby of Sandhya|1|male|${BORN}`;
    expect(found.text).toContain(`value="${value}"`);
    expect(plain(found.text)).toMatch(/Baby of Sandhya ?, \d months, male/);
    await reception.post("/desk/book", caller(`${second.date} ${second.time}`, { name: "", gender: "", who: value }));
    expect(
      await server.sql`select patient_age, patient_birth_date::text as birth from appointments where patient_name = 'Baby of Sandhya'`,
    ).toEqual([
      { patient_age: 1, birth: BORN },
      { patient_age: 1, birth: BORN },
    ]);
  });
  it("gives a walk-in a token with the birth date, which the doctor's documents then name in months", async () => {
    const sessionId = await makeSession(server.db, own.doctor.id);
    const person = { intent: "add", sessionId, phone: "9000000198", name: "Walk-in Baby", formKey: "key-of-the-baby" };
    const asked = await reception.post("/desk/queue", { ...person, age: "0" });
    expect([asked.status, errorsOf(asked)["in-age"], isAsked(asked.text)]).toEqual([400, AGE, true]);
    const late = await reception.post("/desk/queue", { ...person, dateOfBirth: addDays(TODAY, 1) });
    expect([late.status, errorsOf(late)["in-dateOfBirth"]]).toEqual([400, LATE]);
    const given = await reception.post("/desk/queue", { ...person, age: "0", dateOfBirth: BORN_TODAY });
    expect(plain((await reception.get(given.location!)).text)).toContain("Walk-in Baby 7 months");
    const [entry] = await server.sql<{ id: string }[]>`
      update queue_entries set state = 'with-doctor', called_at = now(), with_doctor_at = now() where session_id = ${sessionId} returning id`;
    const visit = `/doctor/visits/${entry!.id}`;
    const page = await doctor.get(visit);
    expect(plain(page.text)).toContain("7 months, ");
    expect(page.text).not.toContain('name="patient_age"');
  });
  it("lets the doctor type the birth date of a walk-in, and prints the age of that day for ever", async () => {
    const sessionId = await makeSession(server.db, own.doctor.id, { part: "evening" });
    await reception.post("/desk/queue", { intent: "add", sessionId, phone: "9000000199", name: "Unknown Baby", formKey: "key-of-unknown" });
    const [entry] = await server.sql<{ id: string }[]>`
      update queue_entries set state = 'done', called_at = now(), with_doctor_at = now(), done_at = now()
      where session_id = ${sessionId} returning id`;
    const order = `/doctor/visits/${entry!.id}/order`;
    const input = { test1: "Haemoglobin", gender: "female", intent: "review" };
    const asked = await doctor.post(order, { ...input, age: "0" });
    expect([asked.status, errorsOf(asked).age]).toEqual([
      400,
      "Enter the patient's age in years, 1 to 120. For a child under 1 year, enter the date of birth.",
    ]);
    expect(isAsked(asked.text)).toBe(true);
    expect(errorsOf(await doctor.post(order, { ...input, dateOfBirth: addDays(TODAY, 1) })).dateOfBirth).toBe(LATE);
    const born = addDays(TODAY, -12);
    const review = await doctor.post(order, { ...input, age: "0", dateOfBirth: born });
    expect(plain(review.text)).toContain("Unknown Baby, 12 days, female");
    const { seen } = valuesOf(review.text);
    await doctor.post(order, { ...input, age: "0", dateOfBirth: born, intent: "sign", seen: seen! });
    const [signed] = await server.sql<{ id: string; code: string }[]>`
      select id, code from visit_documents where encounter_id = ${entry!.id} and kind = 'order'`;
    const print = await doctor.get(`/doctor/visits/${entry!.id}/documents/${signed!.id}`);
    expect(plain(print.text)).toContain("12 days, female");
    expect(print.text).not.toContain(born);
    const check = await new Browser(server.url).get(`/rx/${signed!.code}`);
    expect(check.text).not.toContain(born);
  });
  it("asks for the birth date in the form of a visit without scripts", async () => {
    const sessionId = await makeSession(server.db, own.doctor.id, { part: "afternoon" });
    await reception.post("/desk/queue", { intent: "add", sessionId, phone: "9000000196", name: "Third Baby", formKey: "key-of-the-third" });
    const [entry] = await server.sql<{ id: string }[]>`
      update queue_entries set state = 'done', called_at = now(), with_doctor_at = now(), done_at = now()
      where session_id = ${sessionId} returning id`;
    const at = `/doctor/visits/${entry!.id}`;
    const form = async () => {
      const { q: _, save: __, ...values } = valuesOf((await doctor.get(at)).text);
      return { ...values, diagnosis: "Well baby", patient_gender: "male", review: "1" };
    };
    expect(plain((await doctor.post(at, { ...(await form()), patient_age: "0" })).text)).toContain(NEEDED);
    const late = await doctor.post(at, { ...(await form()), patient_age: "", patient_birth_date: addDays(TODAY, 1) });
    expect(plain(late.text)).toContain(LATE);
    const reviewed = await doctor.post(at, { ...(await form()), patient_age: "0", patient_birth_date: BORN_TODAY });
    expect(reviewed.location).toBe(`${at}/review`);
    const review = await doctor.get(`${at}/review`);
    expect(plain(review.text)).toContain("Third Baby, 7 months, male");
    expect((await doctor.post(`${at}/review`, { version: valuesOf(review.text).version! })).status).toBe(303);
    // A correction starts with the birth date that was signed.
    await doctor.post(at, { correct: "1" });
    expect(valuesOf((await doctor.get(at)).text)).toMatchObject({ patient_birth_date: BORN_TODAY });
  });
});

it("lets an account's owner of the waitlist give a birth date, and asks for that of a family member without one", async () => {
  const who = await loginAs(server, { role: "patient", phone: newPhone() });
  const join = `/patient/waitlist/join?doctorId=${own.doctor.id}&date=${dayFromNow(40)}`;
  const details = { who: "me", name: "Lakshmi", gender: "female", days: "0", sms: "on" };
  const asked = await who.post(join, { ...details, age: "0" });
  expect([asked.status, errorsOf(asked).age, isAsked(asked.text)]).toEqual([400, AGE, true]);
  expect(errorsOf(await who.post(join, { ...details, dateOfBirth: addDays(TODAY, 1) })).dateOfBirth).toBe(LATE);
  await server.sql`insert into family_members (patient_id, name, relation, gender, age, age_on)
    values (${who.userId}, 'Old Baby', 'son', 'male', 0, ${TODAY})`;
  const [member] = await server.sql<{ id: string }[]>`select id from family_members where name = 'Old Baby'`;
  expect(errorsOf(await who.post(join, { ...details, who: member!.id })).who).toBe(
    "Enter the date of birth of Old Baby in your family list first.",
  );
  expect((await who.post(join, { ...details, age: "0", dateOfBirth: BORN })).location).toBe("/patient/waitlist");
  expect(await server.sql`select patient_age, patient_birth_date::text as birth from waitlist_entries`).toEqual([
    { patient_age: 1, birth: BORN },
  ]);
});
