import { expect, it } from "vitest";
import { transact } from "#app/domains/context.server.ts";
import { mergeHospitals } from "#app/domains/credentials/hospitals/merge-hospitals.server.ts";
import { findWrongRatings, repairRatings } from "#app/domains/directory/ratings.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { makeHospital } from "../../../../tests/factories/cases.ts";
import { dayFromNow, makeDoctor, makePatient, makeStaff, makeVisit, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { moderateReview } from "./moderate-review.server.ts";
import { countReported, getOwnReview, getReview, listDoctorReviews, listOwnReviews, listReviews } from "./queries.server.ts";
import { reportReview } from "./report-review.server.ts";
import { saveReview, withdrawAllReviews, withdrawReview } from "./save-review.server.ts";

const { db, sql, ctx } = testDb();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (e: unknown) => (e instanceof DomainError ? e.code : String(e)),
  );
const admin = await makeStaff(db, "admin");

let visits = 0;
/** Inserts a completed visit on its own day. */
const completed = (patient: Person, doctor: Person) =>
  makeVisit(db, { patient, doctor }, { status: "completed", date: dayFromNow(-1 - ++visits) });
async function clinic() {
  const hospital = await makeHospital(db);
  const doctor = await makeDoctor(db);
  await sql`update doctors set hospital_id = ${hospital.id} where id = ${doctor.id}`;
  return { hospital, doctor };
}
const ratings = async (doctorId: string, hospitalId: string) =>
  (
    await sql`select d.rating_sum as "doctorSum", d.rating_count as "doctorCount", h.rating_sum as "hospitalSum", h.rating_count as "hospitalCount"
      from doctors d, hospitals h where d.id = ${doctorId} and h.id = ${hospitalId}`
  )[0];
const both = (sum: number, count: number) => ({ doctorSum: sum, doctorCount: count, hospitalSum: sum, hospitalCount: count });
const idOf = async (appointmentId: string) => (await sql`select id from reviews where appointment_id = ${appointmentId}`)[0]!.id as string;

it("accepts one review for each completed visit, updates both ratings and notifies the doctor", async () => {
  const { hospital, doctor } = await clinic();
  const patient = await makePatient(db, { name: "Lakshmi Prasanna Devi" });
  const visit = await completed(patient, doctor);
  expect(await saveReview(ctx(patient.actor), { appointmentId: visit, rating: 4, words: "She listens." })).toBe(true);
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(4, 1));
  // Sent again, and changed.
  expect(await saveReview(ctx(patient.actor), { appointmentId: visit, rating: 4, words: "She listens." })).toBe(false);
  expect(await saveReview(ctx(patient.actor), { appointmentId: visit, rating: 2 })).toBe(false);
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(2, 1));
  const { rows, rating } = await listDoctorReviews(ctx(), { doctorId: doctor.id, page: 1 });
  expect(rating).toEqual({ average: 2, count: 1 });
  expect(rows).toMatchObject([{ rating: 2, words: null, author: "Lakshmi P.", edited: true }]);
  expect(JSON.stringify(rows)).not.toContain("Prasanna");
  const notified = await sql`select kind, params, target_path from notifications where user_id = ${doctor.id}`;
  expect(notified).toEqual([
    { kind: "review-received", params: { doctor: expect.any(String), author: "Lakshmi P.", stars: "4" }, target_path: "/doctor/reviews" },
  ]);
  expect((await listOwnReviews(ctx(doctor.actor), 1)).rows).toMatchObject([{ rating: 2, reported: false }]);
  const logged = await sql`select action, person_id, details::text from audit_log where subject_type = 'review' order by id`;
  expect(logged.map((l) => [l.action, l.person_id])).toEqual([
    ["write-review", patient.id],
    ["edit-review", patient.id],
  ]);
  expect(logged.map((l) => l.details).join()).not.toContain("listens");
});

