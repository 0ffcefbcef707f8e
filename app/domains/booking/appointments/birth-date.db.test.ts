import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { appointments, familyMembers, patients } from "#app/db/schema/index.ts";
import { addDays, addMonths, todayInIndia } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { bookAppointment } from "./book-appointment.server.ts";
import { bookForCaller, findKnownCallers } from "./book-for-caller.server.ts";
import { bookAgain, fillForPerson, getBookingDraft } from "./booking-draft.server.ts";

const { db, ctx } = testDb();
const today = todayInIndia(new Date());
const DAY = dayFromNow(6);
const BORN = addMonths(today, -7);
let doctor: TestDoctor;
let me: Person;
let minute = 0;

beforeAll(async () => {
  doctor = await makeDoctor(db);
  me = await makePatient(db, { name: "Lakshmi Devi" });
  await db.update(patients).set({ dateOfBirth: "1980-02-29" }).where(eq(patients.id, me.id));
});

async function newSlot() {
  const slot = { date: DAY, time: `${String(8 + Math.floor(minute / 2)).padStart(2, "0")}:${minute++ % 2 ? "30" : "00"}` };
  await addSlots(db, doctor.id, [slot]);
  return slot;
}
type Over = { name: string; phone?: string; age?: number; dateOfBirth?: string; forWhom?: string; idempotencyKey?: string };
async function booked(over: Over, by = me) {
  const { age: _, ...wish } = wishFor(doctor.id, { ...(await newSlot()), name: over.name });
  const { id } = await bookAppointment(ctx(by.actor), { ...wish, ...over });
  const [row] = await db
    .select({ age: appointments.patientAge, birthDate: appointments.patientBirthDate })
    .from(appointments)
    .where(eq(appointments.id, id));
  return row;
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, fields }: DomainError) => [code, Object.keys(fields ?? {})],
  );
const addMember = async (name: string, facts: { dateOfBirth: string } | { age: number }) => {
  const values = "age" in facts ? { age: facts.age, ageOn: today } : facts;
  const [row] = await db
    .insert(familyMembers)
    .values({ patientId: me.id, name, relation: "daughter", gender: "female", ...values })
    .returning({ id: familyMembers.id });
  return row!.id;
};

describe("a booking", () => {
  it("stores the birth date beside the specified age, which is 1 for a baby", async () => {
    expect(await booked({ name: "Anvi Prasanna", dateOfBirth: BORN })).toEqual({ age: 1, birthDate: BORN });
    expect(await booked({ name: "Someone Grown", dateOfBirth: "1990-01-01", age: 7 })).toMatchObject({ birthDate: "1990-01-01" });
    expect(await booked({ name: "Typed", age: 46 })).toEqual({ age: 46, birthDate: null });
  });
  it("prefers a stored birth date to a typed age", async () => {
    const years = Number(DAY.slice(0, 4)) - 1980 - (DAY.slice(5) < "02-29" ? 1 : 0);
    expect(await booked({ name: " lakshmi  DEVI ", age: 30, forWhom: "me" })).toEqual({ age: years, birthDate: "1980-02-29" });
    const born = addMonths(today, -30);
    const id = await addMember("Arjun", { dateOfBirth: born });
    for (const forWhom of [id, "me", undefined])
      expect(await booked({ name: "Arjun", age: 9, ...(forWhom && { forWhom }) })).toEqual({ age: 2, birthDate: born });
    // The user chose another person of the same name.
    expect(await booked({ name: "Arjun", age: 9, forWhom: "new" })).toEqual({ age: 9, birthDate: null });
    // Two family members of one name: the choice decides.
    const younger = await addMember("Arjun ", { dateOfBirth: BORN });
    expect(await booked({ name: "Arjun", age: 9, forWhom: younger })).toEqual({ age: 1, birthDate: BORN });
    expect(await booked({ name: "Arjun", age: 9 })).toEqual({ age: 9, birthDate: null });
  });
  it("fills an empty profile with what was typed, and with nothing of a family member or another phone", async () => {
    const parent = await makePatient(db);
    const profile = () =>
      db.select({ name: patients.name, birthDate: patients.dateOfBirth }).from(patients).where(eq(patients.id, parent.id));
    const forMe = { forWhom: "me", age: 40, phone: parent.phone };
    const empty = [{ name: null, birthDate: null }];
    await db
      .insert(familyMembers)
      .values({ patientId: parent.id, name: "Arjun", relation: "son", gender: "male", dateOfBirth: addMonths(today, -30) });
    expect(await booked({ ...forMe, name: " arjun" }, parent)).toMatchObject({ age: 2 });
    expect(await profile()).toEqual(empty);
    await booked({ ...forMe, name: "Neighbour", phone: "+919876512345" }, parent);
    expect(await profile()).toEqual(empty);
    await booked({ ...forMe, name: "Padma" }, parent);
    expect(await profile()).toEqual([{ name: "Padma", birthDate: null }]);
    await booked({ ...forMe, name: "padma", dateOfBirth: "1986-05-01" }, parent);
    expect(await profile()).toEqual([{ name: "Padma", birthDate: "1986-05-01" }]);
  });
  it("refuses a birth date after today, or more than 120 years ago", async () => {
    for (const dateOfBirth of [addDays(today, 1), "1890-01-01"])
      expect(await refusal(booked({ name: "Not Yet", dateOfBirth }))).toEqual(["invalid", ["dateOfBirth"]]);
    expect(await booked({ name: "Born Today", dateOfBirth: today })).toEqual({ age: 1, birthDate: today });
    expect(await refusal(booked({ name: "No Age" }))).toEqual(["invalid", ["age"]]);
  });
  it("returns the first booking for a second press of a form with a birth date", async () => {
    const { age: _, ...wish } = wishFor(doctor.id, { ...(await newSlot()), name: "Twice" });
    const input = { ...wish, dateOfBirth: BORN };
    const first = await bookAppointment(ctx(me.actor), input);
    expect(await bookAppointment(ctx(me.actor), input)).toEqual(first);
  });
});

