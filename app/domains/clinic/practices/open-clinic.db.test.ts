/** A doctor's own clinic: opened once, listed at once, with an owner, a first doctor and an invited receptionist. */
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { hospitals, memberships, placeDoctors, practices } from "#app/db/schema/index.ts";
import { transact } from "#app/domains/context.server.ts";
import { listHospitalOptions } from "#app/domains/credentials/application/hospital-options.server.ts";
import { proposeHospital } from "#app/domains/credentials/application/propose-hospital.server.ts";
import { mergeHospitals } from "#app/domains/credentials/hospitals/merge-hospitals.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { makeAdmin, makeHospital } from "../../../../tests/factories/cases.ts";
import { makeDoctor, makePatient, makeStaff, newEmail, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { getOwnClinic, openClinic, ownEnteredClinic } from "./open-clinic.server.ts";
import { openPractice } from "./open-practice.server.ts";
import { OpenClinicSchema } from "./practices.schema.ts";

const { db, ctx } = testDb();
let n = 0;
let doctor: TestDoctor;
beforeEach(async () => {
  doctor = await makeDoctor(db);
});
const typed = (over: Record<string, string> = {}) =>
  OpenClinicSchema.parse({
    ...{ name: `Sri Sai Clinic ${++n}`, address: "12-4-7, Eluru Road", area: "Governorpet", pinCode: "520002" },
    ...{ city: "Vijayawada", state: "Andhra Pradesh", phone: "0866 247 4301", fee: "400", receptionist: "", email: "" },
    ...over,
  });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: DomainError) => error.code,
  );

describe("opening", () => {
  it("lists the clinic with its owner, first doctor and practice, and invites a receptionist", async () => {
    const input = typed({ receptionist: "Divya Kolli", email: newEmail() });
    await openClinic(ctx(doctor.actor), input);
    const own = (await getOwnClinic(ctx(doctor.actor)))!;
    expect(own).toMatchObject({ name: input.name, isOwned: true, invited: [{ name: "Divya Kolli", email: input.email }] });
    expect(own.practice).toMatchObject({ hasHours: false });
    const [practice] = await db.select().from(practices).where(eq(practices.id, own.practice!.id));
    expect(practice).toMatchObject({ doctorId: doctor.id, hospitalId: own.id, fee: 40_000, state: "active" });
    // The doctor acts as owner for themselves, and the clinic is offered to other doctors.
    await requireActing(ctx(doctor.actor), own.id, "manage-staff");
    expect((await listHospitalOptions(ctx(), input.name)).options.map(({ id }) => id)).toEqual([own.id]);
  });
  it("makes one clinic of eight presses at once, and of two doctors with one name and address", async () => {
    const input = typed();
    await Promise.all(Array.from({ length: 8 }, () => openClinic(ctx(doctor.actor), input)));
    expect(await db.$count(hospitals, eq(hospitals.proposedBy, doctor.id))).toBe(1);
    expect(await db.$count(memberships, eq(memberships.userId, doctor.id))).toBe(1);
    expect(await db.$count(placeDoctors, eq(placeDoctors.doctorId, doctor.id))).toBe(1);
    const [one, two] = [await makeDoctor(db), await makeDoctor(db)];
    const same = typed();
    const shouted = { ...same, name: same.name.toUpperCase() };
    const codes = await Promise.all([codeOf(openClinic(ctx(one.actor), same)), codeOf(openClinic(ctx(two.actor), shouted))]);
    expect(codes.sort()).toEqual(["conflict", "done"]);
  });
  it("says of a place that exists whether it is in the list, under which name, or has yet to be confirmed", async () => {
    const entered = typed();
    const { name, address, city, state } = entered;
    const id = await transact(ctx((await makeDoctor(db)).actor), (tx) =>
      proposeHospital(tx, { name, address, contact: "0866 247 4301", city, state }),
    );
    const refused = () => openClinic(ctx(doctor.actor), entered).catch((error: DomainError) => error.sentence);
    expect(await refused()).toBe(m.practices_own_waits());
    await db.update(hospitals).set({ status: "active" }).where(eq(hospitals.id, id));
    expect(await refused()).toBe(m.practices_own_exists());
    const into = await makeHospital(db);
    await mergeHospitals(ctx(await makeAdmin(db)), { id, into: into.id });
    expect(await refused()).toBe(m.practices_own_merged({ name: into.name }));
  });
  it("refuses everyone but verified doctors, an unknown city, and an invitation without a fresh proof", async () => {
    const draft = await makeDoctor(db, { status: "draft" });
    for (const who of [draft.actor, (await makePatient(db)).actor, await makeStaff(db, "reviewer"), await makeAdmin(db)])
      expect(await codeOf(openClinic(ctx(who), typed())), who.role).toBe("forbidden");
    expect(await codeOf(openClinic(ctx(doctor.actor), typed({ city: "Nowhereville" })))).toBe("invalid");
    const stale = { ...doctor.actor, provenAt: null };
    expect(await codeOf(openClinic(ctx(stale), typed({ email: newEmail() })))).toBe("unproven");
    expect(await getOwnClinic(ctx(doctor.actor))).toBeNull();
    expect(await codeOf(openClinic(ctx(stale), typed()))).toBe("done");
  });
  it("needs a phone, and an email address for a name", () => {
    const given = { name: "A", address: "B", city: "C", state: "D", fee: "", area: "", pinCode: "" };
    const errors = OpenClinicSchema.safeParse({ ...given, phone: "", receptionist: "Divya" }).error?.issues.map(({ path }) => path[0]);
    expect(errors).toEqual(["phone", "email"]);
    expect(OpenClinicSchema.safeParse({ ...given, phone: "0866 247 4301", receptionist: "Divya" }).error?.issues[0]?.path).toEqual([
      "email",
    ]);
  });
  it("can be merged into another place by an administrator, and the practice goes along", async () => {
    await openClinic(ctx(doctor.actor), typed());
    const own = (await getOwnClinic(ctx(doctor.actor)))!;
    const other = await makeHospital(db);
    await mergeHospitals(ctx(await makeAdmin(db)), { id: own.id, into: other.id });
    const [practice] = await db.select().from(practices).where(eq(practices.id, own.practice!.id));
    expect(practice?.hospitalId).toBe(other.id);
    expect(await getOwnClinic(ctx(doctor.actor))).toBeNull();
  });
});

