/** The family members of a patient on a real database: each once, at most twenty, for their own patient only. */
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { users } from "#app/db/schema/index.ts";
import { days } from "#app/lib/durations.ts";
import { makePatient, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { MAX_FAMILY } from "./family.ts";
import { findFamilyMember, getFamilyMember, listFamily } from "./queries.server.ts";
import { addFamilyMember, editFamilyMember, rememberFamilyMember, removeFamilyMember } from "./save-family.server.ts";

const { db, ctx } = testDb();
let me: Person;
let other: Person;
beforeEach(async () => {
  [me, other] = [await makePatient(db), await makePatient(db)];
});
const mother = {
  name: "Savitri Devi",
  relation: "mother" as const,
  gender: "female" as const,
  age: 64,
  bloodGroup: undefined,
  dateOfBirth: undefined,
};
const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((r) => (r.status === "fulfilled" ? "done" : (r.reason as { code?: string }).code)).sort();

const nothingWaits = async () => {};

describe("adding", () => {
  it("adds one member for two hundred presses", async () => {
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => addFamilyMember(ctx(me.actor), mother)));
    expect(new Set(codes(results))).toEqual(new Set(["done"]));
    expect(await listFamily(ctx(me.actor))).toMatchObject([{ name: "Savitri Devi", relation: "mother", age: 64 }]);
  });
  it("refuses the same name and relation with other details, beside the name", async () => {
    await addFamilyMember(ctx(me.actor), mother);
    await expect(addFamilyMember(ctx(me.actor), { ...mother, name: "SAVITRI devi", age: 70 })).rejects.toMatchObject({
      code: "conflict",
      fields: { name: ["SAVITRI devi is already on your list."] },
    });
    // A grandmother, and a mother of another patient, may have the same name.
    await addFamilyMember(ctx(me.actor), { ...mother, relation: "grandmother" });
    await addFamilyMember(ctx(other.actor), { ...mother, age: 50 });
    expect(await listFamily(ctx(me.actor))).toHaveLength(2);
  });
  it("stops at the limit, also for concurrent requests", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: MAX_FAMILY + 10 }, (_, i) =>
        addFamilyMember(ctx(me.actor), { ...mother, name: `Aunt ${i}`, relation: "other" }),
      ),
    );
    expect(codes(results)).toEqual([...Array(10).fill("conflict"), ...Array(MAX_FAMILY).fill("done")]);
    expect(await listFamily(ctx(me.actor))).toHaveLength(MAX_FAMILY);
    await expect(rememberFamilyMember(ctx(me.actor), mother)).rejects.toMatchObject({
      code: "conflict",
      sentence: "Your list is full (20 people). Remove someone first.",
    });
  });
  it("writes nothing for a disabled account", async () => {
    await db.update(users).set({ status: "disabled" }).where(eq(users.id, me.id));
    await expect(addFamilyMember(ctx(me.actor), mother)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await listFamily(ctx(me.actor))).toEqual([]);
  });
});

describe("a member remembered after a booking", () => {
  it("is added once and updated, also by concurrent bookings", async () => {
    await Promise.all(Array.from({ length: 50 }, () => rememberFamilyMember(ctx(me.actor), mother)));
    await rememberFamilyMember(ctx(me.actor), { ...mother, name: " savitri  devi", age: 66, bloodGroup: "O+" });
    expect(await listFamily(ctx(me.actor))).toMatchObject([{ age: 66, bloodGroup: "O+" }]);
    await rememberFamilyMember(ctx(me.actor), { ...mother, age: 66 });
    expect(await listFamily(ctx(me.actor))).toMatchObject([{ age: 66, bloodGroup: "O+" }]);
  });
  it("preserves a known birth date", async () => {
    await addFamilyMember(ctx(me.actor), { ...mother, age: undefined, dateOfBirth: "1960-05-01" });
    await rememberFamilyMember(ctx(me.actor), mother);
    expect(await listFamily(ctx(me.actor))).toMatchObject([{ dateOfBirth: "1960-05-01" }]);
  });
});

describe("editing and removing", () => {
  it("stores the changes, and counts an unchanged age from the day it was entered", async () => {
    await addFamilyMember(ctx(me.actor), mother);
    const id = (await listFamily(ctx(me.actor)))[0]!.id;
    const later = new Date(Date.now() + days(400));
    expect(await getFamilyMember(ctx(me.actor, later), id)).toMatchObject({ age: 65 });
    await editFamilyMember(ctx(me.actor, later), id, { ...mother, age: 65, bloodGroup: "A+" });
    // 300 days later the age is 66: it counts from the first day, not from the edit.
    expect(await getFamilyMember(ctx(me.actor, new Date(later.getTime() + days(340))), id)).toMatchObject({ age: 66, bloodGroup: "A+" });
    await editFamilyMember(ctx(me.actor), id, { ...mother, age: undefined, dateOfBirth: "1960-05-01" });
    expect(await getFamilyMember(ctx(me.actor), id)).toMatchObject({ dateOfBirth: "1960-05-01", bloodGroup: null });
    await addFamilyMember(ctx(me.actor), { ...mother, name: "Ravi", relation: "son" });
    await expect(editFamilyMember(ctx(me.actor), id, { ...mother, name: "ravi", relation: "son" })).rejects.toMatchObject({
      code: "conflict",
      fields: { name: ["ravi is already on your list."] },
    });
  });
  it("returns and changes no members of another patient", async () => {
    await addFamilyMember(ctx(me.actor), mother);
    const id = (await listFamily(ctx(me.actor)))[0]!.id;
    expect(await listFamily(ctx(other.actor))).toEqual([]);
    expect(await findFamilyMember(ctx(other.actor), id)).toBeNull();
    for (const wrong of [id, "00000000-0000-4000-8000-000000000000", "nonsense"]) {
      await expect(getFamilyMember(ctx(other.actor), wrong)).rejects.toMatchObject({ code: "not-found" });
      await expect(editFamilyMember(ctx(other.actor), wrong, mother)).rejects.toMatchObject({ code: "not-found" });
      await expect(removeFamilyMember(ctx(other.actor), wrong, nothingWaits)).rejects.toMatchObject({ code: "not-found" });
    }
    expect(await removeFamilyMember(ctx(me.actor), id, nothingWaits)).toEqual({ name: "Savitri Devi" });
    expect(await listFamily(ctx(me.actor))).toEqual([]);
  });
});