it("refuses a review of another patient's visit, or of one that is not completed", async () => {
  const { hospital, doctor } = await clinic();
  const [patient, other] = [await makePatient(db), await makePatient(db)];
  const visit = await completed(patient, doctor);
  for (const actor of [other.actor, doctor.actor, admin])
    for (const id of [visit, "nonsense", "00000000-0000-4000-8000-000000000000"]) {
      expect(await codeOf(saveReview(ctx(actor), { appointmentId: id, rating: 5 }))).toBe("not-found");
      expect(await codeOf(withdrawReview(ctx(actor), id))).toBe("not-found");
      expect(await codeOf(getOwnReview(ctx(actor), id))).toBe("not-found");
    }
  for (const status of ["pending", "accepted", "cancelled"] as const) {
    const open = await makeVisit(db, { patient, doctor }, { status, date: dayFromNow(-100 - visits++) });
    expect(await codeOf(saveReview(ctx(patient.actor), { appointmentId: open, rating: 5 }))).toBe("conflict");
  }
  expect(await codeOf(withdrawReview(ctx(patient.actor), visit))).toBe("not-found");
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(0, 0));
});

it("can be edited for thirty days and deleted at any time, and a deletion is final", async () => {
  const { hospital, doctor } = await clinic();
  const patient = await makePatient(db);
  const visit = await completed(patient, doctor);
  await saveReview(ctx(patient.actor), { appointmentId: visit, rating: 5, words: "Very kind" });
  const later = new Date(Date.now() + days(30) + 1000);
  expect(await codeOf(saveReview(ctx(patient.actor, later), { appointmentId: visit, rating: 1 }))).toBe("conflict");
  expect((await getOwnReview(ctx(patient.actor, later), visit)).review).toMatchObject({ editable: false, rating: 5 });
  await withdrawReview(ctx(patient.actor, later), visit);
  await withdrawReview(ctx(patient.actor, later), visit);
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(0, 0));
  expect((await sql`select status, rating, words from reviews where appointment_id = ${visit}`)[0]).toEqual({
    status: "withdrawn",
    rating: null,
    words: null,
  });
  expect(await codeOf(saveReview(ctx(patient.actor), { appointmentId: visit, rating: 1 }))).toBe("conflict");
  expect((await listDoctorReviews(ctx(), { doctorId: doctor.id, page: 1 })).rows).toEqual([]);
});

it("can be reported once by each patient and by its doctor, and hidden and restored by an administrator", async () => {
  const { hospital, doctor } = await clinic();
  const stranger = await makeDoctor(db);
  const [author, reader] = [await makePatient(db, { name: "K. Ramana" }), await makePatient(db)];
  const visit = await completed(author, doctor);
  await saveReview(ctx(author.actor), { appointmentId: visit, rating: 1, words: "Buy my oil" });
  const id = await idOf(visit);
  const report = { id, reason: "advert" as const, note: "He sells oil" };
  for (const actor of [author.actor, stranger.actor, admin]) expect(await codeOf(reportReview(ctx(actor), report))).toBe("not-found");
  for (let i = 0; i < 2; i++) for (const actor of [reader.actor, doctor.actor]) await reportReview(ctx(actor), report);
  expect(await countReported(ctx(admin))).toBe(1);
  expect((await listReviews(ctx(admin), { tab: "reported", page: 1 })).rows).toMatchObject([{ id, openReports: 2, author: "Ramana K." }]);
  const seen = await getReview(ctx(admin), id);
  expect(seen.reports.map((r) => r.role).sort()).toEqual(["doctor", "patient"]);

  for (const actor of [author.actor, doctor.actor, await makeStaff(db, "reviewer")]) {
    expect(await codeOf(moderateReview(ctx(actor), { id, intent: "hide", reason: "x" }))).toBe("forbidden");
    for (const work of [getReview(ctx(actor), id), listReviews(ctx(actor), { tab: "all", page: 1 }), countReported(ctx(actor))])
      expect(await codeOf(work)).toBe("forbidden");
  }
  await moderateReview(ctx(admin), { id, intent: "hide", reason: "An advertisement" });
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(0, 0));
  expect(await countReported(ctx(admin))).toBe(0);
  expect((await listDoctorReviews(ctx(), { doctorId: doctor.id, page: 1 })).rows).toEqual([]);
  expect((await listOwnReviews(ctx(doctor.actor), 1)).rows).toEqual([]);
  expect((await listReviews(ctx(admin), { tab: "hidden", page: 1 })).rows.map((r) => r.id)).toContain(id);
  expect(await codeOf(reportReview(ctx(reader.actor), report))).toBe("not-found");
  expect(await codeOf(saveReview(ctx(author.actor), { appointmentId: visit, rating: 5 }))).toBe("conflict");
  expect((await getOwnReview(ctx(author.actor), visit)).review).toMatchObject({ status: "hidden", hiddenReason: "An advertisement" });
  expect(await codeOf(moderateReview(ctx(admin), { id, intent: "hide", reason: "again" }))).toBe("conflict");
  await moderateReview(ctx(admin), { id, intent: "show" });
  expect(await codeOf(moderateReview(ctx(admin), { id, intent: "show" }))).toBe("conflict");
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(1, 1));
  await moderateReview(ctx(admin), { id, intent: "keep" });
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(1, 1));
  expect((await sql`select kind from notifications where user_id = ${author.id} order by created_at, kind`).map((n) => n.kind)).toEqual([
    "review-hidden",
    "review-shown",
  ]);
  const decisions = await sql`select action, person_id from audit_log where subject_id = ${id} and actor_id = ${admin.userId} order by id`;
  expect(decisions).toEqual(["hide", "show", "keep"].map((what) => ({ action: `${what}-review`, person_id: author.id })));
  // Hidden, then deleted: subtracted once only.
  await moderateReview(ctx(admin), { id, intent: "hide", reason: "An advertisement" });
  await withdrawReview(ctx(author.actor), visit);
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(0, 0));
  for (const intent of ["hide", "keep", "show"] as const)
    expect(await codeOf(moderateReview(ctx(admin), { id, intent, reason: "x" }))).toBe("conflict");
  for (const bad of ["nonsense", "00000000-0000-4000-8000-000000000000"])
    expect(await codeOf(moderateReview(ctx(admin), { id: bad, intent: "keep" }))).toBe("not-found");
});

