/** What a patient finds in the list of doctors: nearest first, filters, the category "General", illnesses. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import type { DoctorFilters } from "./doctor-filters.ts";
import { listDoctors } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
/** 10:00 in India. */
const NOW = new Date("2026-11-21T10:00:00+05:30");
const [TODAY, TOMORROW] = ["2026-11-21", "2026-11-22"];
const near = { latitude: 16.5, longitude: 80.6 };
type Search = Partial<Parameters<typeof listDoctors>[1]>;
const list = (search: Search = {}) => listDoctors(ctx(null, NOW), { near, limit: 50, ...search });
const names = async (search: Search = {}) => (await list(search)).doctors.map(({ name }) => name);
const filtered = (filters: Partial<DoctorFilters>, more: Search = {}) => names({ filters, ...more });

const at = (date: string, time: string) => ({ date, time });
type Row = [name: string, category: string, specialization: string, north: number, slots: { date: string; time: string }[]];
const ROWS: Row[] = [
  ["Far Physician", "General", "General Physician", 2, [at(TODAY, "11:00")]],
  ["Near Physician", "General", "General Physician", 0.02, [at(TOMORROW, "09:00")]],
  ["Skin", "General", "Dermatologist", 0.01, [at(TODAY, "16:00")]],
  ["Child", "Vaccination", "Pediatrician", 0.1, [at(TODAY, "09:00"), at("2026-11-25", "09:00")]],
  ["Heart", "Cardiology", "Cardiologist", 0.2, []],
  ["Surgeon", "General", "General Surgeon", 0.03, []],
];
beforeAll(async () => {
  for (const [name, category, specialization, north, slots] of ROWS) {
    const { id } = await makeDoctor(db, { name, category, specialization, slots, fee: name === "Heart" ? null : 40_000 });
    await sql`update doctors set latitude = ${16.5 + north}, gender = ${name === "Skin" ? "female" : "male"},
      languages = ${name === "Skin" || name === "Child" ? ["Telugu", "Urdu"] : ["English"]} where id = ${id}`;
  }
  await sql`update doctors set consultation_fee = 30000 where full_name = 'Skin'`;
});

describe("without a choice", () => {
  it("lists the nearest doctor first and counts those near and all", async () => {
    expect(await names()).toEqual(["Skin", "Near Physician", "Surgeon", "Child", "Heart", "Far Physician"]);
    const { total, near: close, uncounted } = await list({ limit: 2, offset: 4 });
    expect([total, close, uncounted]).toEqual([6, 5, false]);
  });
  it("puts matches by name first among the near ones only", async () => {
    const { id } = await makeDoctor(db, { name: "Dr. Skinner", category: "Cardiology", specialization: "Cardiologist" });
    await sql`update doctors set latitude = 16.8 where id = ${id}`;
    const far = await makeDoctor(db, { name: "Dr. Skinner Far", category: "Cardiology", specialization: "Cardiologist" });
    await sql`update doctors set latitude = 19 where id = ${far.id}`;
    await sql`update doctors set additional_specializations = 'Skinner' where full_name = 'Heart'`;
    expect(await names({ text: "skinner" })).toEqual(["Dr. Skinner", "Heart", "Dr. Skinner Far"]);
    await sql`delete from users where id in ${sql([id, far.id])}`;
  });
});

describe("soonest available", () => {
  it("sorts near doctors by their next free slot, then those without one, then doctors further away", async () => {
    expect(await names({ sort: "soonest" })).toEqual(["Skin", "Near Physician", "Child", "Surgeon", "Heart", "Far Physician"]);
    expect(await names({ sort: "soonest", limit: 2, offset: 2 })).toEqual(["Child", "Surgeon"]);
  });
  it("skips booked and past slots", async () => {
    const patient = await makePatient(db);
    const [skin] = await sql<{ id: string }[]>`select id from doctors where full_name = 'Skin'`;
    await makeVisit(db, { patient, doctor: { id: skin!.id } as never }, at(TODAY, "16:00"));
    expect((await names({ sort: "soonest" }))[0]).toBe("Near Physician");
    expect(await filtered({ day: "today" })).toEqual(["Far Physician"]);
    await sql`delete from appointments where doctor_id = ${skin!.id}`;
    expect((await names({ sort: "soonest" }))[0]).toBe("Skin");
  });
});

