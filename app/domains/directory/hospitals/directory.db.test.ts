import { expect, it } from "vitest";
import { hospitals } from "#app/db/schema/index.ts";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import { makeDoctor, makePatient } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { getPublicHospital, type HospitalSearch, listHospitals } from "./directory.server.ts";

const { db, sql, ctx } = testDb();
const near = { latitude: 16.5, longitude: 80.6 };
const make = async (name: string, over: Partial<typeof hospitals.$inferInsert> = {}) => {
  const [row] = await db
    .insert(hospitals)
    .values({ name, category: "Hospital", address: "1 Road", city: "Vijayawada", state: "Andhra Pradesh", ...over })
    .returning({ id: hospitals.id });
  return row!.id;
};
const names = async (search: Partial<HospitalSearch> = {}) =>
  (await listHospitals(ctx(), { near, limit: 50, ...search })).hospitals.map((h) => h.name);

const apollo = await make("Apollo Heart", { specialties: ["Cardiology"], latitude: 16.6, longitude: 80.6, ratingSum: 46, ratingCount: 10 });
const benz = await make("Benz Clinic", { category: "Clinic", latitude: 17.4, longitude: 78.5, ratingSum: 10, ratingCount: 2 });
const care = await make("Care Lab", { category: "Laboratory" });
for (const status of ["pending", "refused", "merged"] as const) await make(`Hidden ${status}`, { status, mergedInto: apollo });
for (const status of ["verified", "verified", "draft", "suspended"] as const) {
  const doctor = await makeDoctor(db, { status, category: "Dentistry" });
  await sql`update doctors set hospital_id = ${status === "draft" ? benz : apollo} where id = ${doctor.id}`;
}

