/** A doctor with practices in two towns: in the directory of both, once in each list, with fee and times of the place. */
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { doctors, hospitals, practices } from "#app/db/schema/index.ts";
import { makeHospital } from "../../../../tests/factories/cases.ts";
import { dayFromNow, makeDoctor, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makePractice } from "../../../../tests/factories/practices.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { listHospitals } from "../hospitals/directory.server.ts";
import { listPopularCities } from "./popular-cities.server.ts";
import { DOCTOR_SORTS, type DoctorSearch, listDoctors, listNextTimes } from "./queries.server.ts";

const { db, ctx } = testDb();
const VIJAYAWADA = { latitude: 16.5062, longitude: 80.648 };
const HYDERABAD = { latitude: 17.385, longitude: 78.4867 };
/** 3 km from the other two places of the town. */
const SECUNDERABAD = { latitude: 17.41, longitude: 78.5 };
const [TODAY_OR_LATER, LATER] = [dayFromNow(1), dayFromNow(3)];

let doctor: TestDoctor;
let [practiceId, hospitalId, homeHospital]: string[] = [] as never;
beforeAll(async () => {
  doctor = await makeDoctor(db, {
    name: "Dr. Sita Twotowns",
    fee: 50_000,
    category: "Cardiology",
    specialization: "Cardiologist",
    slots: [{ date: LATER, time: "10:00" }],
  });
  await makeDoctor(db, { name: "Dr. Anil Onetown", fee: 90_000, category: "Cardiology", specialization: "Cardiologist" });
  homeHospital = (await makeHospital(db, { name: "Krishna Hospital", ...VIJAYAWADA })).id;
  await db.update(doctors).set({ hospitalId: homeHospital }).where(eq(doctors.id, doctor.id));
  hospitalId = (
    await makeHospital(db, { name: "Charminar Heart Clinic", city: "Hyderabad", area: "Abids", state: "Telangana", ...HYDERABAD })
  ).id;
  const slots = [{ date: TODAY_OR_LATER, time: "18:00" }];
  practiceId = (await makePractice(db, doctor.id, { hospitalId, fee: 30_000, slots })).id;
});
const list = (over: Partial<DoctorSearch> = {}) => listDoctors(ctx(null), { near: VIJAYAWADA, limit: 10, ...over });
const shown = async (over: Partial<DoctorSearch> = {}) =>
  (await list(over)).doctors.map((d) => [d.name, d.city, d.fee, d.nextFree?.time ?? null, d.practiceId ?? null]);
const AT_HOME = ["Dr. Sita Twotowns", "Vijayawada", 50_000, "10:00", null];
const atHyderabad = () => ["Dr. Sita Twotowns", "Hyderabad", 30_000, "18:00", practiceId];
const ANIL = ["Dr. Anil Onetown", "Vijayawada", 90_000, null, null];

describe("a list", () => {
  it("shows the place in the reader's town, nearest first, and counts the doctor as near", async () => {
    expect(await shown({ near: HYDERABAD })).toEqual([atHyderabad(), ANIL]);
    const [there, here] = [await list({ near: HYDERABAD }), await list()];
    expect([there.total, there.near, here.total, here.near]).toEqual([2, 1, 2, 2]);
    expect(there.doctors[0]!.distanceKm).toBe(0);
    expect((await shown()).toSorted()).toEqual([ANIL, AT_HOME]);
    expect(there.doctors[0]!.area).toBe("Abids");
  });
  it("offers the times of the place that it shows", async () => {
    const times = async (near: typeof HYDERABAD) => {
      const { doctors: cards } = await list({ near });
      return (await listNextTimes(ctx(null), cards)).get(doctor.id);
    };
    expect(await times(HYDERABAD)).toEqual([{ date: TODAY_OR_LATER, time: "18:00" }]);
    expect(await times(VIJAYAWADA)).toEqual([{ date: LATER, time: "10:00" }]);
  });
  it.each(DOCTOR_SORTS)("has each doctor once, sorted by %s, in both directions and by pages", async (sort) => {
    for (const near of [VIJAYAWADA, HYDERABAD])
      for (const direction of ["asc", "desc"] as const)
        for (const text of [undefined, "cardiologist"]) {
          const all = await list({ sort, direction, near, ...(text && { text }) });
          expect([all.doctors.length, all.total]).toEqual([2, 2]);
          expect(new Set(all.doctors.map(({ id }) => id)).size).toBe(2);
          const pages = [0, 1].map(
            async (offset) => (await list({ sort, direction, near, limit: 1, offset, ...(text && { text }) })).doctors[0],
          );
          expect(await Promise.all(pages)).toEqual(all.doctors);
        }
  });
  it("sorted by name or experience shows the nearest place", async () => {
    for (const sort of ["name", "experience", "review"] as const)
      expect(await shown({ sort, near: HYDERABAD })).toContainEqual(atHyderabad());
  });
  it("sorted by fee shows the place with the fee that counts", async () => {
    expect(await shown({ sort: "fee" })).toEqual([atHyderabad(), ANIL]);
    expect(await shown({ sort: "fee", direction: "desc" })).toEqual([ANIL, AT_HOME]);
  });
  it("sorted by the next free time takes the times of each place", async () => {
    expect((await shown({ sort: "soonest", near: HYDERABAD }))[0]).toEqual(atHyderabad());
    expect((await shown({ sort: "soonest" }))[0]).toEqual(AT_HOME);
  });
});

