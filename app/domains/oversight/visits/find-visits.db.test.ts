/** The administrator's search of appointments: what each text finds, what is noted, and who may not search. */
import { randomUUID } from "node:crypto";
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
await sql`update appointments set payment_reference = 'ND-7K2M-9QXA' where id = ${visit}`;
const orderId = randomUUID();
const paymentId = randomUUID();
const refundId = randomUUID();
await sql`insert into payment_orders (id, appointment_id, doctor_id, merchant_id, amount, provider, provider_order_id, state, expires_at)
  values (${orderId}, ${visit}, ${doctor.id}, ${doctor.id}, 50000, 'local', 'order_Found1', 'paid', now())`;
await sql`insert into payments (id, appointment_id, doctor_id, merchant_id, method, amount, order_id, provider_payment_id, bank_reference, idempotency_key)
  values (${paymentId}, ${visit}, ${doctor.id}, ${doctor.id}, 'online', 50000, ${orderId}, 'pay_Found1', '919876501234', 'found')`;
await sql`insert into receipts (payment_id, merchant_id, financial_year, number, merchant_name, merchant_address)
  values (${paymentId}, ${doctor.id}, '2026-27', 418, 'Clinic', 'Street')`;
await sql`insert into refunds (id, payment_id, method, amount, reason, idempotency_key) values (${refundId}, ${paymentId}, 'online', 100, 'agreed', 'found')`;
await sql`insert into provider_refunds (refund_id, provider, provider_refund_id, bank_reference) values (${refundId}, 'local', 'rfnd_Found1', '632711408852')`;
await sql`insert into settlement_lines (provider, settlement_id, kind, line_id, payment_id, amount, fee, tax, credit, debit, bank_reference, settled_at)
  values ('local', 'setl_Found1', 'payment', 'pay_Found1', null, 50000, 1180, 180, 48820, 0, 'UTIB26112609921', now()),
  ('local', 'setl_Found2', 'payment', 'pay_Found1', null, 100, 0, 0, 100, 0, 'utr3fa9c1', now()), ('local', 'setl_Found3', 'payment', 'pay_Found1', null, 100, 0, 0, 100, 0, '919876500000', now())`;
const find = async (search: string, page = 1) => (await findVisits(ctx(admin), { search, page })).rows.map(({ id }) => id);

it.each([
  ["the reference", "ND-7K2M-9QXA", [visit]],
  ["the reference in small letters", "nd-7k2m-9qxa", [visit]],
  ["the reference without signs", "ND7K2M9QXA", [visit]],
  ["the reference as read out on the phone", " nd 7k2m  9qxa ", [visit]],
  ["a receipt", "2026-27/000418", [visit]],
  ["a receipt without its zeros", "2026-27/418", [visit]],
  ["another year's receipt", "2025-26/000418", []],
  ["the provider's payment", "pay_Found1", [visit]],
  ["the provider's order", "order_Found1", [visit]],
  ["the provider's refund", "rfnd_Found1", [visit]],
  ["the bank's reference of a refund (RRN)", "6327 1140 8852", [visit]],
  ["the bank's reference of a settlement (UTR)", "utib26112609921", [visit]],
  ["a UTR with lower-case letters", "utr3fa9c1", [visit]],
  ["a UTR that reads as a phone", "919876500000", [visit]],
  ["the bank's reference of a payment, which reads as a phone", "9198 7650 1234", [visit]],
  ["another payment", "pay_Other", []],
  ["another reference", "ND-7K2M-9QXB", []],
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
  expect(rows[0]).toMatchObject({ patientName: "Daughter Name", reference: "ND-7K2M-9QXA", time: "10:00", status: "pending" });
  expect(JSON.stringify(rows)).not.toMatch(/illness|"(reason|patientAge|patientGender|bloodGroup|medicalHistory)"/);
  const logged =
    await sql`select actor_id, subject_id, person_id, details from audit_log where action = 'find-visit' order by id offset ${before!.n}`;
  expect(logged).toEqual([{ actor_id: admin.userId, subject_id: visit, person_id: patient.id, details: { doctorId: doctor.id } }]);
});

it("is refused to everyone but administrators", async () => {
  for (const actor of [patient.actor, doctor.actor, await makeStaff(db, "reviewer"), await makeStaff(db, "staff")])
    await expect(findVisits(ctx(actor), { search: "kavya", page: 1 })).rejects.toThrow(DomainError);
});
