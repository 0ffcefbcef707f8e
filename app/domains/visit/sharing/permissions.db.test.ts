import { beforeAll, expect, it } from "vitest";
import type { DomainError } from "#app/lib/domain-error.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { allowRecords, endPermission } from "./permissions.server.ts";

const { db, sql, ctx } = testDb();
let doctor: Person;
let patient: Person;
beforeAll(async () => {
  [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
  await makeVisit(db, { patient, doctor }, { date: dayFromNow(-1), time: "10:00" });
});
const allow = (actor = patient.actor) =>
  allowRecords(ctx(actor), { person: "me", doctorId: doctor.id, until: dayFromNow(3) }).then(
    () => null,
    (error: DomainError) => error.code,
  );

it("is one row when two tabs allow the doctor at once", async () => {
  expect(await Promise.all([allow(), allow(), allow()])).toEqual([null, null, null]);
  expect(await sql`select from record_permissions where patient_id = ${patient.id}`).toHaveLength(1);
});
it("is the patient's to give", async () => {
  expect(await allow(doctor.actor)).toBe("forbidden");
});
it("stays as it is when it is ended twice at once", async () => {
  const [{ id }] = (await sql`select id from record_permissions where patient_id = ${patient.id}`) as unknown as [{ id: string }];
  await Promise.all([1, 2, 3].map(() => endPermission(ctx(patient.actor), id)));
  expect(await sql`select from audit_log where action = 'end-record-permission' and subject_id = ${id}`).toHaveLength(1);
});
it.each([
  ["a last day before it was given", "until = (allowed_at at time zone 'Asia/Kolkata')::date - 1"],
  ["more than a year", "until = (allowed_at at time zone 'Asia/Kolkata')::date + 367"],
  ["an end before it was given", "ended_at = allowed_at - interval '1 second'"],
])("refuses %s in the database", async (_, change) => {
  await expect(sql.unsafe(`update record_permissions set ${change} where patient_id = $1`, [patient.id])).rejects.toThrow(
    /record_permissions_/,
  );
});
