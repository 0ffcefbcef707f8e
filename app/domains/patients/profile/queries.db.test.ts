import { expect, it } from "vitest";
import { makePatient } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { DEFAULT_PLACE, getPatientHead, getPatientProfile } from "./queries.server.ts";

const { db, sql, ctx } = testDb();

it("a patient without a city is in Vijayawada, otherwise in the chosen city", async () => {
  const [plain, settled] = [await makePatient(db), await makePatient(db, { name: "Ravi Kumar" })];
  expect(await getPatientHead(ctx(plain.actor))).toEqual({ name: null, place: DEFAULT_PLACE });
  const [city] = await sql<
    { id: number; latitude: number; longitude: number }[]
  >`select * from cities where name = 'Guntur' and state = 'Andhra Pradesh' limit 1`;
  await sql`update patients set city_id = ${city!.id} where id = ${settled.id}`;
  expect(await getPatientHead(ctx(settled.actor))).toEqual({
    name: "Ravi Kumar",
    place: { name: "Guntur", latitude: city!.latitude, longitude: city!.longitude, exact: false },
  });
  await sql`update patients set latitude = 16.3051, longitude = 80.4371 where id = ${settled.id}`;
  const { place } = await getPatientHead(ctx(settled.actor));
  expect(place).toEqual({ name: "Guntur", latitude: 16.3051, longitude: 80.4371, exact: true });
});

it("returns the caller's own profile", async () => {
  const [a, b] = [await makePatient(db, { name: "A" }), await makePatient(db)];
  expect(await getPatientProfile(ctx(a.actor))).toMatchObject({ name: "A", phone: a.phone });
  expect(await getPatientProfile(ctx(b.actor))).toMatchObject({ name: null, phone: b.phone });
});
