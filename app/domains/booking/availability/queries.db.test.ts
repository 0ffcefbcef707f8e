import { expect, it } from "vitest";
import { leaves } from "#app/db/schema/index.ts";
import { addDays, monthOf } from "#app/lib/dates.ts";
import { addSlots, makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { getMonthView } from "./month-view.server.ts";
import { listDaySlots, listMonthLoad, listNearestFree } from "./queries.server.ts";

const { db, ctx } = testDb();
const TODAY = "2026-11-21";
/** Returns ten in the morning of today, in India. */
const NOW = new Date(`${TODAY}T10:00:00+05:30`);
const visitor = () => ctx(null, NOW);
const slots = (date: string, ...times: string[]) => times.map((time) => ({ date, time }));

it("returns a day's slots as free, booked or past, and as free after a cancellation", async () => {
  const doctor = await makeDoctor(db, { slots: slots(TODAY, "09:30", "10:00", "10:30", "11:00", "11:30") });
  const patient = await makePatient(db);
  await makeVisit(db, { patient, doctor }, { date: TODAY, time: "10:30" });
  await makeVisit(db, { patient, doctor }, { date: TODAY, time: "11:00", status: "cancelled" });
  await makeVisit(db, { patient, doctor }, { date: TODAY, time: "11:30", status: "completed" });
  expect(await listDaySlots(visitor(), doctor.id, TODAY)).toEqual([
    { time: "09:30", state: "past" },
    { time: "10:00", state: "past" },
    { time: "10:30", state: "booked" },
    { time: "11:00", state: "free" },
    { time: "11:30", state: "booked" },
  ]);
  expect(await listMonthLoad(visitor(), doctor.id, "2026-11")).toEqual([{ date: TODAY, free: 1, total: 3, tokens: false }]);
});

it("counts the free days of one month only, without past days", async () => {
  const doctor = await makeDoctor(db, {
    slots: [
      ...slots("2026-11-20", "10:00"),
      ...slots("2026-11-30", "10:00", "10:30"),
      ...slots("2026-12-01", "10:00"),
      ...slots("2026-12-31", "17:30"),
    ],
  });
  const other = await makeDoctor(db, { slots: slots("2026-11-25", "10:00") });
  expect(await listMonthLoad(visitor(), doctor.id, "2026-11")).toEqual([{ date: "2026-11-30", free: 2, total: 2, tokens: false }]);
  expect((await listMonthLoad(visitor(), doctor.id, "2026-12")).map((d) => d.date)).toEqual(["2026-12-01", "2026-12-31"]);
  expect(await listMonthLoad(visitor(), other.id, "2026-12")).toEqual([]);
});

it("returns at most four nearest free times, before and after, in the future, in order", async () => {
  const day = addDays(TODAY, 2);
  const doctor = await makeDoctor(db, {
    slots: [
      ...slots(TODAY, "09:00", "17:00"),
      ...slots(day, "09:00", "09:30", "10:00", "10:30", "11:00"),
      ...slots(addDays(day, 1), "10:00"),
      ...slots(addDays(day, 40), "10:00"),
    ],
  });
  const patient = await makePatient(db);
  await makeVisit(db, { patient, doctor }, { date: day, time: "10:00" });
  await makeVisit(db, { patient, doctor }, { date: day, time: "10:30" });
  const near = (date: string, time: string) => listNearestFree(visitor(), doctor.id, { date, time });
  expect(await near(day, "10:00")).toEqual([...slots(day, "09:00", "09:30", "11:00"), ...slots(addDays(day, 1), "10:00")]);
  expect(await near(TODAY, "09:00")).toEqual([...slots(TODAY, "17:00"), ...slots(day, "09:00", "09:30", "11:00")]);
  expect(await near(addDays(day, 45), "10:00")).toEqual(slots(addDays(day, 40), "10:00"));
  expect(await near(addDays(day, 200), "10:00")).toEqual([]);
});

it("opens a month with a free day, for any requested month", async () => {
  const doctor = await makeDoctor(db, { slots: slots("2026-12-04", "10:00") });
  const view = (month: string | null, date: string | null) => getMonthView(visitor(), doctor.id, { month, date });
  for (const [month, date] of [
    [null, null],
    ["nonsense", "2026-02-31"],
    ["1999-01", "1999-01-01"],
    ["2999-01", null],
    [null, "2026-11-20"],
  ] as const)
    expect(await view(month, date)).toMatchObject({
      month: { key: "2026-12", previous: "2026-11" },
      date: "2026-12-04",
      slots: [{ time: "10:00", state: "free" }],
    });
  expect(await view("2026-11", null)).toMatchObject({ month: { key: "2026-11", previous: null }, date: null, slots: [] });
  expect(await view(null, "2026-12-25")).toMatchObject({ month: { key: "2026-12" }, date: "2026-12-25", slots: [] });
  expect(await view("2027-05", null)).toMatchObject({ month: { key: "2027-05", next: null } });
  expect(monthOf(TODAY)).toBe("2026-11");
});

it("shows the next seven days alone while the chosen day is one of them", async () => {
  const [second, last, later] = [addDays(TODAY, 1), addDays(TODAY, 6), addDays(TODAY, 7)];
  const doctor = await makeDoctor(db, { slots: [...slots(second, "10:00"), ...slots(last, "09:00", "10:00"), ...slots(later, "10:00")] });
  await makeVisit(db, { patient: await makePatient(db), doctor }, { date: second, time: "10:00" });
  const view = (month: string | null, date: string | null) => getMonthView(visitor(), doctor.id, { month, date });
  const strip = [
    { date: second, free: 0, total: 1, tokens: false },
    { date: last, free: 2, total: 2, tokens: false },
  ];
  expect(await view(null, null)).toMatchObject({ strip, month: null, date: last });
  expect(await view(null, second)).toMatchObject({ strip, month: null, date: second });
  expect(await view(null, later)).toMatchObject({ strip, month: { key: monthOf(later) }, date: later });
  const third = addDays(TODAY, 2);
  await db.insert(leaves).values({ doctorId: doctor.id, from: second, until: third });
  expect((await view(null, null)).away).toEqual([third]);
  expect(await view(monthOf(last), last)).toMatchObject({ strip, month: { key: monthOf(last) }, date: last });
});

it("returns a slot that was added twice once", async () => {
  const doctor = await makeDoctor(db, { slots: slots("2026-12-05", "10:00") });
  await expect(addSlots(db, doctor.id, slots("2026-12-05", "10:00"))).rejects.toThrow();
});
