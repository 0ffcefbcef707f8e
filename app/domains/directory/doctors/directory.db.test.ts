import { expect, it } from "vitest";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { findBookableDoctor, getPublicDoctor, listDoctors } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
const NOW = new Date("2026-11-21T10:00:00+05:30");
const near = { latitude: 16.5, longitude: 80.6 };
const names = async (search: Partial<Parameters<typeof listDoctors>[1]> = {}) =>
  (await listDoctors(ctx(null, NOW), { near, limit: 50, sort: "name", ...search })).doctors.map((d) => d.name);

const asha = await makeDoctor(db, { name: "Dr. Asha_100% Rao", fee: 30_000, specialization: "Dentist", category: "Dentistry" });
const bala = await makeDoctor(db, { name: "Dr. Bala Rao", fee: null, specialization: "Cardiologist", category: "Cardiology" });
const chitra = await makeDoctor(db, { name: "Dr. Chitra Devi", fee: 90_000, specialization: "Cardiologist", category: "Cardiology" });
await sql`update doctors set latitude = 17.4, longitude = 78.5, experience_years = 30 where id = ${asha.id}`;
await sql`update doctors set latitude = 16.3, experience_years = 10 where id = ${bala.id}`;
await sql`update doctors set experience_years = 20 where id = ${chitra.id}`;
for (const status of ["draft", "under review by hospital", "pending admin approval", "rejected", "suspended"] as const)
  await makeDoctor(db, { name: `Dr. Hidden ${status}`, status });