describe("filters", () => {
  it("finds doctors with a free slot today or tomorrow, and counts them", async () => {
    expect(await filtered({ day: "today" })).toEqual(["Skin", "Far Physician"]);
    expect(await filtered({ day: "tomorrow" })).toEqual(["Near Physician"]);
    const { total, near: close } = await list({ filters: { day: "today" }, limit: 1 });
    expect([total, close]).toEqual([2, 1]);
  });
  it("finds doctors by fee, language, gender and distance", async () => {
    expect(await filtered({ fee: "300" })).toEqual(["Skin"]);
    expect(await filtered({ fee: "500" })).not.toContain("Heart");
    expect(await filtered({ language: "Urdu" })).toEqual(["Skin", "Child"]);
    expect(await filtered({ gender: "female" })).toEqual(["Skin"]);
    expect(await filtered({ within: "5" })).toEqual(["Skin", "Near Physician", "Surgeon"]);
    expect(await filtered({ within: "25" })).toEqual(["Skin", "Near Physician", "Surgeon", "Child", "Heart"]);
  });
  it("combines them with each other, a search, a specialty and every order", async () => {
    expect(await filtered({ language: "Urdu", within: "5" })).toEqual(["Skin"]);
    expect(await filtered({ language: "Urdu", day: "tomorrow" })).toEqual([]);
    expect(await filtered({ gender: "male", within: "25" }, { text: "physician" })).toEqual(["Near Physician", "Child"]);
    expect(await filtered({ gender: "male" }, { specialty: "General Physician" })).toEqual(["Near Physician", "Far Physician"]);
    for (const sort of ["default", "distance", "soonest", "review", "liked", "experience", "fee", "name"] as const)
      for (const reversed of [false, true])
        for (const text of [undefined, "general"]) {
          const search = { sort, reversed, ...(text ? { text } : {}) };
          const all = await filtered({ gender: "male", fee: "500" }, search);
          expect([sort, reversed, text, [...all].sort()]).toEqual([
            sort,
            reversed,
            text,
            text ? ["Far Physician", "Near Physician", "Surgeon"] : ["Child", "Far Physician", "Near Physician", "Surgeon"],
          ]);
          expect(await filtered({ gender: "male", day: "today" }, search)).toEqual(["Far Physician"]);
        }
  });
});

describe("the category General", () => {
  it("has general physicians, pediatricians and family doctors only", async () => {
    expect(await names({ category: "General" })).toEqual(["Near Physician", "Child", "Far Physician"]);
    for (const [specialization, listed] of [
      ["Family Physician", true],
      ["Consultant", true],
      ["", true],
      ["Pediatric Cardiologist", false],
      ["General Surgeon", false],
      ["ENT Specialist", false],
      ["Chest Physician", false],
      ["Dentist", false],
    ] as const) {
      const { id } = await makeDoctor(db, { name: "One", category: "General", specialization });
      expect([specialization, (await names({ category: "General" })).includes("One")]).toEqual([specialization, listed]);
      await sql`delete from users where id = ${id}`;
    }
  });
  it("leaves the other categories as they are", async () => {
    expect(await names({ category: "Vaccination" })).toEqual(["Child"]);
    expect(await names({ category: "Neurology" })).toEqual([]);
  });
});

