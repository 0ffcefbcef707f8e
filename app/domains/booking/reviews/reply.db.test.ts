/** Replies of doctors to reviews: who may write, hide and read them, twice at once, and what a withdrawn review leaves. */
import { expect, it } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { dayFromNow, makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { moderateReview } from "./moderate-review.server.ts";
import { getOwnReview, getReportable, getReviewToReply, listDoctorReviews } from "./queries.server.ts";
import { replyToReview } from "./reply-to-review.server.ts";
import { reportReview } from "./report-review.server.ts";
import { saveReview, withdrawReview } from "./save-review.server.ts";

const { db, sql, ctx } = testDb();
const codeOf = (work: Promise<unknown> | (() => Promise<unknown>)) =>
  (typeof work === "function" ? Promise.resolve().then(work) : work).then(
    () => null,
    (e: unknown) => (e instanceof DomainError ? e.code : String(e)),
  );
const admin = await makeStaff(db, "admin");

async function reviewed() {
  const doctor = await makeDoctor(db, { name: "Dr. Asha Rao" });
  const author = await makePatient(db, { name: "Lakshmi Devi" });
  const visit = await makeVisit(db, { patient: author, doctor }, { status: "completed", date: dayFromNow(-1) });
  await saveReview(ctx(author.actor), { appointmentId: visit, rating: 4, words: "She listens." });
  const [row] = await sql`select id from reviews where appointment_id = ${visit}`;
  const shown = async () => (await listDoctorReviews(ctx(), { doctorId: doctor.id, page: 1 })).rows[0]?.reply;
  return { doctor, author, visit, id: String(row!.id), shown };
}
const save = (reply: string) => ({ intent: "save" as const, reply });

it("is published, changed and removed; the author is notified of the first", async () => {
  const { doctor, author, visit, id, shown } = await reviewed();
  expect(await shown()).toBeNull();
  expect(await replyToReview(ctx(doctor.actor), { id, ...save("Thank you.") })).toBe(true);
  expect(await replyToReview(ctx(doctor.actor), { id, ...save("Thank you.") })).toBe(true);
  expect(await replyToReview(ctx(doctor.actor), { id, ...save("Thank you, come again.") })).toBe(true);
  expect(await shown()).toBe("Thank you, come again.");
  expect((await getOwnReview(ctx(author.actor), visit)).review?.reply).toBe("Thank you, come again.");
  expect(await replyToReview(ctx(doctor.actor), { id, intent: "remove" })).toBe(false);
  expect(await replyToReview(ctx(doctor.actor), { id, intent: "remove" })).toBe(false);
  expect(await shown()).toBeNull();
  const notified = await sql`select kind, params, target_path from notifications where user_id = ${author.id}`;
  expect(notified).toEqual([
    { kind: "review-replied", params: { doctor: "Dr. Asha Rao" }, target_path: `/patient/appointments/${visit}/review` },
  ]);
  const logged = await sql`select action, details::text from audit_log where subject_id = ${id} and actor_id = ${doctor.id} order by id`;
  expect(logged.map((row) => row.action)).toEqual(["reply-to-review", "reply-to-review", "remove-review-reply"]);
  expect(JSON.stringify(logged)).not.toContain("come again");
});

it("is refused to everyone but the reviewed doctor, and for a review that is not shown", async () => {
  const { author, doctor, visit, id, shown } = await reviewed();
  const other = await makeDoctor(db);
  for (const actor of [author.actor, other.actor, admin]) {
    expect(await codeOf(replyToReview(ctx(actor), { id, ...save("x") }))).toBe("not-found");
    expect(await codeOf(getReviewToReply(ctx(actor), id))).toBe("not-found");
  }
  for (const bad of ["nonsense", "00000000-0000-4000-8000-000000000000"])
    expect(await codeOf(() => replyToReview(ctx(doctor.actor), { id: bad, ...save("x") }))).toBe("not-found");
  await moderateReview(ctx(admin), { id, intent: "hide", reason: "An advertisement" });
  expect(await codeOf(replyToReview(ctx(doctor.actor), { id, ...save("x") }))).toBe("not-found");
  await moderateReview(ctx(admin), { id, intent: "show" });
  expect(await shown()).toBeNull();
  await withdrawReview(ctx(author.actor), visit);
  expect(await codeOf(replyToReview(ctx(doctor.actor), { id, ...save("x") }))).toBe("not-found");
});

it("goes with the review that is withdrawn, also when both happen at once", async () => {
  for (let i = 0; i < 10; i++) {
    const { author, doctor, visit, id } = await reviewed();
    const [reply] = await Promise.all([
      codeOf(replyToReview(ctx(doctor.actor), { id, ...save("Thank you.") })),
      withdrawReview(ctx(author.actor), visit),
    ]);
    expect([null, "not-found"]).toContain(reply);
    expect(await sql`select reply, replied_at, reply_hidden_reason from reviews where id = ${id}`).toEqual([
      { reply: null, replied_at: null, reply_hidden_reason: null },
    ]);
  }
});

it("written twice at once notifies the author once", async () => {
  const { author, doctor, id } = await reviewed();
  await Promise.all([1, 2, 3].map((n) => replyToReview(ctx(doctor.actor), { id, ...save(`Thank you ${n}`) })));
  expect(await sql`select kind from notifications where user_id = ${author.id}`).toEqual([{ kind: "review-replied" }]);
});

it("is reported by readers and its addressee, hidden by an administrator, and not written again until it is shown", async () => {
  const { author, doctor, id, shown } = await reviewed();
  expect(await codeOf(getReportable(ctx(author.actor), id))).toBe("not-found");
  expect(await codeOf(moderateReview(ctx(admin), { id, intent: "hide-reply", reason: "x" }))).toBe("conflict");
  await replyToReview(ctx(doctor.actor), { id, ...save("You have diabetes.") });
  await reportReview(ctx(author.actor), { id, reason: "private", note: "" });
  for (const actor of [author.actor, doctor.actor])
    expect(await codeOf(moderateReview(ctx(actor), { id, intent: "hide-reply", reason: "x" }))).toBe("forbidden");
  await moderateReview(ctx(admin), { id, intent: "hide-reply", reason: "It names an illness" });
  expect(await shown()).toBeNull();
  expect(await sql`select from review_reports where review_id = ${id} and decided_at is null`).toHaveLength(0);
  expect(await codeOf(getReportable(ctx(author.actor), id))).toBe("not-found");
  expect(await codeOf(replyToReview(ctx(doctor.actor), { id, ...save("Again.") }))).toBe("conflict");
  expect(await getReviewToReply(ctx(doctor.actor), id)).toMatchObject({ reply: "You have diabetes.", hiddenReason: "It names an illness" });
  expect(await codeOf(moderateReview(ctx(admin), { id, intent: "hide-reply", reason: "x" }))).toBe("conflict");
  await moderateReview(ctx(admin), { id, intent: "show-reply" });
  expect(await shown()).toBe("You have diabetes.");
  expect(await codeOf(moderateReview(ctx(admin), { id, intent: "show-reply" }))).toBe("conflict");
  await moderateReview(ctx(admin), { id, intent: "hide-reply", reason: "It names an illness" });
  // Removing it does not open the way for a new one.
  await replyToReview(ctx(doctor.actor), { id, intent: "remove" });
  expect(await codeOf(replyToReview(ctx(doctor.actor), { id, ...save("Again.") }))).toBe("conflict");
  const kinds = await sql`select kind from notifications where user_id = ${doctor.id} order by created_at`;
  expect(kinds.map((row) => row.kind)).toEqual(["review-received", "review-reply-hidden", "review-reply-hidden"]);
});