it("lists verified doctors only", async () => {
  expect(await names()).toEqual(["Dr. Asha_100% Rao", "Dr. Bala Rao", "Dr. Chitra Devi"]);
});
it("searches by the beginning of words, in any case, and treats punctuation as a separator", async () => {
  expect(await names({ text: "rao" })).toEqual(["Dr. Asha_100% Rao", "Dr. Bala Rao"]);
  expect(await names({ text: "RA bal" })).toEqual(["Dr. Bala Rao"]);
  expect(await names({ text: "100%" })).toEqual(["Dr. Asha_100% Rao"]);
  expect(await names({ text: "a_1" })).toEqual(["Dr. Asha_100% Rao"]);
  for (const text of ["%", "_", "\\", "'\"", "\0", "%_%", "'; drop table doctors; --", "zz".repeat(5000)]) {
    const { doctors, total, similar } = await listDoctors(ctx(null, NOW), { near, limit: 50, text });
    expect([text, doctors, total, similar]).toEqual([text, [], 0, false]);
  }
});
it("finds by specialty, hospital and place, and by a hospital's new name at once", async () => {
  expect(await names({ text: "cardio" })).toEqual(["Dr. Bala Rao", "Dr. Chitra Devi"]);
  expect(await names({ text: "a dentist in vijayawada" })).toEqual(["Dr. Asha_100% Rao"]);
  const [hospital] =
    await sql`insert into hospitals (name, category, address, city, state) values ('Asha Clinic', 'Clinic', 'x', 'y', 'z') returning id`;
  await sql`update doctors set hospital_id = ${hospital!.id} where id in (${asha.id}, ${chitra.id})`;
  expect(await names({ text: "asha" })).toEqual(["Dr. Asha_100% Rao", "Dr. Chitra Devi"]);
  expect(await names({ text: "asha", hospitalId: hospital!.id, sort: "fee", direction: "desc" })).toEqual([
    "Dr. Chitra Devi",
    "Dr. Asha_100% Rao",
  ]);
  await sql`update hospitals set name = 'Sunrise Clinic' where id = ${hospital!.id}`;
  expect(await names({ text: "sunrise" })).toEqual(["Dr. Asha_100% Rao", "Dr. Chitra Devi"]);
  expect(await names({ text: "asha" })).toEqual(["Dr. Asha_100% Rao"]);
});
it("corrects a typing error when nothing matches, and reports it", async () => {
  await refreshSearchWords(db);
  const slip = async (text: string) => {
    const { doctors, similar } = await listDoctors(ctx(null, NOW), { near, limit: 50, text, sort: "name" });
    return [similar, doctors.map((d) => d.name)];
  };
  expect(await slip("cardiolgist")).toEqual([true, ["Dr. Bala Rao", "Dr. Chitra Devi"]]);
  expect(await slip("chitar devi")).toEqual([true, ["Dr. Chitra Devi"]]);
  expect(await slip("vijaywada dentsit")).toEqual([true, ["Dr. Asha_100% Rao"]]);
  expect(await slip("chitra")).toEqual([false, ["Dr. Chitra Devi"]]);
  expect(await slip("nobodyhere")).toEqual([false, []]);
  // Names of unlisted doctors do not correct a search.
  expect(await slip("hiddne")).toEqual([false, []]);
});
it("sorts favourites first or last, also for a patient with a favourite hospital", async () => {
  const patient = await makePatient(db);
  await sql`insert into favourites (patient_id, doctor_id) values (${patient.id}, ${chitra.id})`;
  await sql`insert into favourites (patient_id, hospital_id) select ${patient.id}, id from hospitals limit 1`;
  expect(await sql`select from favourites where patient_id = ${patient.id}`).toHaveLength(2);
  const liked = async (direction?: "asc") =>
    (await listDoctors(ctx(patient.actor, NOW), { near, limit: 50, sort: "liked", ...(direction ? { direction } : {}) })).doctors.map(
      (d) => d.name,
    );
  expect(await liked()).toEqual(["Dr. Chitra Devi", "Dr. Asha_100% Rao", "Dr. Bala Rao"]);
  expect(await liked("asc")).toEqual(["Dr. Asha_100% Rao", "Dr. Bala Rao", "Dr. Chitra Devi"]);
  expect(await names({ sort: "liked" })).toEqual(["Dr. Asha_100% Rao", "Dr. Bala Rao", "Dr. Chitra Devi"]);
});
it("sorts by average rating, doctors without reviews last in both directions", async () => {
  await sql`update doctors set rating_sum = 9, rating_count = 2 where id = ${bala.id}`;
  await sql`update doctors set rating_sum = 3, rating_count = 1 where id = ${chitra.id}`;
  expect(await names({ sort: "review" })).toEqual(["Dr. Bala Rao", "Dr. Chitra Devi", "Dr. Asha_100% Rao"]);
  expect(await names({ sort: "review", direction: "asc" })).toEqual(["Dr. Chitra Devi", "Dr. Bala Rao", "Dr. Asha_100% Rao"]);
  const { doctors } = await listDoctors(ctx(null, NOW), { near, limit: 2, sort: "review" });
  expect(doctors.map((d) => d.rating)).toEqual([
    { average: 4.5, count: 2 },
    { average: 3, count: 1 },
  ]);
});
it("filters by specialty and category, together with the name", async () => {
  expect(await names({ specialty: "Cardiologist" })).toEqual(["Dr. Bala Rao", "Dr. Chitra Devi"]);
  expect(await names({ specialty: "Cardiologist", text: "devi" })).toEqual(["Dr. Chitra Devi"]);
  expect(await names({ category: "Dentistry" })).toEqual(["Dr. Asha_100% Rao"]);
  expect(await names({ category: "Neurology" })).toEqual([]);
});
it("sorts in both directions, doctors without a fee last", async () => {
  expect(await names({ direction: "desc" })).toEqual(["Dr. Chitra Devi", "Dr. Bala Rao", "Dr. Asha_100% Rao"]);
  expect(await names({ sort: "fee" })).toEqual(["Dr. Asha_100% Rao", "Dr. Chitra Devi", "Dr. Bala Rao"]);
  expect(await names({ sort: "fee", direction: "desc" })).toEqual(["Dr. Chitra Devi", "Dr. Asha_100% Rao", "Dr. Bala Rao"]);
  expect(await names({ sort: "distance" })).toEqual(["Dr. Chitra Devi", "Dr. Bala Rao", "Dr. Asha_100% Rao"]);
  expect(await names({ sort: "distance", reversed: true })).toEqual(["Dr. Asha_100% Rao", "Dr. Bala Rao", "Dr. Chitra Devi"]);
  expect(await names({ sort: "experience", direction: "desc" })).toEqual(["Dr. Asha_100% Rao", "Dr. Chitra Devi", "Dr. Bala Rao"]);
});
it("returns pages and the total", async () => {
  const page = await listDoctors(ctx(null, NOW), { near, limit: 2, offset: 2, sort: "name" });
  expect(page.doctors.map((d) => d.name)).toEqual(["Dr. Chitra Devi"]);
  expect(page.total).toBe(3);
});
it("returns the next free time that is in the future and not booked", async () => {
  const doctor = await makeDoctor(db, {
    name: "Dr. Zed",
    slots: ["09:00", "10:00", "11:00", "12:00"].map((time) => ({ date: "2026-11-21", time })),
  });
  const patient = await makePatient(db);
  const next = async () => (await getPublicDoctor(ctx(null, NOW), doctor.id)).nextFree;
  expect(await next()).toEqual({ date: "2026-11-21", time: "11:00" });
  await makeVisit(db, { patient, doctor }, { date: "2026-11-21", time: "11:00" });
  await makeVisit(db, { patient, doctor }, { date: "2026-11-21", time: "12:00", status: "cancelled" });
  expect(await next()).toEqual({ date: "2026-11-21", time: "12:00" });
  expect((await listDoctors(ctx(null, NOW), { near, limit: 50, text: "Zed" })).doctors[0]?.nextFree).toEqual({
    date: "2026-11-21",
    time: "12:00",
  });
  await makeVisit(db, { patient, doctor }, { date: "2026-11-21", time: "12:00" });
  expect(await next()).toBeNull();
});
it("returns nothing for an unverified doctor, like for an unknown one", async () => {
  const hidden = await makeDoctor(db, { status: "suspended" });
  for (const id of [hidden.id, "00000000-0000-4000-8000-000000000000", "nonsense", ""]) {
    const error = await getPublicDoctor(ctx(null, NOW), id).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DomainError);
    expect((error as DomainError).code).toBe("not-found");
    expect(await findBookableDoctor(ctx(null, NOW), id)).toBeNull();
  }
});

