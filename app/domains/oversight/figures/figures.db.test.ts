import { expect, it } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { axisTop, weekRangeOf, weeksUntil } from "./figures.ts";
import { getPlatformFigures, listDoctorsWithoutTimes } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
/** A Wednesday, noon in India. */
const NOW = new Date("2026-03-18T06:30:00Z");

it("counts bookings, acceptance, cancellations, missed visits and growth in the week of the booking in India", async () => {
  const admin = await makeStaff(db, "admin");
  const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
  let hour = 8;
  const booked = async (at: string, changes: Record<string, string | boolean> = {}) => {
    const id = await makeVisit(db, { patient, doctor }, { time: `${String(hour++).padStart(2, "0")}:00` });
    await sql`update appointments set ${sql({ created_at: at, ...changes })} where id = ${id}`;
  };
  const accepted = (at: string) => ({ status: "accepted", accepted_at: at });
  // Monday, 00:10 in India, still Sunday in UTC.
  await booked("2026-03-15T18:40:00Z", accepted("2026-03-15T18:50:00Z"));
  await booked("2026-03-17T06:00:00Z", accepted("2026-03-17T06:30:00Z"));
  await booked("2026-03-17T06:00:00Z", { ...accepted("2026-03-17T16:00:00Z"), no_show_at: "2026-03-18T05:00:00Z" });
  // The doctor moved one and booked one for a caller: no request waited.
  await booked("2026-03-17T06:00:00Z", { ...accepted("2026-03-17T06:01:00Z"), moved_at: "2026-03-17T06:01:00Z" });
  await booked("2026-03-17T06:00:00Z", { ...accepted("2026-03-17T06:00:00Z"), for_caller: true });
  // Sunday, 23:50 in India. Cancelled in the next week, counted in the week of the booking.
  const cancelled = (by: string) => ({ status: "cancelled", cancelled_at: "2026-03-16T06:00:00Z", cancelled_by: by });
  await booked("2026-03-15T18:20:00Z", cancelled("patient"));
  await booked("2026-03-10T06:00:00Z", cancelled("doctor"));
  await booked("2026-03-10T06:00:00Z", cancelled("admin"));
  await booked("2026-03-10T06:00:00Z", cancelled("staff"));
  await booked("2026-03-10T06:00:00Z", { status: "cancelled", cancelled_at: "2026-03-11T06:00:00Z" });
  // Before the first week.
  await booked("2026-02-22T18:20:00Z", accepted("2026-02-24T06:00:00Z"));
  const unclaimed = await makePatient(db);
  await sql`update patients set created_at = '2026-03-17T06:00:00Z'`;
  await sql`update patients set unclaimed_since = created_at where id = ${unclaimed.id}`;
  await sql`update doctors set verified_at = '2026-03-09T06:00:00Z' where id = ${doctor.id}`;

  const { weeks, total } = await getPlatformFigures(ctx(admin, NOW), 4);
  const none = { cancelledByPatient: 0, cancelledByDoctor: 0, cancelledByOthers: 0, missed: 0, newPatients: 0, newDoctors: 0 };
  expect(weeks).toEqual([
    { week: "2026-02-23", bookings: 0, acceptance: null, ...none },
    { week: "2026-03-02", bookings: 0, acceptance: null, ...none },
    {
      week: "2026-03-09",
      bookings: 5,
      acceptance: null,
      ...none,
      cancelledByPatient: 1,
      cancelledByDoctor: 1,
      cancelledByOthers: 3,
      newDoctors: 1,
    },
    { week: "2026-03-16", bookings: 5, acceptance: 30, ...none, missed: 1, newPatients: 1 },
  ]);
  expect(total).toEqual({
    bookings: 10,
    acceptance: 30,
    cancelledByPatient: 1,
    cancelledByDoctor: 1,
    cancelledByOthers: 3,
    missed: 1,
    newPatients: 1,
    newDoctors: 1,
  });
  expect((await getPlatformFigures(ctx(admin, NOW), 12)).total.bookings).toBe(11);
});

it("names listed doctors without a free time today and in the next six days", async () => {
  const admin = await makeStaff(db, "admin");
  const slot = (date: string, time = "10:00") => ({ date, time });
  const before = await listDoctorsWithoutTimes(ctx(admin, NOW));
  await makeDoctor(db, { name: "Dr. Free On The Last Day", slots: [slot("2026-03-24")] });
  await makeDoctor(db, { name: "Dr. Free Later", slots: [slot("2026-03-25")] });
  await makeDoctor(db, { name: "Dr. Free This Morning", slots: [slot("2026-03-18", "11:30")] });
  await makeDoctor(db, { name: "Dr. Free This Afternoon", slots: [slot("2026-03-18", "12:30")] });
  const full = await makeDoctor(db, { name: "Dr. Full", slots: [slot("2026-03-20")] });
  await makeVisit(db, { patient: await makePatient(db), doctor: full }, { date: "2026-03-20", time: "10:00" });
  await makeDoctor(db, { name: "Dr. Not Listed", status: "suspended" });
  const { total, rows } = await listDoctorsWithoutTimes(ctx(admin, NOW));
  expect(total).toBe(before.total + 3);
  const known = new Set(before.rows.map((row) => row.id));
  expect(rows.filter((row) => !known.has(row.id)).map((row) => row.name)).toEqual(["Dr. Free Later", "Dr. Free This Morning", "Dr. Full"]);
});

it("shows figures to administrators only", async () => {
  for (const actor of [
    (await makePatient(db)).actor,
    (await makeDoctor(db)).actor,
    await makeStaff(db, "reviewer"),
    await makeStaff(db, "staff"),
  ]) {
    await expect(getPlatformFigures(ctx(actor, NOW), 4)).rejects.toThrow(DomainError);
    await expect(listDoctorsWithoutTimes(ctx(actor, NOW))).rejects.toThrow(DomainError);
  }
});

it("starts a week on Monday, reads ranges, and ends an axis at a round number", () => {
  expect(weeksUntil("2026-03-22", 4)).toEqual(["2026-02-23", "2026-03-02", "2026-03-09", "2026-03-16"]);
  expect(weeksUntil("2026-03-23", 4).at(-1)).toBe("2026-03-23");
  expect(["4", "52", "5", "", null].map(weekRangeOf)).toEqual([4, 52, 12, 12, 12]);
  expect([[], [3], [10], [11], [64], [4100]].map(axisTop)).toEqual([2, 4, 10, 20, 80, 6000]);
});