it("returns pages, newest first", async () => {
  const { doctor } = await clinic();
  const patient = await makePatient(db);
  for (let i = 1; i <= 6; i++)
    await saveReview(ctx(patient.actor, new Date(Date.now() + i * 1000)), {
      appointmentId: await completed(patient, doctor),
      rating: 3,
      words: `No ${i}`,
    });
  const page = async (n: number) => listDoctorReviews(ctx(), { doctorId: doctor.id, page: n });
  const [first, second] = [await page(1), await page(2)];
  expect(first.rows.map((r) => r.words)).toEqual(["No 6", "No 5", "No 4", "No 3"]);
  expect(second.rows.map((r) => r.words)).toEqual(["No 2", "No 1"]);
  expect([first.hasMore, second.hasMore]).toEqual([true, false]);
});

it("returns reviews with words first", async () => {
  const { doctor } = await clinic();
  const patient = await makePatient(db);
  for (const [i, words] of ["First", undefined, "Third", undefined].entries())
    await saveReview(ctx(patient.actor, new Date(Date.now() + i * 1000)), {
      appointmentId: await completed(patient, doctor),
      rating: 3,
      ...(words ? { words } : {}),
    });
  const { rows } = await listDoctorReviews(ctx(), { doctorId: doctor.id, page: 1 });
  expect(rows.map((r) => r.words)).toEqual(["Third", "First", null, null]);
});

it("counts for the hospital of the visit, and moves with that hospital when it is merged", async () => {
  const { hospital, doctor } = await clinic();
  const [second, third] = [await makeHospital(db), await makeHospital(db)];
  const patient = await makePatient(db);
  const [before, after] = [await completed(patient, doctor), await completed(patient, doctor)];
  await saveReview(ctx(patient.actor), { appointmentId: before, rating: 5 });
  await sql`update doctors set hospital_id = ${second.id} where id = ${doctor.id}`;
  await saveReview(ctx(patient.actor), { appointmentId: after, rating: 2 });
  await saveReview(ctx(patient.actor), { appointmentId: before, rating: 4 });
  const of = async (id: string) => (await sql`select rating_sum as sum, rating_count as count from hospitals where id = ${id}`)[0];
  expect([await of(hospital.id), await of(second.id)]).toEqual([
    { sum: 4, count: 1 },
    { sum: 2, count: 1 },
  ]);
  await mergeHospitals(ctx(admin), { id: hospital.id, into: third.id });
  expect([await of(hospital.id), await of(third.id)]).toEqual([
    { sum: 0, count: 0 },
    { sum: 4, count: 1 },
  ]);
  await withdrawReview(ctx(patient.actor), before);
  expect(await of(third.id)).toEqual({ sum: 0, count: 0 });
  expect(await findWrongRatings(ctx())).toEqual([]);
});