it("sorts doctors of one place by name, and unknown places last in both directions", async () => {
  const made = [
    await makeDoctor(db, { name: "Dr. Equal B", specialization: "Placed" }),
    await makeDoctor(db, { name: "Dr. Equal A", specialization: "Placed" }),
    await makeDoctor(db, { name: "Dr. Far", specialization: "Placed" }),
    await makeDoctor(db, { name: "Dr. Nowhere", specialization: "Placed" }),
  ].map(({ id }) => id);
  await sql`update doctors set latitude = 17.4, longitude = 78.5 where id in ${sql(made)}`;
  await sql`update doctors set latitude = 28.6, longitude = 77.2 where id = ${made[2]!}`;
  await sql`update doctors set latitude = null, longitude = null where id = ${made[3]!}`;
  for (const one of [{ specialty: "Placed" }, { text: "placed" }]) {
    expect(await names({ ...one, sort: "distance" })).toEqual(["Dr. Equal A", "Dr. Equal B", "Dr. Far", "Dr. Nowhere"]);
    expect(await names({ ...one, sort: "distance", reversed: true })).toEqual(["Dr. Far", "Dr. Equal A", "Dr. Equal B", "Dr. Nowhere"]);
  }
  const { doctors } = await listDoctors(ctx(null, NOW), { near, limit: 50, text: "placed", sort: "distance" });
  // Great-circle distances on a sphere of 6371 km.
  expect(doctors.map((d) => d.distanceKm)).toEqual([244.8, 244.8, 1389.8, null]);
  await sql`delete from users where id in ${sql(made)}`;
});

/** The sort orders as SQL, by the exact distance. */
const KILOMETRES =
  "round((2 * 6371 * asin(sqrt(sin(radians(latitude - 16.5) / 2) ^ 2 + cos(radians(16.5)) * cos(radians(latitude)) * sin(radians(longitude - 80.6) / 2) ^ 2)))::numeric, 3)";