describe("an illness", () => {
  it.each([
    ["fever", "General Physician", ["Near Physician", "Child", "Far Physician"]],
    ["high fever", "General Physician", ["Near Physician", "Child", "Far Physician"]],
    ["ఫీవర్", "General Physician", ["Near Physician", "Child", "Far Physician"]],
    ["జ్వరం", "General Physician", ["Near Physician", "Child", "Far Physician"]],
    ["बुखार", "General Physician", ["Near Physician", "Child", "Far Physician"]],
    ["skin rash", "Dermatologist", ["Skin"]],
    ["chest pain", "Cardiologist", ["Heart"]],
    ["గుండె నొప్పి", "Cardiologist", ["Heart"]],
    // The other words of an illness are not required.
    ["heart attack", "Cardiologist", ["Heart"]],
    ["heart flutters terribly", "Cardiologist", ["Heart"]],
    ["గుండెపోటు", "Cardiologist", ["Heart"]],
    ["gunde potu", "Cardiologist", ["Heart"]],
    ["दिल का दौरा", "Cardiologist", ["Heart"]],
    ["fever tablet", "General Physician", ["Near Physician", "Child", "Far Physician"]],
    ["జ్వరం మాత్రలు", "General Physician", ["Near Physician", "Child", "Far Physician"]],
    ["बुखार की गोली", "General Physician", ["Near Physician", "Child", "Far Physician"]],
    ["heart doctor", "Cardiologist", ["Heart"]],
    ["children's doctor", "Pediatrician", ["Child"]],
    ["పిల్లల డాక్టర్", "Pediatrician", ["Child"]],
  ])("%s finds its doctors", async (text, meant, found) => {
    const { doctors, meant: kind, similar } = await list({ text });
    expect([kind, similar, doctors.map(({ name }) => name)]).toEqual([meant, false, found]);
  });
  it("is combined with other words and filters", async () => {
    await sql`update doctors set city = 'Guntur' where full_name = 'Far Physician'`;
    expect(await names({ text: "fever in guntur" })).toEqual(["Far Physician"]);
    expect(await names({ text: "fever tablet guntur" })).toEqual(["Far Physician"]);
    expect(await names({ text: "fever", filters: { day: "tomorrow" } })).toEqual(["Near Physician"]);
    expect(await names({ text: "fever", specialty: "Pediatrician" })).toEqual(["Child"]);
    expect(await names({ text: "fever", category: "Cardiology" })).toEqual([]);
  });
  it("does not hide doctors whose data has the word", async () => {
    await sql`update doctors set additional_specializations = 'Dengue fever' where full_name = 'Heart'`;
    expect(await names({ text: "fever" })).toEqual(["Near Physician", "Child", "Heart", "Far Physician"]);
    expect((await list({ text: "reddy" })).meant).toBeNull();
    // Who asks for a doctor gets those of this kind only, unless further words name something else.
    expect(await names({ text: "fever doctor" })).toEqual(["Near Physician", "Child", "Far Physician"]);
    await sql`update doctors set additional_specializations = 'Dengue fever ward' where full_name = 'Heart'`;
    expect(await names({ text: "fever ward doctor" })).toEqual(["Heart"]);
  });
});

it("counts and orders more doctors than it collects", async () => {
  await sql.begin(async (tx) => {
    await tx`insert into users (id, role, email, phone) select ('00000000-5ca2-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'doctor', 'crowd' || n || '@crowd.test', '+914' || lpad(n::text, 9, '0') from generate_series(1, 1100) n`;
    await tx`insert into doctors (id, registration_status, full_name, category, primary_specialization, gender, city, state, latitude, longitude)
      select id, 'verified', 'Crowd', 'Neurology', 'Neurologist', 'female', 'City', 'State', 17 + right(phone, 4)::int % 13 * 0.1, 80.1 + right(phone, 4)::int % 11 * 0.1 from users where id::text like '00000000-5ca2-%'`;
  });
  const { total, near: close, uncounted, doctors } = await list({ filters: { gender: "female" }, limit: 1 });
  // They are further away than 0.449° of latitude, which are 50 km.
  expect([total, uncounted, close, doctors[0]?.name]).toEqual([1000, true, 1, "Skin"]);
  expect((await list({ sort: "soonest", limit: 1 })).uncounted).toBe(true);
  expect(await filtered({ day: "today", gender: "female" })).toEqual(["Skin"]);
});
