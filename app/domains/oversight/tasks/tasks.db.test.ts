import { expect, it } from "vitest";
import { reportReview } from "#app/domains/booking/reviews/report-review.server.ts";
import { closeOwnThread } from "#app/domains/platform/support/close-thread.server.ts";
import { askSupport } from "#app/domains/platform/support/write-to-support.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { countTasks } from "./queries.server.ts";

const { db, sql, ctx } = testDb();

it("counts applications, profile changes, reported reviews and questions to support that wait for an administrator, for administrators only", async () => {
  const admin = ctx(await makeStaff(db, "admin"));
  expect(await countTasks(admin)).toEqual({ cases: 0, changes: 0, reviews: 0, support: 0 });
  const doctor = await makeDoctor(db);
  const [author, reader] = [await makePatient(db), await makePatient(db)];
  const review = async (status: "shown" | "hidden") => {
    const visit = await makeVisit(db, { patient: author, doctor }, { status: "completed", time: status === "shown" ? "10:00" : "11:00" });
    const [row] = await sql`insert into reviews (appointment_id, patient_id, doctor_id, rating, status)
      values (${visit}, ${author.id}, ${doctor.id}, 3, ${status}) returning id`;
    return String(row!.id);
  };
  const shown = await review("shown");
  for (const actor of [reader.actor, doctor.actor]) await reportReview(ctx(actor), { id: shown, reason: "untrue", note: "" });
  const hidden = await review("hidden");
  await sql`insert into review_reports (review_id, reporter_id, reason) values (${hidden}, ${reader.id}, 'untrue')`;
  await makeDoctor(db, { status: "pending admin approval" });
  await makeDoctor(db, { status: "under review by hospital" });
  for (const status of ["pending", "refused"])
    await sql`insert into profile_changes (doctor_id, field, before, after, status) values (${doctor.id}, 'city', '"A"', '"B"', ${status})`;
  const ask = () => askSupport(ctx(author.actor), { topic: "other", message: "Hello", key: randomToken() });
  await ask();
  await closeOwnThread(ctx(author.actor), await ask());
  expect(await countTasks(admin)).toEqual({ cases: 1, changes: 1, reviews: 1, support: 1 });
  for (const actor of [author.actor, doctor.actor, await makeStaff(db, "reviewer")])
    await expect(countTasks(ctx(actor))).rejects.toThrow(DomainError);
});
