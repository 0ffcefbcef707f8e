/** A practice at a hospital or clinic of others that is not listed: it waits for an administrator, who confirms, refuses or merges the place. */
import { and, eq, ne } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { doctors, hospitals, notifications, placeDoctors, practiceHours, practices } from "#app/db/schema/index.ts";
import { listTimes } from "#app/domains/booking/availability/queries.server.ts";
import { listHospitalOptions } from "#app/domains/credentials/application/hospital-options.server.ts";
import { confirmHospital } from "#app/domains/credentials/hospitals/confirm-hospital.server.ts";
import { mergeHospitals } from "#app/domains/credentials/hospitals/merge-hospitals.server.ts";
import { getHospital } from "#app/domains/credentials/hospitals/queries.server.ts";
import { refuseHospital } from "#app/domains/credentials/hospitals/refuse-hospital.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { makeAdmin, makeHospital } from "../../../../tests/factories/cases.ts";
import { makePlace } from "../../../../tests/factories/members.ts";
import { makeDoctor, makePatient, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { getOwnClinic } from "./open-clinic.server.ts";
import { openAllDays } from "./open-days.server.ts";
import { openUnlistedPractice } from "./open-practice.server.ts";
import { UnlistedPlaceSchema } from "./practices.schema.ts";
import { listPractices } from "./queries.server.ts";
import { setHours } from "./set-hours.server.ts";

const { db, ctx } = testDb();
let admin: Awaited<ReturnType<typeof makeAdmin>>;
let doctor: TestDoctor;
let n = 0;
beforeAll(async () => {
  admin = await makeAdmin(db);
});
beforeEach(async () => {
  doctor = await makeDoctor(db);
});
const typed = (over: Record<string, string> = {}) =>
  UnlistedPlaceSchema.parse({
    ...{ name: `Asha Evening Clinic ${++n}`, address: "4-1-9, Brodipet", city: "Guntur", state: "Andhra Pradesh" },
    ...{ phone: "0863 223 4455", fee: "300", slotMinutes: "30", patientsPerSlot: "1" },
    ...over,
  });
const everyDay = Array.from({ length: 7 }, (_, weekday) => ({ weekday, from: "09:00", until: "10:00" }));
const practiceOf = async (who: TestDoctor) =>
  (
    await db
      .select()
      .from(practices)
      .where(and(eq(practices.doctorId, who.id), ne(practices.id, who.id)))
  )[0]!;
const notifiedOf = async (who: TestDoctor) =>
  (await db.select().from(notifications).where(eq(notifications.userId, who.id))).map(({ kind, params }) => [kind, params]);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: DomainError) => `${error.code} ${Object.keys(error.fields ?? {})}`,
  );
const timesOf = async (practiceId: string) => listTimes(ctx(), { doctorId: doctor.id, practiceId, booked: false });

