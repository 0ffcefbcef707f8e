import { beforeAll, describe, expect, it } from "vitest";
import { hospitals } from "#app/db/schema/index.ts";
import { makeDoctor, makePatient, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { addFavourite, removeFavourite } from "./change-favourites.server.ts";
import { favouriteKey } from "./favourite.ts";
import { FavouriteKeySchema, PressSchema } from "./favourites.schema.ts";
import { favouritesAmong } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
let patient: Person;
let other: Person;
let doctor: Person;
let hospital: string;
beforeAll(async () => {
  patient = await makePatient(db);
  other = await makePatient(db);
  doctor = await makeDoctor(db, { name: "Dr. Heart" });
  [{ id: hospital }] = (await db
    .insert(hospitals)
    .values({ name: "Heart House", category: "Hospital", address: "1 Road", city: "Vijayawada", state: "Andhra Pradesh" })
    .returning({ id: hospitals.id })) as [{ id: string }];
});
const rows = async () => Number((await sql`select count(*) as n from favourites where patient_id = ${patient.id}`)[0]!.n);

describe("adding and removing", () => {
  it("200 concurrent presses leave one row, and 200 removals none", async () => {
    const favourite = { kind: "doctor", id: doctor.id } as const;
    await Promise.all(Array.from({ length: 200 }, () => addFavourite(ctx(patient.actor), favourite)));
    expect(await rows()).toBe(1);
    await Promise.all(Array.from({ length: 200 }, () => removeFavourite(ctx(patient.actor), favourite)));
    expect(await rows()).toBe(0);
    // Either order leaves one or none, and no request fails.
    await Promise.all(Array.from({ length: 200 }, (_, i) => (i % 2 ? addFavourite : removeFavourite)(ctx(patient.actor), favourite)));
    expect(await rows()).toBeLessThanOrEqual(1);
    await removeFavourite(ctx(patient.actor), favourite);
  });
  it("stores doctors and hospitals for each patient separately", async () => {
    await addFavourite(ctx(patient.actor), { kind: "doctor", id: doctor.id });
    await addFavourite(ctx(patient.actor), { kind: "hospital", id: hospital });
    const ids = [doctor.id, hospital, other.id];
    expect(await favouritesAmong(ctx(patient.actor), ids)).toEqual(new Set([doctor.id, hospital]));
    expect(await favouritesAmong(ctx(patient.actor), [hospital])).toEqual(new Set([hospital]));
    expect(await favouritesAmong(ctx(other.actor), ids)).toEqual(new Set());
    expect(await favouritesAmong(ctx(doctor.actor), ids)).toEqual(new Set());
    expect(await favouritesAmong(ctx(), ids)).toEqual(new Set());
    // A removal by another patient changes nothing.
    await removeFavourite(ctx(other.actor), { kind: "doctor", id: doctor.id });
    expect(await rows()).toBe(2);
  });
  it("refuses doctors and hospitals without a public page", async () => {
    const hidden = await makeDoctor(db, { status: "suspended" });
    for (const id of [hidden.id, patient.id, "00000000-0000-4000-8000-000000000000"])
      for (const kind of ["doctor", "hospital"] as const)
        await expect(addFavourite(ctx(patient.actor), { kind, id })).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("the form of a press", () => {
  const id = "0192a0c4-0000-4000-8000-00000000000a";
  it("needs exactly one item to add or remove", () => {
    expect(FavouriteKeySchema.parse(favouriteKey({ kind: "hospital", id }))).toEqual({ kind: "hospital", id });
    expect(PressSchema.parse({ add: `doctor/${id.toUpperCase()}` }).add).toEqual({ kind: "doctor", id });
    for (const press of [{}, { add: `doctor/${id}`, remove: `doctor/${id}` }, { add: id }, { add: `nurse/${id}` }, { add: "doctor/1" }])
      expect(PressSchema.safeParse(press).success).toBe(false);
  });
});