const AVERAGE = "rating_sum::float8 / nullif(rating_count, 0)";
const ORDERS = {
  distance: [KILOMETRES, `${KILOMETRES} desc nulls last`],
  review: [`${AVERAGE} desc nulls last, rating_count desc`, `${AVERAGE} nulls last, rating_count desc`],
  experience: ["experience_years desc", "experience_years"],
  fee: ["consultation_fee nulls last", "consultation_fee desc nulls last"],
} as const;
it("returns more than the counted maximum in the same order on every page", async () => {
  await sql.begin(async (tx) => {
    await tx`insert into users (id, role, email, phone) select ('00000000-5ca1-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'doctor', 'many' || n || '@many.test', '+915' || lpad(n::text, 9, '0') from generate_series(1, 1200) n`;
    await tx`
      insert into doctors (id, registration_status, full_name, category, primary_specialization, additional_specializations, consultation_fee, experience_years, area, city, state, latitude, longitude, rating_sum, rating_count)
      select id, 'verified', 'Dr. ' || case when n % 40 = 0 then 'Umbrella ' else 'Plain ' end || n % 300, 'General', 'Physician',
        'Umbrella' || case when n <= 1000 then ' thousand' else '' end || case when n <= 1001 then ' thousandandone' else '' end,
        nullif(n % 7, 0) * 10000, n % 9, 'Area', 'City', 'State', 15.037 + n % 13 * 0.1, 80.013 + nullif(n % 11, 0) * 0.1, n % 5, n % 3
      from (select id, substr(email, 5, strpos(email, '@') - 5)::int as n from users where email like '%@many.test') u`;
  });
  const patient = await makePatient(db);
  await sql`insert into favourites (patient_id, doctor_id) select ${patient.id}, id from doctors where full_name like '%1'`;
  const total = async (text: string, search: Partial<Parameters<typeof listDoctors>[1]> = {}) => {
    const page = await listDoctors(ctx(patient.actor, NOW), { near, limit: 8, text, ...search });
    return [page.doctors.length, page.total, page.uncounted];
  };
  expect(await total("thousand umbrella")).toEqual([8, 1000, true]);
  expect(await total("thousandandone")).toEqual([8, 1000, true]);
  expect(await total("plain 7")).toEqual([8, 44, false]);
  // A page beyond the end returns the total too.
  expect(await total("plain 7", { offset: 80 })).toEqual([0, 44, false]);
  expect(await total("umbrella", { offset: 8000 })).toEqual([0, 1000, true]);
  await sql`update doctors set additional_specializations = 'Umbrella' where id = '00000000-5ca1-4000-8000-000000001001'`;
  expect(await total("thousandandone")).toEqual([8, 1000, false]);
  expect(await total("thousandandone", { sort: "distance", offset: 996 })).toEqual([4, 1000, false]);

  const all = async (search: Partial<Parameters<typeof listDoctors>[1]>, size: number) => {
    const found: string[] = [];
    for (let offset = 0; offset < 1300; offset += size) {
      const page = await listDoctors(ctx(patient.actor, NOW), { near, limit: size, offset, ...search });
      expect([page.total, page.uncounted, page.similar]).toEqual([1000, true, false]);
      found.push(...page.doctors.map((d) => d.id));
    }
    return found;
  };
  const inSql = async (where: string, order: string) =>
    (await sql.unsafe(`select id from doctors where registration_status = 'verified' and ${where} order by ${order}`)).map(({ id }) => id);
  const UMBRELLA = "words @@ 'umbrella'";
  expect(await inSql(UMBRELLA, "id")).toHaveLength(1200);
  expect(await all({ text: "umbrella", sort: "name" }, 33)).toEqual(await inSql(UMBRELLA, "full_name, id"));
  expect(await all({ text: "umbrella", sort: "name", reversed: true }, 33)).toEqual(await inSql(UMBRELLA, "full_name desc, id"));
  // Nearest first without a choice, also for too many matches to sort by name.
  expect(await all({ text: "dr" }, 64)).toEqual(await inSql("true", `${KILOMETRES}, full_name, id`));
  const mine = `exists (select from favourites f where f.doctor_id = doctors.id and f.patient_id = '${patient.id}')`;
  for (const [where, text] of [
    [UMBRELLA, "umbrella"],
    ["true", undefined],
  ] as const) {
    const search = text ? { text } : {};
    for (const [sort, orders] of Object.entries(ORDERS))
      for (const [i, order] of orders.entries())
        expect([sort, i, await all({ ...search, sort: sort as keyof typeof ORDERS, reversed: i === 1 }, 100)]).toEqual([
          sort,
          i,
          await inSql(where, `${order}, full_name, id`),
        ]);
    expect(await all({ ...search, sort: "liked" }, 30)).toEqual(await inSql(where, `${mine} desc, full_name, id`));
    expect(await all({ ...search, sort: "liked", reversed: true }, 30)).toEqual(await inSql(where, `${mine}, full_name, id`));
  }
});
