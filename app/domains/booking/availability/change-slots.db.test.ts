/** A booked slot is never removed, also when a hundred patients book while the doctor changes the day. */
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import {
  dayFromNow,
  addSlots as giveSlots,
  makeDoctor,
  makePatient,
  makeVisit,
  type Person,
  type TestDoctor,
} from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { bookAppointment } from "../appointments/book-appointment.server.ts";
import { addSlots, type BookedSlots, setDaySlots } from "./change-slots.server.ts";
import { listSlotDays } from "./queries.server.ts";
import { SLOT_TIMES } from "./slots.ts";

const { db, sql, ctx } = testDb();
const day = dayFromNow(5);
let doctor: TestDoctor;
let patient: Person;
beforeAll(async () => {
  doctor = await makeDoctor(db);
  patient = await makePatient(db, { name: "Asha" });
});
const timesOn = async (doctorId: string, date: string) =>
  (
    await sql<{ time: string }[]>`select time::text from availability_slots where doctor_id = ${doctorId} and date = ${date} order by time`
  ).map((r) => r.time.slice(0, 5));
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DomainError);
  return error as DomainError;
};

describe("removing slots", () => {
  it("refuses to remove any slot when one is booked, and names the patients with links to their visits", async () => {
    const date = dayFromNow(6);
    await giveSlots(
      db,
      doctor.id,
      ["09:00", "09:30", "10:00"].map((time) => ({ date, time })),
    );
    const pending = await makeVisit(db, { patient, doctor }, { date, time: "09:00", name: "Bala" });
    const accepted = await makeVisit(db, { patient, doctor }, { date, time: "10:00", status: "accepted", name: "Chitra" });
    const error = await refusal(setDaySlots(ctx(doctor.actor), { date, slots: ["09:30"] }));
    expect(error.code).toBe("conflict");
    expect((error.detail as BookedSlots).booked).toEqual([
      { id: pending, patientName: "Bala", time: "09:00" },
      { id: accepted, patientName: "Chitra", time: "10:00" },
    ]);
    expect((await refusal(setDaySlots(ctx(doctor.actor), { date, slots: [] }))).code).toBe("conflict");
    expect(await timesOn(doctor.id, date)).toEqual(["09:00", "09:30", "10:00"]);
  });
  it("removes a slot whose visit was cancelled or is over", async () => {
    const date = dayFromNow(7);
    await giveSlots(db, doctor.id, [
      { date, time: "09:00" },
      { date, time: "09:30" },
    ]);
    await makeVisit(db, { patient, doctor }, { date, time: "09:00", status: "cancelled" });
    await makeVisit(db, { patient, doctor }, { date, time: "09:30", status: "completed" });
    await setDaySlots(ctx(doctor.actor), { date, slots: ["17:00"] });
    expect(await timesOn(doctor.id, date)).toEqual(["17:00"]);
  });
  it("changes no other doctor's day", async () => {
    const other = await makeDoctor(db, { slots: [{ date: day, time: "09:00" }] });
    await setDaySlots(ctx(doctor.actor), { date: day, slots: [] });
    expect(await timesOn(other.id, day)).toEqual(["09:00"]);
  });
  it("refuses a slot of yesterday", async () => {
    expect((await refusal(setDaySlots(ctx(doctor.actor), { date: addDays(todayInIndia(new Date()), -1), slots: [] }))).code).toBe(
      "not-found",
    );
    expect((await refusal(setDaySlots(ctx(doctor.actor), { date: "2026-02-31", slots: [] }))).code).toBe("not-found");
  });
});

it("adding existing slots changes nothing and returns how many are new", async () => {
  const date = dayFromNow(8);
  expect(await addSlots(ctx(doctor.actor), [{ date, times: ["09:00", "09:30"] }])).toBe(2);
  expect(await addSlots(ctx(doctor.actor), [{ date, times: ["09:30", "10:00"] }])).toBe(1);
  expect((await listSlotDays(ctx(doctor.actor), { from: date, limit: 1 })).days[0]?.slots.map((s) => s.time)).toEqual([
    "09:00",
    "09:30",
    "10:00",
  ]);
});
it("adds a pattern of six months, every day, all day, in one call", async () => {
  const mine = await makeDoctor(db);
  const days = Array.from({ length: 180 }, (_, i) => ({ date: dayFromNow(i + 1), times: [...SLOT_TIMES] }));
  expect(await addSlots(ctx(mine.actor), days)).toBe(180 * 18);
});

it.each(["delete the day", "change the day"])("%s while a hundred patients book leaves every booking with its slot", async (what) => {
  const mine = await makeDoctor(db);
  const date = dayFromNow(9);
  await giveSlots(
    db,
    mine.id,
    SLOT_TIMES.map((time) => ({ date, time })),
  );
  const people = await Promise.all(Array.from({ length: 100 }, () => makePatient(db)));
  let gone = false;
  const bookings = people.map(async (person, i) => {
    try {
      await bookAppointment(ctx(person.actor), {
        doctorId: mine.id,
        date,
        time: SLOT_TIMES[i % 18] as string,
        name: `Person ${i}`,
        phone: person.phone,
        age: 30,
        gender: "female",
        reason: "Routine Checkup",
        records: [],
        idempotencyKey: `race-${what}-${i}`,
      });
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      expect((error as DomainError).code).toBe("slot-taken");
      return false;
    }
  });
  const changes = Array.from({ length: 12 }, async (_, i) => {
    await new Promise((later) => setTimeout(later, i * 3));
    const remaining = what === "delete the day" ? [] : SLOT_TIMES.filter((__, n) => n % 12 !== i);
    await setDaySlots(ctx(mine.actor), { date, slots: remaining }).then(
      () => (gone = true),
      (error: unknown) => expect((error as DomainError).code).toBe("conflict"),
    );
  });
  const booked = (await Promise.all(bookings)).filter(Boolean).length;
  await Promise.all(changes);
  const live = await sql<{ time: string }[]>`select time::text from appointments where doctor_id = ${mine.id} and status <> 'cancelled'`;
  expect(live).toHaveLength(booked);
  expect(new Set(live.map((l) => l.time)).size).toBe(booked);
  // In either order, every open booking has a slot that the doctor still offers.
  const offered = new Set(await timesOn(mine.id, date));
  expect(live.filter((l) => !offered.has(l.time.slice(0, 5)))).toEqual([]);
  expect(booked > 0 || gone).toBe(true);
});