describe("filters and search", () => {
  it("take fee, distance and free day of the same place", async () => {
    expect(await shown({ filters: { fee: "300" } })).toEqual([atHyderabad()]);
    expect(await shown({ filters: { fee: "500", within: "10" } })).toEqual([AT_HOME]);
    expect(await shown({ filters: { fee: "300", within: "10" } })).toEqual([]);
    expect(await shown({ near: HYDERABAD, filters: { within: "5" } })).toEqual([atHyderabad()]);
    expect(await shown({ filters: { day: "tomorrow" } })).toEqual([atHyderabad()]);
    expect(await shown({ filters: { day: "tomorrow", within: "10" } })).toEqual([]);
  });
  it("find the doctor by the words of each place, and not by those of two", async () => {
    for (const text of ["Sita Hyderabad", "charminar", "cardiologist abids"]) expect(await shown({ text }), text).toEqual([atHyderabad()]);
    expect(await shown({ text: "krishna hospital sita" })).toEqual([AT_HOME]);
    expect((await list({ text: "krishna charminar" })).total).toBe(0);
    expect(await shown({ text: "sita", near: HYDERABAD })).toEqual([atHyderabad()]);
  });
  it("list the doctor at both hospitals, which count them", async () => {
    expect(await shown({ hospitalId })).toEqual([atHyderabad()]);
    expect(await shown({ hospitalId: homeHospital! })).toEqual([AT_HOME]);
    const found = await listHospitals(ctx(null), { near: HYDERABAD, limit: 10, category: "Cardiology" });
    expect(found.hospitals.map((h) => [h.name, h.doctors])).toEqual([
      ["Charminar Heart Clinic", 1],
      ["Krishna Hospital", 1],
    ]);
  });
});

describe("two places in one town", () => {
  it("are one doctor at the nearer one", async () => {
    const second = await makeHospital(db, { name: "Secunderabad Clinic", city: "Secunderabad", state: "Telangana", ...SECUNDERABAD });
    const { id } = await makePractice(db, doctor.id, { hospitalId: second.id });
    for (const [near, practice] of [
      [SECUNDERABAD, id],
      [HYDERABAD, practiceId],
    ] as const) {
      const found = await list({ near });
      expect(found.doctors.map((d) => d.practiceId ?? null)).toEqual([practice, null]);
      expect([found.total, found.near]).toEqual([2, 1]);
    }
    await db.update(practices).set({ state: "closed" }).where(eq(practices.id, id));
    expect((await list({ near: SECUNDERABAD })).doctors[0]!.practiceId).toBe(practiceId);
  });
});

describe("the entry of a place", () => {
  it("follows fee, name and place", async () => {
    await db.update(practices).set({ fee: null }).where(eq(practices.id, practiceId!));
    expect((await list({ near: HYDERABAD })).doctors[0]!.fee).toBe(50_000);
    await db.update(doctors).set({ consultationFee: 40_000, fullName: "Dr. Gita Twotowns" }).where(eq(doctors.id, doctor.id));
    expect((await list({ text: "Gita Hyderabad" })).doctors[0]!.fee).toBe(40_000);
    await db.update(hospitals).set({ name: "Golconda Clinic" }).where(eq(hospitals.id, hospitalId!));
    expect((await list({ text: "golconda" })).doctors).toHaveLength(1);
    expect((await list({ text: "charminar clinic" })).total).toBe(0);
    await db.update(hospitals).set(SECUNDERABAD).where(eq(hospitals.id, hospitalId!));
    expect((await list({ near: SECUNDERABAD })).doctors[0]!.distanceKm).toBe(0);
  });
  it("is gone while the place waits, is refused or closed, and with a suspended doctor", async () => {
    const city = async () => (await list({ near: HYDERABAD, text: "Gita" })).doctors[0]?.city ?? null;
    const count = async () => (await db.select().from(hospitals).where(eq(hospitals.id, hospitalId!)))[0]!.doctorsCount;
    expect([await city(), await count()]).toEqual(["Hyderabad", 1]);
    await db.update(hospitals).set({ status: "pending" }).where(eq(hospitals.id, hospitalId!));
    expect(await city()).toBe("Vijayawada");
    await db.update(hospitals).set({ status: "active" }).where(eq(hospitals.id, hospitalId!));
    expect([await city(), await count()]).toEqual(["Hyderabad", 1]);
    await db.update(doctors).set({ registrationStatus: "suspended" }).where(eq(doctors.id, doctor.id));
    expect([await city(), await count()]).toEqual([null, 0]);
    await db.update(doctors).set({ registrationStatus: "verified" }).where(eq(doctors.id, doctor.id));
    expect([await city(), await count()]).toEqual(["Hyderabad", 1]);
    expect((await listPopularCities(ctx(null), 20)).map(({ name }) => name)).toContain("Hyderabad");
    for (const state of ["asked", "closed"] as const) {
      await db.update(practices).set({ state }).where(eq(practices.id, practiceId!));
      expect([await city(), await count()]).toEqual(["Vijayawada", 0]);
    }
  });
});
