/** /patient/family and the choice of a family member on the booking form, over HTTP without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addMonths } from "#app/lib/dates.ts";
import { book, bookedId, bookingFields, bookingPage, valuesOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, png } from "../factories/pictures.ts";
import { errorsOf, plain } from "../setup/applications.ts";
import { Browser, type Fields } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
const slots = [
  "10:00",
  "10:30",
  "11:00",
  "11:30",
  "12:00",
  "12:30",
  "13:00",
  "13:30",
  "14:00",
  "14:30",
  "15:00",
  "15:30",
  "16:00",
  "16:30",
].map((time) => ({ date: dayFromNow(5), time }));
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { slots });
});
afterAll(() => server?.stop());

const newPatient = () => loginAs(server, { role: "patient", phone: newPhone() });
const mother = { name: "Savitri Devi", relation: "mother", gender: "female", age: "64", dateOfBirth: "", bloodGroup: "O+" };
const idOf = async (me: LoggedIn) =>
  (await server.sql<{ id: string }[]>`select id from family_members where patient_id = ${me.userId}`)[0]!.id;

describe("the list", () => {
  it("starts empty, and a member is added, edited and removed", async () => {
    const me = await newPatient();
    expect(plain((await me.get("/patient/family")).text)).toContain("No family members yet");
    const added = await me.post("/patient/family/add", mother);
    expect(added.location).toBe("/patient/family");
    const list = plain((await me.follow(added)).text);
    expect(list).toContain("Savitri Devi was added to your list.");
    expect(list).toContain("Mother, 64 years");
    expect(list).toContain("Blood group O+");
    const at = `/patient/family/${await idOf(me)}`;
    expect(valuesOf((await me.get(at)).text)).toMatchObject({ ...mother });
    const saved = await me.post(at, { ...mother, dateOfBirth: addMonths(dayFromNow(0), -7), relation: "daughter" });
    expect(plain((await me.follow(saved)).text)).toContain("Daughter, 7 months");
    expect(plain((await me.get(`${at}/remove`)).text)).toContain("Remove Savitri Devi from your list?");
    const removed = await me.post(`${at}/remove`);
    expect(plain((await me.follow(removed)).text)).toContain("Savitri Devi was removed from your list.");
    expect((await me.post(`${at}/remove`)).status).toBe(404);
  });
  it("stores, shows and removes that a member has no known allergy", async () => {
    const me = await newPatient();
    await me.post("/patient/family/add", { ...mother, noAllergies: "on" });
    const at = `/patient/family/${await idOf(me)}`;
    const isTicked = async () => /<input(?=[^>]*name="noAllergies")[^>]*checked/.test((await me.get(at)).text);
    expect(await isTicked()).toBe(true);
    await me.post(at, mother);
    expect(await isTicked()).toBe(false);
  });
  it("preserves the input when something is missing", async () => {
    const me = await newPatient();
    const refused = await me.post("/patient/family/add", { ...mother, name: "", age: "" });
    expect(refused.status).toBe(400);
    expect(errorsOf(refused)).toMatchObject({
      name: "Enter the name.",
      dateOfBirth: "Enter the date of birth or the age.",
    });
    expect(valuesOf(refused.text)).toMatchObject({ relation: "mother", gender: "female", bloodGroup: "O+" });
    await me.post("/patient/family/add", mother);
    const twice = await me.post("/patient/family/add", { ...mother, age: "30" });
    expect([twice.status, errorsOf(twice).name]).toEqual([409, "Savitri Devi is already on your list."]);
  });
  it("a member of another family is not found", async () => {
    const [me, stranger] = [await newPatient(), await newPatient()];
    await me.post("/patient/family/add", mother);
    const id = await idOf(me);
    for (const path of [`/patient/family/${id}`, `/patient/family/${id}/remove`, "/patient/family/nonsense", "/patient/family/1/remove"]) {
      for (const at of [path, `${path}.data`]) {
        const answer = await stranger.get(at);
        expect([at, answer.status]).toEqual([at, 404]);
        expect(answer.text).not.toContain("Savitri");
      }
      expect((await stranger.post(path, mother)).status).toBe(404);
      expect((await new Browser(server.url).get(path)).location).toMatch(/^\/dual-patient/);
    }
    expect((await stranger.get("/patient/family")).text).not.toContain("Savitri");
    expect(await idOf(me)).toBe(id);
  });
});

describe("the patient of a visit", () => {
  const typed = (over: Fields = {}) => ({ ...bookingFields(), ...over });
  const post = (me: Browser, slot: (typeof slots)[number], fields: Fields, document?: File) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
    if (document) form.append("newRecords", document);
    return me.postFiles(bookingPage(doctor.id, slot), form);
  };

  it("fills the form with a member and preserves phone and reason, without the history of another", async () => {
    const me = await newPatient();
    await server.sql`update patients set name = 'Ravi Kumar', gender = 'male', date_of_birth = '1990-01-01' where id = ${me.userId}`;
    await me.post("/patient/family/add", { ...mother, age: "", dateOfBirth: "1960-01-01" });
    const id = await idOf(me);
    const page = await me.get(bookingPage(doctor.id, slots[0]!));
    expect(plain(page.text)).toContain("Who is this appointment for? Myself Savitri Devi Someone else");
    expect(valuesOf(page.text)).toMatchObject({ name: "Ravi Kumar", gender: "male", forWhom: "me" });
    const chosen = await post(me, slots[0]!, typed({ intent: `for:${id}`, reason: "Fever", phone: "9876500000", medicalHistory: "Mine" }));
    expect([chosen.status, chosen.location]).toEqual([303, `${bookingPage(doctor.id, slots[0]!)}#booking-who`]);
    const filled = valuesOf((await me.get(bookingPage(doctor.id, slots[0]!))).text);
    expect(filled).toMatchObject({
      name: "Savitri Devi",
      gender: "female",
      bloodGroup: "O+",
      phone: "9876500000",
      reason: "Fever",
      medicalHistory: "",
      forWhom: id,
    });
    expect(Number(filled.age)).toBeGreaterThanOrEqual(66);
    await post(me, slots[0]!, { ...filled, intent: "for:me" });
    expect(valuesOf((await me.get(bookingPage(doctor.id, slots[0]!))).text)).toMatchObject({
      name: "Ravi Kumar",
      bloodGroup: "",
      forWhom: "me",
    });
  });

  it("fills the empty profile with the first booking for oneself, and the next form and the records follow", async () => {
    const me = await newPatient();
    const at = bookingPage(doctor.id, slots[8]!);
    const form = valuesOf((await me.get(at)).text);
    expect(form.forWhom).toBe("me");
    const typedMe = { name: "Ravi Kumar", age: "46", gender: "male" };
    const id = bookedId(await post(me, slots[8]!, { ...form, ...typedMe, intent: "book" }))!;
    const profile = () => server.sql`select name, gender, date_of_birth from patients where id = ${me.userId}`;
    expect(await profile()).toEqual([{ name: "Ravi Kumar", gender: "male", date_of_birth: null }]);
    const changes = () =>
      server.sql`select details ->> 'changed' as changed from audit_log where action = 'edit-profile' and actor_id = ${me.userId}`;
    expect(await changes()).toEqual([{ changed: "name, gender" }]);
    expect((await me.get("/patient-dashboard")).text).toContain("Ravi");
    // One patient, so no choice between records.
    expect((await me.get("/patient/records")).text).not.toContain("?for=");
    const next = bookingPage(doctor.id, slots[9]!);
    expect(valuesOf((await me.get(next)).text)).toMatchObject({ ...typedMe, phone: form.phone, forWhom: "me" });
    await me.post(`/patient/appointments/${id}/cancel`);
    await me.post(`/patient/appointments/${id}`, { intent: "again" });
    expect(valuesOf((await me.get(next)).text)).toMatchObject({ ...typedMe, phone: form.phone, forWhom: "me" });
    // A birth date that was missing is added, and nothing of another name.
    const later = {
      ...form,
      ...typedMe,
      name: "ravi kumar",
      age: "",
      dateOfBirth: "1980-03-01",
      intent: "book",
      idempotencyKey: "own-birth-date",
    };
    expect(bookedId(await post(me, slots[9]!, later))).not.toBeNull();
    expect(await profile()).toEqual([{ name: "Ravi Kumar", gender: "male", date_of_birth: "1980-03-01" }]);
    const other = { ...form, name: "Sita", age: "40", gender: "female", intent: "book", idempotencyKey: "other-name" };
    expect(bookedId(await post(me, slots[10]!, other))).not.toBeNull();
    expect(await profile()).toEqual([{ name: "Ravi Kumar", gender: "male", date_of_birth: "1980-03-01" }]);
    expect(await changes()).toHaveLength(2);
  });

  it("fills the profile once when two names are booked at once, and not for someone else", async () => {
    const me = await newPatient();
    const form = valuesOf((await me.get(bookingPage(doctor.id, slots[11]!))).text);
    const bookFor = (slot: number, over: Fields) =>
      post(me, slots[slot]!, { ...form, age: "46", gender: "male", intent: "book", idempotencyKey: `at-once-${slot}`, ...over });
    expect(bookedId(await bookFor(11, { name: "Savitri", forWhom: "new" }))).not.toBeNull();
    const name = async () => (await server.sql<{ name: string | null }[]>`select name from patients where id = ${me.userId}`)[0]!.name;
    expect(await name()).toBeNull();
    const both = await Promise.all([bookFor(12, { name: "Ravi" }), bookFor(13, { name: "Kiran" })]);
    expect(both.map(bookedId)).not.toContain(null);
    expect(["Ravi", "Kiran"]).toContain(await name());
    expect(await server.sql`select 1 from audit_log where action = 'edit-profile' and actor_id = ${me.userId}`).toHaveLength(1);
  });

  it("starts a family member's booking with the number last used for them, otherwise the account's", async () => {
    const phone = newPhone();
    const me = await loginAs(server, { role: "patient", phone });
    await me.post("/patient/family/add", mother);
    const id = await idOf(me);
    const at = bookingPage(doctor.id, slots[6]!);
    const own = valuesOf((await me.get(at)).text).phone as string;
    expect(own).toBe(phone.slice(3));
    const choose = async (whom: string) => {
      await post(me, slots[6]!, { ...valuesOf((await me.get(at)).text), intent: `for:${whom}` });
      return valuesOf((await me.get(at)).text).phone;
    };
    for (const whom of [id, "me", "new", id]) expect(await choose(whom), whom).toBe(own);
    const theirs = { ...valuesOf((await me.get(at)).text), phone: "9876511111", gender: "female", intent: "book" };
    expect(bookedId(await post(me, slots[6]!, theirs))).not.toBeNull();
    const later = bookingPage(doctor.id, slots[7]!);
    await post(me, slots[7]!, { ...valuesOf((await me.get(later)).text), intent: `for:${id}` });
    expect(valuesOf((await me.get(later)).text).phone).toBe("9876511111");
  });

  it("attaches documents only to the patient they were added for, unless asked", async () => {
    const me = await newPatient();
    const at = bookingPage(doctor.id, slots[4]!);
    const report = asFile(await png(), "report.png", "image/png");
    expect((await post(me, slots[4]!, typed({ intent: "add" }), report)).status).toBe(303);
    const records = (values: Fields) => Object.fromEntries(Object.entries(values).filter(([name]) => name.startsWith("records[")));
    const mine = valuesOf((await me.get(at)).text);
    expect(mine).toMatchObject({ "records[0].forWhom": "me", forWhom: "me" });

    await post(me, slots[4]!, { ...mine, intent: "for:new" });
    const page = await me.get(at);
    expect(plain(page.text)).toContain("Not added to this appointment, because you added them for another patient: report.png");
    const person = { name: "Anu", age: "7", gender: "female", intent: "book" };
    const booked = bookedId(await post(me, slots[4]!, { ...valuesOf(page.text), ...person }));
    expect(await server.sql`select from medical_records where appointment_id = ${booked}`).toHaveLength(0);

    // Another day, with the document attached to this patient.
    const later = bookingPage(doctor.id, slots[5]!);
    await post(me, slots[5]!, typed({ intent: "add" }), asFile(await png(), "scan.png", "image/png"));
    await post(me, slots[5]!, { ...valuesOf((await me.get(later)).text), intent: "for:new" });
    const values = valuesOf((await me.get(later)).text);
    const used = await post(me, slots[5]!, { ...values, intent: `use:${values["records[0].fileId"]}` });
    expect(used.status).toBe(303);
    const ready = valuesOf((await me.get(later)).text);
    expect(records(ready)).toMatchObject({ "records[0].forWhom": "new" });
    const withIt = bookedId(await post(me, slots[5]!, { ...ready, ...person }));
    expect(await server.sql`select from medical_records where appointment_id = ${withIt}`).toHaveLength(1);
  });

  it("remembers a new member when asked, once, with the visit", async () => {
    const me = await newPatient();
    await post(me, slots[1]!, typed({ intent: "for:new" }));
    const page = await me.get(bookingPage(doctor.id, slots[1]!));
    expect(valuesOf(page.text)).toMatchObject({ name: "", age: "", forWhom: "new", relation: "" });
    expect(plain(page.text)).toContain("Remember this person for next time");
    const fields = typed({ forWhom: "new", filledAt: "1", remember: "on", name: "Arjun", age: "7", gender: "male" });
    const refused = await post(me, slots[1]!, { ...fields, relation: "nobody" });
    expect([refused.status, errorsOf(refused).relation]).toEqual([400, "Choose their relation to you."]);
    expect(await server.sql`select from family_members where patient_id = ${me.userId}`).toHaveLength(0);
    const booked = await Promise.all([1, 2, 3].map(() => post(me, slots[1]!, { ...fields, relation: "son" })));
    expect(new Set(booked.map(bookedId)).size).toBe(1);
    expect(await server.sql`select name, relation, age from family_members where patient_id = ${me.userId}`).toMatchObject([
      { name: "Arjun", relation: "son", age: 7 },
    ]);
    expect(plain((await me.get(bookingPage(doctor.id, slots[2]!))).text)).toContain("Myself Arjun Someone else");
  });

  it("remembers a new member whose relation was not chosen, which is optional", async () => {
    const me = await newPatient();
    const own = await makeDoctor(server.db, { slots: [slots[0]!] });
    const person = { name: "Arjun", age: "7", gender: "male" };
    const booked = await book(me, own.id, slots[0]!, { ...person, forWhom: "new", remember: "on", relation: "" });
    expect([booked.status, errorsOf(booked)]).toEqual([303, {}]);
    expect(await server.sql`select name, relation from family_members where patient_id = ${me.userId}`).toMatchObject([
      { name: "Arjun", relation: "other" },
    ]);
  });

  it("books when the list is full, and shows that it is full", async () => {
    const me = await newPatient();
    await server.sql`insert into family_members (patient_id, name, relation, gender, age, age_on)
      select ${me.userId}, 'Cousin ' || n, 'other', 'male', 30, current_date from generate_series(1, 20) n`;
    const booked = await post(me, slots[2]!, typed({ forWhom: "new", remember: "on", relation: "son", name: "Arjun" }));
    expect(bookedId(booked)).not.toBeNull();
    expect(plain((await me.follow(booked)).text)).toContain("Your appointment is booked. Your family list is full");
  });

  it("refuses a member of another family", async () => {
    const [me, stranger] = [await newPatient(), await newPatient()];
    await me.post("/patient/family/add", mother);
    const chosen = await post(stranger, slots[3]!, typed({ intent: `for:${await idOf(me)}` }));
    expect(chosen.status).toBe(303);
    const page = await stranger.get(bookingPage(doctor.id, slots[3]!));
    expect(page.text).not.toContain("Savitri");
    expect(valuesOf(page.text)).toMatchObject({ name: "", forWhom: "new" });
  });
});