it("deletes all reviews of a patient with the account", async () => {
  const [a, b] = [await clinic(), await clinic()];
  const patient = await makePatient(db);
  for (const { doctor } of [a, b, a]) await saveReview(ctx(patient.actor), { appointmentId: await completed(patient, doctor), rating: 3 });
  await transact(ctx(patient.actor), withdrawAllReviews);
  expect(await ratings(a.doctor.id, a.hospital.id)).toEqual(both(0, 0));
  expect(await ratings(b.doctor.id, b.hospital.id)).toEqual(both(0, 0));
});

it("the check finds wrong totals, and the repair corrects them", async () => {
  const { hospital, doctor } = await clinic();
  const patient = await makePatient(db);
  await saveReview(ctx(patient.actor), { appointmentId: await completed(patient, doctor), rating: 4 });
  expect(await repairRatings(ctx())).toBe(0);
  await sql`update doctors set rating_sum = 400, rating_count = 1000 where id = ${doctor.id}`;
  await sql`update hospitals set rating_count = 0 where id = ${hospital.id}`;
  const wrong = await findWrongRatings(ctx());
  expect(wrong.map((w) => [w.kind, w.sum, w.count, w.realSum, w.realCount]).sort()).toEqual([
    ["doctor", 400, 1000, 4, 1],
    ["hospital", 4, 0, 4, 1],
  ]);
  expect(await repairRatings(ctx())).toBe(2);
  expect(await ratings(doctor.id, hospital.id)).toEqual(both(4, 1));
  expect(await findWrongRatings(ctx())).toEqual([]);
});

it("two hundred concurrent reviews, edits, deletions and moderations leave exact totals", { timeout: 120_000 }, async () => {
  const hospital = await makeHospital(db);
  const doctors = await Promise.all([0, 1].map(() => makeDoctor(db)));
  for (const doctor of doctors) await sql`update doctors set hospital_id = ${hospital.id} where id = ${doctor.id}`;
  const patients = await Promise.all(Array.from({ length: 20 }, () => makePatient(db)));
  const all: { appointmentId: string; patient: Person }[] = [];
  for (const patient of patients)
    for (let i = 0; i < 10; i++) all.push({ patient, appointmentId: await completed(patient, doctors[i % 2]!) });
  // Each visit is reviewed twice at once, with every change of a review at the same time.
  const codes = await Promise.all(
    all.flatMap(({ patient, appointmentId }, i) => {
      const as = ctx(patient.actor);
      const moderate = async () => {
        const [row] = await sql`select id from reviews where appointment_id = ${appointmentId}`;
        if (!row) return null;
        const hidden = await codeOf(moderateReview(ctx(admin), { id: row.id, intent: "hide", reason: "x" }));
        if (i % 3 === 0) await codeOf(moderateReview(ctx(admin), { id: row.id, intent: "show" }));
        return hidden;
      };
      return [
        codeOf(saveReview(as, { appointmentId, rating: (i % 5) + 1 })),
        codeOf(saveReview(as, { appointmentId, rating: ((i + 2) % 5) + 1 })),
        ...(i % 4 === 0 ? [codeOf(withdrawReview(as, appointmentId))] : []),
        ...(i % 2 === 0 ? [moderate()] : []),
      ];
    }),
  );
  expect(codes.filter((code) => code !== null && !["conflict", "not-found"].includes(code))).toEqual([]);
  const [counted] = await sql`select count(*)::int as all, count(distinct appointment_id)::int as visits,
    count(*) filter (where status = 'shown')::int as shown, coalesce(sum(rating) filter (where status = 'shown'), 0)::int as sum
    from reviews where hospital_id = ${hospital.id}`;
  expect(counted).toMatchObject({ all: 200, visits: 200 });
  expect(counted!.shown).toBeGreaterThan(50);
  expect((await sql`select rating_sum as sum, rating_count as shown from hospitals where id = ${hospital.id}`)[0]).toEqual({
    sum: counted!.sum,
    shown: counted!.shown,
  });
  expect(await findWrongRatings(ctx())).toEqual([]);
});
