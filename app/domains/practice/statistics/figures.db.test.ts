/** Each figure against data counted by hand, across the ends of days, months and years in India. */

import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appointments, doctors, patients, users } from "#app/db/schema/index.ts";
import { paise } from "#app/lib/money.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import type { StatsRange } from "./figures.ts";
import { getDoctorStats, getNextSteps } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
const doctor = randomUUID();
const other = randomUUID();
const [first, second] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  await db.insert(users).values([
    { id: doctor, role: "doctor", email: "figures@test.example" },
    { id: other, role: "doctor", email: "other-figures@test.example" },
    { id: first, role: "patient", phone: "+919876500001" },
    { id: second, role: "patient", phone: "+919876500002" },
  ]);
  await db.insert(doctors).values([
    { id: doctor, registrationStatus: "verified", fullName: "Dr. Figures", consultationFee: 70_000 },
    { id: other, registrationStatus: "verified", fullName: "Dr. Other" },
  ]);
  await db.insert(patients).values([{ id: first }, { id: second }]);
});
beforeEach(async () => void (await sql`delete from appointments`));

type Seed = [
  date: string,
  status: "pending" | "accepted" | "completed" | "cancelled",
  fee: number | null,
  name?: string,
  account?: string,
  whose?: string,
];
let n = 0;
async function visits(...seeds: Seed[]): Promise<void> {
  await db.insert(appointments).values(
    seeds.map(([date, status, fee, name = "Asha", patientId = first, doctorId = doctor]) => {
      n++;
      return {
        patientId,
        doctorId,
        date,
        time: `${String(9 + (n % 9)).padStart(2, "0")}:${n % 2 ? "30" : "00"}:${String(n % 60).padStart(2, "0")}`,
        status,
        fee: fee === null ? null : paise(fee),
        patientName: name,
        patientPhone: "+919876500001",
        patientAge: 40,
        patientGender: "female" as const,
        paymentReference: `ND-${n}`,
        idempotencyKey: `figures-${n}`,
      };
    }),
  );
}
/** @param at an instant in UTC */
const statsAt = (at: string, range: StatsRange = "6m") => getDoctorStats(ctx({ userId: doctor, role: "doctor" }, new Date(at)), range);

it("a doctor without visits has zeros and no rates", async () => {
  expect(await statsAt("2026-11-21T06:00:00Z", "all")).toEqual({
    todayAppointments: 0,
    pendingAppointments: 0,
    acceptedAppointments: 0,
    completedAppointments: 0,
    cancelledAppointments: 0,
    monthlyAppointments: 0,
    yearlyAppointments: 0,
    monthlyCompletedAppointments: 0,
    monthlyCancelledAppointments: 0,
    uniquePatients: 0,
    totalEarnings: 0,
    monthlyEarnings: 0,
    yearlyEarnings: 0,
    todayEarnings: 0,
    weeklyEarnings: 0,
    avgEarningsPerPatient: null,
    consultationFee: 70_000,
    monthlyGrowth: null,
    appointmentGrowth: null,
    completionRate: null,
    missedAppointments: 0,
    monthlyTrend: [],
  });
});

it("counts every figure of a month that was counted by hand", async () => {
  await visits(
    ["2026-11-21", "completed", 50_000], // today
    ["2026-11-21", "accepted", 50_000, "Bala"], // today, in the future
    ["2026-11-21", "cancelled", 50_000, "Chitra"], // today, but cancelled
    ["2026-11-15", "completed", 60_000, "asha "], // six days ago: in the week, the same patient
    ["2026-11-14", "completed", 40_000, "Bala"], // seven days ago: not in the week
    ["2026-11-02", "completed", null, "Devi"], // without a fee
    ["2026-11-30", "pending", 50_000, "Esha"], // later this month
    ["2026-12-01", "accepted", 50_000, "Esha"], // next month, this year
    ["2026-10-31", "completed", 100_000, "Asha", second], // the same name on another account is another patient
    ["2026-10-01", "cancelled", 100_000],
    ["2025-12-31", "completed", 30_000],
    ["2026-11-21", "completed", 999_900, "Asha", first, other], // of another doctor
  );
  expect(await statsAt("2026-11-21T06:00:00Z")).toMatchObject({
    todayAppointments: 2,
    pendingAppointments: 1,
    acceptedAppointments: 2,
    completedAppointments: 6,
    cancelledAppointments: 2,
    monthlyAppointments: 6,
    yearlyAppointments: 8,
    monthlyCompletedAppointments: 4,
    monthlyCancelledAppointments: 1,
    uniquePatients: 4, // Asha, Bala, Devi, the other account's Asha
    totalEarnings: 280_000,
    monthlyEarnings: 150_000,
    yearlyEarnings: 250_000,
    todayEarnings: 50_000,
    weeklyEarnings: 110_000,
    avgEarningsPerPatient: 70_000,
    monthlyGrowth: 50, // 1,500 after 1,000
    appointmentGrowth: 500, // 6 after 1
    completionRate: 75, // 6 of 8
  });
});