it("lists active hospitals only, nearest first, with the fields of a card", async () => {
  expect(await names()).toEqual(["Apollo Heart", "Benz Clinic", "Care Lab"]);
  const { hospitals: cards, total } = await listHospitals(ctx(), { near, limit: 1 });
  expect(total).toBe(3);
  expect(cards[0]).toMatchObject({ rating: { average: 4.6, count: 10 }, doctors: 2, distanceKm: 11.1, kind: "Hospital" });
});
it("sorts in both directions, unknown values last", async () => {
  expect(await names({ sort: "name", direction: "desc" })).toEqual(["Care Lab", "Benz Clinic", "Apollo Heart"]);
  expect(await names({ sort: "distance" })).toEqual(["Apollo Heart", "Benz Clinic", "Care Lab"]);
  expect(await names({ sort: "distance", reversed: true })).toEqual(["Benz Clinic", "Apollo Heart", "Care Lab"]);
  expect(await names({ sort: "review" })).toEqual(["Benz Clinic", "Apollo Heart", "Care Lab"]);
  expect(await names({ sort: "review", direction: "asc" })).toEqual(["Apollo Heart", "Benz Clinic", "Care Lab"]);
  expect((await names({ sort: "doctors" }))[0]).toBe("Apollo Heart");
  expect((await names({ sort: "doctors", direction: "asc" })).at(-1)).toBe("Apollo Heart");
});
it("filters by verified doctors, and by a category it offers or has a doctor of", async () => {
  expect(await names({ doctors: "available" })).toEqual(["Apollo Heart"]);
  expect(await names({ doctors: "none" })).toEqual(["Benz Clinic", "Care Lab"]);
  expect(await names({ category: "Cardiology" })).toEqual(["Apollo Heart"]);
  expect(await names({ category: "Dentistry" })).toEqual(["Apollo Heart"]);
  expect(await names({ category: "Neurology" })).toEqual([]);
});
it("finds hospitals that are open, take emergencies, or are near", async () => {
  const hours = {
    [apollo]: "Open 24 hours, all days",
    [benz]: "Mon-Fri 9:00 AM - 4:00 PM, Sat 10 am to 1 pm",
    [care]: "Fri-Mon 6.30 pm - 11 pm",
  };
  for (const [id, text] of Object.entries(hours)) await sql`update hospitals set working_hours = ${text} where id = ${id}`;
  const openAt = async (time: string) =>
    (await listHospitals(ctx(null, new Date(`${time}+05:30`)), { near, limit: 50, open: true })).hospitals.map((h) => h.name);
  // 20 November 2026 is a Friday.
  expect(await openAt("2026-11-20T08:59")).toEqual(["Apollo Heart"]);
  expect(await openAt("2026-11-20T09:00")).toEqual(["Apollo Heart", "Benz Clinic"]);
  expect(await openAt("2026-11-20T16:00")).toEqual(["Apollo Heart"]);
  expect(await openAt("2026-11-20T18:30")).toEqual(["Apollo Heart", "Care Lab"]);
  expect(await openAt("2026-11-21T12:59")).toEqual(["Apollo Heart", "Benz Clinic"]);
  expect(await openAt("2026-11-22T20:00")).toEqual(["Apollo Heart", "Care Lab"]);
  expect(await openAt("2026-11-24T20:00")).toEqual(["Apollo Heart"]);
  for (const text of ["by appointment", "99:99 am - 88 pm", "", "9 - 5"]) {
    await sql`update hospitals set working_hours = ${text} where id = ${benz}`;
    expect(await openAt("2026-11-20T09:00")).toEqual(["Apollo Heart"]);
  }
  expect(await names({ emergency: true })).toEqual(["Apollo Heart"]);
  expect(await names({ nearby: true })).toEqual(["Apollo Heart"]);
  expect(await names({ nearby: true, open: true, emergency: true, text: "apollo", sort: "review" })).toEqual(["Apollo Heart"]);
  expect(await names({ text: "palpitations" })).toEqual(["Apollo Heart"]);
});
it("updates its doctors and categories on every change, also concurrent ones", async () => {
  const [one, two] = [await make("Zeta One"), await make("Zeta Two")];
  const known = async () =>
    (
      await sql<{ n: number; of: string[] }[]>`
        select doctors_count as n, doctor_categories as of from hospitals where id in (${one}, ${two}) order by name`
    ).map(({ n, of }) => `${n} ${of.join()}`);
  const doctors: string[] = [];
  for (let i = 0; i < 20; i++) doctors.push((await makeDoctor(db, { status: "draft", category: i % 2 ? "Dentistry" : "Cardiology" })).id);
  await sql`update doctors set hospital_id = ${one} where id in ${sql(doctors)}`;
  expect(await known()).toEqual(["0 ", "0 "]);
  await Promise.all(doctors.map((id) => sql`update doctors set registration_status = 'verified' where id = ${id}`));
  expect(await known()).toEqual(["20 Cardiology,Dentistry", "0 "]);
  // Half of them move while the others are suspended, all at the same time.
  await Promise.all(
    doctors.map((id, i) =>
      i % 2
        ? sql`update doctors set hospital_id = ${two} where id = ${id}`
        : sql`update doctors set registration_status = 'suspended' where id = ${id}`,
    ),
  );
  expect(await known()).toEqual(["0 ", "10 Dentistry"]);
  await sql`update doctors set category = 'Neurology' where id = ${doctors[1]!}`;
  await sql`delete from users where id = ${doctors[3]!}`;
  expect(await known()).toEqual(["0 ", "9 Dentistry,Neurology"]);
  await sql`delete from users where id in ${sql(doctors)}`;
  await sql`delete from hospitals where id in (${one}, ${two})`;
});
it("opens active hospitals only, and returns the target of a merged one", async () => {
  expect((await getPublicHospital(ctx(), care)).name).toBe("Care Lab");
  const [merged] = await sql`select id from hospitals where status = 'merged'`;
  expect((await getPublicHospital(ctx(), merged!.id)).mergedInto).toBe(apollo);
  const [pending] = await sql`select id from hospitals where status = 'pending'`;
  for (const id of [pending!.id, "00000000-0000-4000-8000-000000000000", "nonsense", undefined])
    await expect(getPublicHospital(ctx(), id)).rejects.toMatchObject({ code: "not-found", sentence: "Hospital not found" });
});
it("finds by the words of name, category, specialties and address, and corrects a typing error", async () => {
  await refreshSearchWords(db);
  const found = async (text: string) => {
    const { hospitals: cards, similar } = await listHospitals(ctx(), { near, limit: 50, text });
    return [similar, cards.map((h) => h.name)];
  };
  expect(await found("cardio heart")).toEqual([false, ["Apollo Heart"]]);
  expect(await found("laboratory")).toEqual([false, ["Care Lab"]]);
  expect(await found("clinic vijayawada")).toEqual([false, ["Benz Clinic"]]);
  expect(await found("apolo haert")).toEqual([true, ["Apollo Heart"]]);
  for (const text of ["%", "_", "'; drop table hospitals; --", "\0"]) expect(await found(text)).toEqual([false, []]);
});
it("sorts favourites first or last, also for a patient with a favourite doctor", async () => {
  const patient = await makePatient(db);
  await sql`insert into favourites (patient_id, hospital_id) values (${patient.id}, ${care})`;
  await sql`insert into favourites (patient_id, doctor_id) values (${patient.id}, ${(await makeDoctor(db)).id})`;
  const liked = async (search: Partial<HospitalSearch> = {}) =>
    (await listHospitals(ctx(patient.actor), { near, limit: 50, sort: "liked", ...search })).hospitals.map((h) => h.name);
  expect(await liked()).toEqual(["Care Lab", "Apollo Heart", "Benz Clinic"]);
  expect(await liked({ reversed: true })).toEqual(["Apollo Heart", "Benz Clinic", "Care Lab"]);
  expect(await liked({ limit: 1, offset: 1 })).toEqual(["Apollo Heart"]);
  expect(await liked({ text: "vijayawada" })).toEqual(["Care Lab", "Apollo Heart", "Benz Clinic"]);
});
it("returns more than the counted maximum page by page in one order", async () => {
  await sql`
    insert into hospitals (name, category, specialties, address, city, state, latitude, longitude)
    select case when n % 3 = 0 then 'Lotus ' else 'Plain ' end || n % 500, 'Clinic', '{Neurology}', n || ' Lotus Road', 'City', 'State',
      10.013 + n % 17 * 0.7, 75.013 + n % 19 * 0.5
    from generate_series(1, 1500) n`;
  const all = async (search: Partial<HospitalSearch>) => {
    const found: string[] = [];
    for (let offset = 0; offset < 1600; offset += 40) {
      const page = await listHospitals(ctx(), { near, limit: 40, offset, ...search });
      expect([page.total, page.uncounted]).toEqual([1000, true]);
      found.push(...page.hospitals.map((h) => h.id));
    }
    return found;
  };
  const inSql = async (order: string) =>
    (await sql.unsafe(`select id from hospitals where status = 'active' and specialties = '{Neurology}' order by ${order}, name, id`)).map(
      ({ id }) => id,
    );
  expect(await all({ text: "lotus road", sort: "name" })).toEqual(await inSql("status"));
  const km =
    "round((2 * 6371 * asin(sqrt(sin(radians(latitude - 16.5) / 2) ^ 2 + cos(radians(16.5)) * cos(radians(latitude)) * sin(radians(longitude - 80.6) / 2) ^ 2)))::numeric, 3)";
  for (const search of [{ text: "lotus" }, { category: "Neurology" }]) {
    const nearest = await inSql(km);
    expect(nearest).toHaveLength(1500);
    expect(await all(search)).toEqual(nearest);
    expect(await all({ ...search, sort: "distance" })).toEqual(nearest);
    expect(await all({ ...search, sort: "distance", reversed: true })).toEqual(await inSql(`${km} desc`));
  }
});