describe("a place that is entered", () => {
  it("waits, with the doctor's hours, and is bookable and listed once an administrator confirms it", async () => {
    const place = typed();
    const { id, waits } = await openUnlistedPractice(ctx(doctor.actor), place);
    expect(waits).toBe(true);
    await setHours(ctx(doctor.actor), { id, spans: everyDay });
    expect((await listPractices(ctx(doctor.actor), id))[0]).toMatchObject({
      state: "asked",
      place: place.name,
      isEntered: true,
      fee: 30_000,
    });
    expect(await timesOf(id)).toEqual([]);
    const { hospitalId } = await practiceOf(doctor);
    expect(await getHospital(ctx(admin), hospitalId!)).toMatchObject({ status: "pending", name: place.name, proposedBy: doctor.id });
    expect((await listHospitalOptions(ctx(), place.name)).options).toEqual([]);

    await confirmHospital(ctx(admin), { id: hospitalId! });
    await openAllDays(ctx());
    expect((await listPractices(ctx(doctor.actor), id))[0]).toMatchObject({ state: "active", isEntered: false });
    expect((await timesOf(id)).length).toBeGreaterThan(10);
    expect(await notifiedOf(doctor)).toEqual([["practice-accepted", { place: place.name }]]);
  });
  it("is one place of two doctors who enter it at once, and each of them once", async () => {
    const place = typed();
    const other = await makeDoctor(db);
    await Promise.all([
      openUnlistedPractice(ctx(doctor.actor), place),
      openUnlistedPractice(ctx(other.actor), { ...place, name: place.name.toUpperCase(), address: "4/1/9 brodipet" }),
    ]);
    expect((await practiceOf(doctor)).hospitalId).toBe((await practiceOf(other)).hospitalId);
    expect(await codeOf(openUnlistedPractice(ctx(doctor.actor), place))).toBe("conflict name");
    expect(await db.$count(hospitals, eq(hospitals.name, place.name))).toBeLessThanOrEqual(1);
  });
  it("that is listed already opens there at once, or asks its owner", async () => {
    const { id: listed } = await makeHospital(db, { name: `Listed Clinic ${++n}` });
    const [{ name, address }] = (await db.select().from(hospitals).where(eq(hospitals.id, listed))) as [typeof hospitals.$inferSelect];
    expect(await openUnlistedPractice(ctx(doctor.actor), typed({ name, address }))).toMatchObject({ waits: false });
    expect(await practiceOf(doctor)).toMatchObject({ hospitalId: listed, state: "active" });
    const owned = await makePlace(db);
    const [own] = await db.select().from(hospitals).where(eq(hospitals.id, owned.id));
    const other = await makeDoctor(db);
    await openUnlistedPractice(ctx(other.actor), typed({ name: own!.name, address: own!.address }));
    expect(await practiceOf(other)).toMatchObject({ hospitalId: owned.id, state: "asked" });
    expect(await db.$count(placeDoctors, and(eq(placeDoctors.doctorId, other.id), eq(placeDoctors.state, "asked")))).toBe(1);
  });
  it("is for verified doctors", async () => {
    const draft = await makeDoctor(db, { status: "draft" });
    for (const who of [draft, await makePatient(db)])
      expect(await codeOf(openUnlistedPractice(ctx(who.actor), typed()))).toBe("forbidden ");
  });
  it("is not offered to the doctor as their own, whatever its kind is", async () => {
    await openUnlistedPractice(ctx(doctor.actor), typed());
    const { hospitalId } = await practiceOf(doctor);
    await confirmHospital(ctx(admin), { id: hospitalId! });
    await db.update(hospitals).set({ category: "Clinic" }).where(eq(hospitals.id, hospitalId!));
    expect(await getOwnClinic(ctx(doctor.actor))).toBeNull();
  });
});

it("an administrator who refuses the place closes the practices that wait, and their doctors read why", async () => {
  const place = typed();
  const { id } = await openUnlistedPractice(ctx(doctor.actor), place);
  await setHours(ctx(doctor.actor), { id, spans: everyDay });
  const { hospitalId } = await practiceOf(doctor);
  await refuseHospital(ctx(admin), { id: hospitalId!, reason: "There is no clinic at this address." });
  expect(await practiceOf(doctor)).toMatchObject({ state: "closed" });
  expect(await db.$count(practiceHours, eq(practiceHours.practiceId, id))).toBe(0);
  expect(await notifiedOf(doctor)).toEqual([["practice-refused", { place: place.name, note: "There is no clinic at this address." }]]);
});

describe("an administrator who merges the place into another", () => {
  it("opens the practice there when it has no owner", async () => {
    await openUnlistedPractice(ctx(doctor.actor), typed());
    const [{ hospitalId }, { id: into }] = [await practiceOf(doctor), await makeHospital(db, { name: `Into ${++n}` })];
    await mergeHospitals(ctx(admin), { id: hospitalId!, into });
    expect(await practiceOf(doctor)).toMatchObject({ hospitalId: into, state: "active" });
    expect((await notifiedOf(doctor)).map(([kind]) => kind)).toEqual(["practice-accepted"]);
  });
  it("asks its owner", async () => {
    await openUnlistedPractice(ctx(doctor.actor), typed());
    const [{ hospitalId }, into] = [await practiceOf(doctor), await makePlace(db)];
    await mergeHospitals(ctx(admin), { id: hospitalId!, into: into.id });
    expect(await practiceOf(doctor)).toMatchObject({ hospitalId: into.id, state: "asked" });
    const asked = and(eq(placeDoctors.doctorId, doctor.id), eq(placeDoctors.hospitalId, into.id), eq(placeDoctors.state, "asked"));
    expect(await db.$count(placeDoctors, asked)).toBe(1);
    expect(
      await db.$count(notifications, and(eq(notifications.userId, into.owner.userId), eq(notifications.kind, "doctor-asks-place"))),
    ).toBe(1);
  });
  it("closes it when the doctor works there already", async () => {
    const { id: into } = await makeHospital(db, { name: `Known ${++n}` });
    await db.update(doctors).set({ hospitalId: into }).where(eq(doctors.id, doctor.id));
    await openUnlistedPractice(ctx(doctor.actor), typed());
    await mergeHospitals(ctx(admin), { id: (await practiceOf(doctor)).hospitalId!, into });
    expect(await practiceOf(doctor)).toMatchObject({ state: "closed" });
    expect(await notifiedOf(doctor)).toEqual([]);
  });
});
