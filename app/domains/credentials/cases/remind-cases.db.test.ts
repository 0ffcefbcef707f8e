/** Reminders about waiting cases: each step once, to whom, and with two workers at once. */
import { beforeEach, expect, it } from "vitest";
import { makeHospital, makeReviewer, type TestCase, type TestHospital } from "../../../../tests/factories/cases.ts";
import { admin, approved, ctx, db, decision, reviewer, sql, waiting } from "../../../../tests/setup/case-decisions.ts";
import { assignCase } from "./assign-case.server.ts";
import { decideForHospital } from "./decide-for-hospital.server.ts";
import { remindCases } from "./remind-cases.server.ts";

const start = new Date(Date.now() - 10 * 86_400_000);
const after = (days: number) => new Date(start.getTime() + days * 86_400_000);
let house: TestHospital;
let first: Awaited<ReturnType<typeof makeReviewer>>;
let second: typeof first;
beforeEach(async () => {
  house = await makeHospital(db);
  [first, second] = [await makeReviewer(db, house), await makeReviewer(db, house)];
});
const make = (over: Parameters<typeof waiting>[0] = {}) =>
  waiting({ hospital: house, submittedAt: start, openedBy: [first.userId], ...over });
const noticesOf = async (userId: string, about: TestCase) =>
  (
    await sql`select kind from notifications where user_id = ${userId} and target_path like ${`%${about.id}`} and kind <> 'case-waiting' order by created_at`
  ).map(({ kind }) => kind);

it("reminds the reviewers after one and two days, and the administrators after three, once each", async () => {
  const it = await make();
  const states: [number, string[], string[]][] = [
    [0.9, [], []],
    [1, ["case-reminder"], []],
    [1.5, ["case-reminder"], []],
    [2, ["case-reminder", "case-reminder"], []],
    [3, ["case-reminder", "case-reminder", "case-reminder"], ["case-late"]],
    [9, ["case-reminder", "case-reminder", "case-reminder"], ["case-late"]],
  ];
  for (const [days, ofReviewers, ofAdmin] of states) {
    await remindCases(ctx(null, after(days)));
    for (const { userId } of [first, second]) expect(await noticesOf(userId, it)).toEqual(ofReviewers);
    expect(await noticesOf(admin.userId, it)).toEqual(ofAdmin);
  }
});

it("sends each step once with several workers at once", async () => {
  const it = await make();
  await Promise.all(Array.from({ length: 5 }, () => remindCases(ctx(null, after(1)))));
  expect(await noticesOf(first.userId, it)).toEqual(["case-reminder"]);
});

it("sends only the last step after an outage", async () => {
  const it = await make();
  await remindCases(ctx(null, after(5)));
  expect(await noticesOf(first.userId, it)).toEqual(["case-reminder"]);
  expect(await noticesOf(admin.userId, it)).toEqual(["case-late"]);
});

it("reminds only the assigned reviewer, until it is late", async () => {
  const it = await make();
  await assignCase(ctx(second), { doctorId: it.id, to: second.userId, from: null });
  await remindCases(ctx(null, after(1)));
  expect([await noticesOf(first.userId, it), await noticesOf(second.userId, it)]).toEqual([[], ["case-reminder"]]);
  await remindCases(ctx(null, after(3)));
  expect(await noticesOf(first.userId, it)).toEqual(["case-reminder"]);
});

it("notifies the administrators at once of a hospital without reviewers", async () => {
  const it = await make({ hospital: await makeHospital(db) });
  await remindCases(ctx(null, after(1)));
  expect(await noticesOf(admin.userId, it)).toEqual(["case-late"]);
});

it("reminds administrators of what waits for them, and starts again when a case moves on", async () => {
  const it = await make();
  await remindCases(ctx(null, after(1)));
  await decideForHospital(ctx(first, after(1.1)), decision(it, "approve"));
  await remindCases(ctx(null, after(2)));
  expect(await noticesOf(admin.userId, it)).toEqual([]);
  await remindCases(ctx(null, after(2.2)));
  expect(await noticesOf(admin.userId, it)).toEqual(["case-reminder"]);
  expect(await noticesOf(first.userId, it)).toEqual(["case-reminder"]);
  const decided = await approved({ status: "verified", approvedBy: reviewer.userId });
  await remindCases(ctx(null, after(9)));
  expect(await noticesOf(admin.userId, decided)).toEqual([]);
});
