/** Assigning cases to reviewers: who may, what counts, and two at once. */
import { expect, it } from "vitest";
import { makeReviewer, type TestCase } from "../../../../tests/factories/cases.ts";
import {
  admin,
  approved,
  auditOf,
  codeOf,
  ctx,
  db,
  house,
  reviewer,
  sql,
  stranger,
  waiting,
} from "../../../../tests/setup/case-decisions.ts";
import { assignCase, assignCases, getAssignment, listToAssign, takeCases } from "./assign-case.server.ts";
import { listDoctorCases, listReviewerCases, readCase } from "./case-queries.server.ts";

const assigneeOf = async (of: TestCase) => (await readCase(ctx(admin), of.id)).assignedTo;
const take = (of: TestCase, who = reviewer, from: string | null = null) =>
  codeOf(assignCase(ctx(who), { doctorId: of.id, to: who.userId, from }));
const noticesOf = async (userId: string) =>
  (await sql`select kind, params from notifications where user_id = ${userId} order by created_at`).map(({ kind }) => kind);

it("a reviewer takes a case, gives it back and takes over one of a colleague", async () => {
  const [it, colleague] = [await waiting(), await makeReviewer(db, house)];
  expect(await take(it)).toBe("done");
  expect(await readCase(ctx(colleague), it.id)).toMatchObject({ assignedTo: reviewer.userId });
  expect(await take(it, colleague, reviewer.userId)).toBe("done");
  expect(await assigneeOf(it)).toBe(colleague.userId);
  expect(await codeOf(assignCase(ctx(colleague), { doctorId: it.id, to: null, from: colleague.userId }))).toBe("done");
  expect(await assigneeOf(it)).toBe(null);
  expect(await auditOf(it, "assign-case")).toBe(3);
  expect(await noticesOf(colleague.userId)).toEqual([]);
});

it("an administrator assigns it, and the reviewer is notified", async () => {
  const [it, colleague] = [await waiting(), await makeReviewer(db, house)];
  await assignCase(ctx(admin), { doctorId: it.id, to: colleague.userId, from: null });
  await assignCase(ctx(admin), { doctorId: it.id, to: colleague.userId, from: null });
  expect(await assigneeOf(it)).toBe(colleague.userId);
  expect(await noticesOf(colleague.userId)).toEqual(["case-assigned"]);
});

it("lets one of two reviewers at once win, and the other sees who has it", async () => {
  const colleague = await makeReviewer(db, house);
  for (let i = 0; i < 5; i++) {
    const it = await waiting();
    const both = await Promise.all([take(it), take(it, colleague)]);
    expect(both.toSorted()).toEqual(["conflict", "done"]);
    expect(await assigneeOf(it)).toBe(both[0] === "done" ? reviewer.userId : colleague.userId);
  }
});

it("refuses other users, other hospitals, cases that no longer wait, and users who do not review there", async () => {
  const [it, decided] = [await waiting(), await approved()];
  expect(await take(it, stranger)).toBe("not-found");
  expect(await codeOf(getAssignment(ctx(stranger), it.id))).toBe("not-found");
  expect(await codeOf(assignCase(ctx(reviewer), { doctorId: it.id, to: stranger.userId, from: null }))).toBe("forbidden");
  expect(await codeOf(assignCase(ctx(it.actor), { doctorId: it.id, to: reviewer.userId, from: null }))).toBe("forbidden");
  expect(await codeOf(assignCase(ctx(admin), { doctorId: it.id, to: stranger.userId, from: null }))).toBe("conflict");
  expect(await codeOf(assignCase(ctx(admin), { doctorId: "nonsense", to: reviewer.userId, from: null }))).toBe("not-found");
  expect(await take(decided)).toBe("conflict");
  expect(await codeOf(listToAssign(ctx(reviewer), [it.id]))).toBe("forbidden");
  expect(await codeOf(listToAssign(ctx(admin), [decided.id, "nonsense"]))).toBe("not-found");
  expect(await codeOf(assignCases(ctx(reviewer), { cases: [{ id: it.id, from: null }], reviewers: [] }))).toBe("forbidden");
});

it("counts while the user reviews for the hospital of the doctor", async () => {
  const [it, leaving] = [await waiting(), await makeReviewer(db, house)];
  await take(it, leaving);
  await sql`delete from hospital_reviewers where user_id = ${leaving.userId}`;
  expect(await assigneeOf(it)).toBe(null);
  expect(await take(it)).toBe("done");
});

it("assigns the chosen cases of each hospital, and leaves those that changed meanwhile", async () => {
  const [one, two, taken, closed] = [await waiting(), await waiting(), await waiting(), await approved()];
  await take(taken);
  const colleague = await makeReviewer(db, house);
  const groups = await listToAssign(ctx(admin), [one.id, two.id, closed.id]);
  expect(groups.map(({ cases }) => cases.map(({ id }) => id).toSorted())).toEqual([[one.id, two.id].toSorted()]);
  expect(groups[0]!.reviewers.map(({ id }) => id)).toContain(colleague.userId);
  const cases = [one, two, taken, closed].map(({ id }) => ({ id, from: null }));
  expect(await assignCases(ctx(admin), { cases, reviewers: [{ hospital: house.id, user: colleague.userId }] })).toEqual({
    done: 2,
    skipped: 2,
  });
  expect(await assigneeOf(taken)).toBe(reviewer.userId);
  expect(await takeCases(ctx(reviewer), [one.id, taken.id, (await waiting()).id])).toEqual({ done: 2, skipped: 1 });
});

it("filters the lists by reviewer, and shows since when a case waits in its place", async () => {
  const own = await makeReviewer(db, house);
  const name = `Dr. Filtered ${own.userId.slice(0, 8)}`;
  const submittedAt = new Date(Date.now() - 4 * 86_400_000);
  const [mine, free] = [await waiting({ name, submittedAt }), await waiting({ name: `${name} Free`, submittedAt })];
  await take(mine, own);
  const list = (whose: "mine" | "unassigned" | null) => listReviewerCases(ctx(own), { tab: "waiting", search: name, page: 1, whose });
  expect((await list("mine")).rows).toMatchObject([{ id: mine.id, assignedTo: own.userId, waitingSince: submittedAt }]);
  expect((await list("unassigned")).rows).toMatchObject([{ id: free.id, assignedTo: null }]);
  expect(await list("mine")).toMatchObject({ total: 1, all: 2, owned: { mine: 1, unassigned: 1 } });
  expect((await list(null)).total).toBe(2);
  const ids = async (reviewer: "assigned" | "unassigned") =>
    (await listDoctorCases(ctx(admin), { status: "under review by hospital", search: name, page: 1, filter: { reviewer } })).rows.map(
      ({ id }) => id,
    );
  expect(await ids("assigned")).toEqual([mine.id]);
  expect(await ids("unassigned")).toEqual([free.id]);
  const later = await approved({ name: `${name} Approved`, submittedAt });
  const [row] = (await listDoctorCases(ctx(admin), { status: "pending admin approval", search: `${name} Approved`, page: 1 })).rows;
  expect(row).toMatchObject({ id: later.id, submittedAt, waitingSince: new Date(submittedAt.getTime() + 3_600_000) });
});