describe("a clinic entered as the doctor's own in the application", () => {
  const enter = (own: boolean) =>
    transact(ctx(doctor.actor), (tx) =>
      proposeHospital(tx, {
        ...{ name: `Entered Clinic ${++n}`, address: "1 Lane", contact: "0866 247 4301", city: "Guntur", state: "Andhra Pradesh", own },
      }),
    );
  it("belongs to the doctor with one press once it is confirmed, also with eight at once", async () => {
    const id = await enter(true);
    expect(await codeOf(ownEnteredClinic(ctx(doctor.actor)))).toBe("not-found");
    await db.update(hospitals).set({ status: "active" }).where(eq(hospitals.id, id));
    expect(await getOwnClinic(ctx(doctor.actor))).toMatchObject({ id, isOwned: false });
    expect(await codeOf(ownEnteredClinic(ctx((await makeDoctor(db)).actor)))).toBe("not-found");
    await Promise.all(Array.from({ length: 8 }, () => ownEnteredClinic(ctx(doctor.actor))));
    expect(await getOwnClinic(ctx(doctor.actor))).toMatchObject({ id, isOwned: true });
    expect(await db.$count(memberships, eq(memberships.hospitalId, id))).toBe(1);
  });
  it("is not offered where the doctor did not say so, or another owner is invited", async () => {
    const hospital = await enter(false);
    await db.update(hospitals).set({ status: "active" }).where(eq(hospitals.id, hospital));
    expect(await getOwnClinic(ctx(doctor.actor))).toBeNull();
    const owned = await enter(true);
    await db.update(hospitals).set({ status: "active" }).where(eq(hospitals.id, owned));
    const other = await makeDoctor(db);
    await db.insert(memberships).values({ hospitalId: owned, userId: other.id, role: "owner", state: "active", acceptedAt: new Date() });
    expect(await getOwnClinic(ctx(doctor.actor))).toBeNull();
    expect(await codeOf(ownEnteredClinic(ctx(doctor.actor)))).toBe("not-found");
  });
});

it("offers no pharmacies and laboratories as places of a practice", async () => {
  for (const category of ["Pharmacy", "Laboratory"] as const) {
    const { id, name } = await makeHospital(db, { category, name: `Not A Clinic ${category}` });
    expect((await listHospitalOptions(ctx(), name)).options).toEqual([]);
    const terms = { fee: null, slotMinutes: 30, patientsPerSlot: 1 };
    expect(await codeOf(openPractice(ctx(doctor.actor), { hospitalId: id, ...terms }))).toBe("invalid");
  }
});