it("counts missed visits by themselves: they are not in the completion rate, and no step asks to close them", async () => {
  await visits(
    ["2026-05-04", "completed", 100],
    ["2026-05-04", "accepted", 100],
    ["2026-05-05", "accepted", 100],
    ["2026-05-05", "cancelled", 100],
  );
  await sql`update appointments set no_show_at = now() where status = 'cancelled' or (status = 'accepted' and date = '2026-05-04')`;
  const stats = await statsAt("2026-05-20T08:00:00Z");
  expect(stats).toMatchObject({ missedAppointments: 2, completionRate: 100, cancelledAppointments: 1, acceptedAppointments: 2 });
  expect((await getNextSteps(ctx({ userId: doctor, role: "doctor" }, new Date("2026-05-20T08:00:00Z")))).unclosed).toBe(1);
});

describe("months in India", () => {
  it.each([
    // 18:29:59 UTC is 23:59:59 in India; one second later it is the next day in India and still the same day in Greenwich.
    ["2026-11-30T18:29:59Z", "2026-11", 10_000, 10_000],
    ["2026-11-30T18:30:00Z", "2026-12", 20_000, 20_000],
    ["2026-12-31T18:29:59Z", "2026-12", 20_000, 0],
    ["2026-12-31T18:30:00Z", "2027-01", 0, 0],
  ])("at %s this month is %s", async (at, thisMonth, monthlyEarnings, todayEarnings) => {
    await visits(["2026-11-30", "completed", 10_000], ["2026-12-01", "completed", 20_000]);
    const stats = await statsAt(at, "all");
    expect(stats).toMatchObject({ monthlyEarnings, todayEarnings, totalEarnings: 30_000 });
    expect(stats.monthlyTrend.at(-1)?.month).toBe(thisMonth);
    expect(stats.yearlyEarnings).toBe(thisMonth === "2027-01" ? 0 : 30_000);
  });
  it("the trend continues across the end of the year, and growth compares December with January", async () => {
    await visits(["2026-12-31", "completed", 40_000], ["2027-01-01", "completed", 10_000], ["2026-10-05", "completed", 10_000]);
    const { monthlyTrend, monthlyGrowth } = await statsAt("2027-01-15T06:00:00Z");
    expect(monthlyTrend.map((t) => [t.month, t.earnings])).toEqual([
      ["2026-08", 0],
      ["2026-09", 0],
      ["2026-10", 10_000],
      ["2026-11", 0],
      ["2026-12", 40_000],
      ["2027-01", 10_000],
    ]);
    expect(monthlyGrowth).toBe(-75);
  });
  it("compares 29 February with the month before", async () => {
    await visits(["2028-02-29", "completed", 20_000], ["2028-01-31", "completed", 10_000]);
    expect(await statsAt("2028-02-29T06:00:00Z")).toMatchObject({ monthlyEarnings: 20_000, monthlyGrowth: 100, todayEarnings: 20_000 });
  });
});

it("sums stay exact beyond 32 bits", async () => {
  await visits(
    ...Array.from({ length: 30 }, (_, i): Seed => [`2026-11-${String(1 + (i % 20)).padStart(2, "0")}`, "completed", 99_999_999]),
  );
  expect((await statsAt("2026-11-21T06:00:00Z")).totalEarnings).toBe(2_999_999_970);
});

it("the next steps: requests, unfinished visits, a week without slots, an incomplete profile", async () => {
  const now = new Date("2026-11-21T06:00:00Z"); // 11:30 in India
  const steps = () => getNextSteps(ctx({ userId: doctor, role: "doctor" }, now));
  await visits(["2026-11-21", "pending", 1], ["2026-11-20", "pending", 1], ["2026-11-20", "accepted", 1], ["2026-11-22", "accepted", 1]);
  expect(await steps()).toEqual({
    waiting: 1,
    unclosed: 2,
    emptyWeek: { from: "2026-11-21", until: "2026-11-27" },
    missing: ["about", "photo", "languages"],
  });
  // A slot of this morning is past: it does not count for today.
  await sql`insert into availability_slots values (${doctor}, '2026-11-21', '09:00')`;
  expect((await steps()).emptyWeek).toEqual({ from: "2026-11-21", until: "2026-11-27" });
  await sql`insert into availability_slots select ${doctor}::uuid, d::date, '10:00' from generate_series('2026-11-24'::date, '2026-12-04', '3 days') d`;
  await sql`update doctors set about = 'x', languages = '{Telugu}' where id = ${doctor}`;
  expect(await steps()).toMatchObject({ emptyWeek: null, missing: ["photo"] });
});
