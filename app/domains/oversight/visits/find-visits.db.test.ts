/** The administrator's search of appointments: what each text finds, what is noted, and who may not search. */
import { expect, it } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { findVisits } from "./find-visits.server.ts";

const { db, sql, ctx } = testDb();
const admin = await makeStaff(db, "admin");
const doctor = await makeDoctor(db, { name: "Dr. Kavya 100% Searched" });
const other = await makeDoctor(db, { name: "Dr. Someone Else" });
const patient = await makePatient(db, { name: "Found Patient" });
const visit = await makeVisit(db, { patient, doctor }, { name: "Daughter Name", reason: "Secret illness" });
const later = await makeVisit(db, { patient, doctor: other }, { time: "11:00" });
await sql`update appointments set payment_reference = 'ND-7K2M9QXA' where id = ${visit}`;
const find = async (search: string, page = 1) => (await findVisits(ctx(admin), { search, page })).rows.map(({ id }) => id);

it.each([
  ["the reference", "ND-7K2M9QXA", [visit]],
  ["the reference in small letters", "nd-7k2m9qxa", [visit]],
  ["another reference", "ND-7K2M9QXB", []],
  ["a part of the reference", "7K2M9Q", []],
  ["a part of the doctor's name", "kavya", [visit]],
  ["a sign that LIKE knows", "100% s", [visit]],
  ["only signs that LIKE knows", "%%%", []],
  ["a short text", "Dr", []],
  ["no text", "", []],
  ["the name of a patient", "Daughter", []],
] as const)("finds by %s", async (_, text, found) => {
  expect(await find(text)).toEqual(found);
});

it.each([(phone: string) => phone, (phone: string) => phone.slice(3), (phone: string) => `0${phone.slice(3)}`])(
  "finds all appointments of an account by its phone, newest first",
  async (typed) => {
    expect(await find(typed(patient.phone))).toEqual([later, visit]);
  },
);

it("shows no health data, and notes each appointment for its patient", async () => {
  const [before] = await sql`select count(*)::int as n from audit_log where action = 'find-visit'`;
  const { rows, total } = await findVisits(ctx(admin), { search: "kavya", page: 1 });
  expect(total).toBe(1);
  expect(rows[0]).toMatchObject({ patientName: "Daughter Name", reference: "ND-7K2M9QXA", time: "10:00", status: "pending" });
  expect(JSON.stringify(rows)).not.toMatch(/illness|"(reason|patientAge|patientGender|bloodGroup|medicalHistory)"/);
  const logged =
    await sql`select actor_id, subject_id, person_id, details from audit_log where action = 'find-visit' order by id offset ${before!.n}`;
  expect(logged).toEqual([{ actor_id: admin.userId, subject_id: visit, person_id: patient.id, details: { doctorId: doctor.id } }]);
});

it("is refused to everyone but administrators", async () => {
  for (const actor of [patient.actor, doctor.actor, await makeStaff(db, "reviewer"), await makeStaff(db, "staff")])
    await expect(findVisits(ctx(actor), { search: "kavya", page: 1 })).rejects.toThrow(DomainError);
});