describe("the form", () => {
  it("starts with the birth date of a small child, and with the age of others", async () => {
    const baby = await addMember("Baby", { dateOfBirth: BORN });
    expect(await fillForPerson(ctx(me.actor), {}, baby)).toMatchObject({ name: "Baby", dateOfBirth: BORN });
    expect(await fillForPerson(ctx(me.actor), {}, baby)).not.toHaveProperty("age");
    const child = await addMember("Child", { dateOfBirth: addMonths(today, -24) });
    expect(await fillForPerson(ctx(me.actor), {}, child)).toMatchObject({ age: "2" });
    // An age of 0 of an earlier version: the form asks for the birth date.
    const unknown = await addMember("Unknown", { age: 0 });
    expect(await fillForPerson(ctx(me.actor), {}, unknown)).toMatchObject({ age: "0" });
  });
  it("starts with the birth date of the earlier appointment", async () => {
    const { age: _, ...wish } = wishFor(doctor.id, { ...(await newSlot()), name: "Neighbour's baby" });
    const { id } = await bookAppointment(ctx(me.actor), { ...wish, dateOfBirth: BORN });
    await bookAgain(ctx(me.actor), id);
    const { values } = await getBookingDraft(ctx(me.actor), doctor.id);
    expect(values).toMatchObject({ name: "Neighbour's baby", dateOfBirth: BORN, forWhom: "new" });
    expect(values).not.toHaveProperty("age");
  });
});

it("prefers the birth date of an earlier appointment of a caller", async () => {
  const phone = me.phone as never;
  const call = async (over: { age?: number; dateOfBirth?: string; name: string }) => {
    const at = await newSlot();
    const key = `key-of-call-${minute}`;
    return bookForCaller(ctx(doctor.actor), {
      hospitalId: null,
      doctorId: doctor.id,
      at,
      phone,
      gender: "female",
      idempotencyKey: key,
      ...over,
    });
  };
  await call({ name: "Baby of Sandhya", dateOfBirth: BORN });
  const [known] = (await findKnownCallers(ctx(doctor.actor), { hospitalId: null, doctorIds: [doctor.id], phone })).filter(
    ({ name }) => name === "Baby of Sandhya",
  );
  expect(known).toMatchObject({ age: 1, birthDate: BORN });
  const { id } = await call({ name: "baby of  sandhya", age: 3 });
  const [row] = await db.select({ birthDate: appointments.patientBirthDate }).from(appointments).where(eq(appointments.id, id));
  expect(row).toEqual({ birthDate: BORN });
  expect(await refusal(call({ name: "Not Yet", dateOfBirth: addDays(today, 1) }))).toEqual(["invalid", ["dateOfBirth"]]);
});
