import { expect, it } from "vitest";
import type { DomainError } from "#app/lib/domain-error.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { choosePayment } from "./choose-payment.server.ts";

const { db, sql, ctx } = testDb();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (e: DomainError) => e.code,
  );
const method = async (id: string) => (await sql`select payment_method from appointments where id = ${id}`)[0]?.payment_method;

it("stores the patient's choice with an audit row, and refuses other patients and closed visits", async () => {
  const doctor = await makeDoctor(db);
  const [patient, other] = [await makePatient(db), await makePatient(db)];
  const id = await makeVisit(db, { patient, doctor });
  expect(await codeOf(choosePayment(ctx(other.actor), { id, method: "clinic" }))).toBe("not-found");
  expect(await codeOf(choosePayment(ctx(doctor.actor), { id, method: "clinic" }))).toBe("not-found");
  expect(await codeOf(choosePayment(ctx(patient.actor), { id: "nonsense", method: "clinic" }))).toBe("not-found");
  expect(await method(id)).toBeNull();
  expect(await codeOf(choosePayment(ctx(patient.actor), { id, method: "clinic" }))).toBeNull();
  expect(await method(id)).toBe("clinic");
  expect((await sql`select from audit_log where action = 'choose-payment' and subject_id = ${id}`).count).toBe(1);
  for (const status of ["completed", "cancelled"] as const) {
    const closed = await makeVisit(db, { patient, doctor }, { status, date: dayFromNow(9) });
    expect(await codeOf(choosePayment(ctx(patient.actor), { id: closed, method: "clinic" }))).toBe("conflict");
    expect(await method(closed)).toBeNull();
    await sql`update appointments set status = 'cancelled' where id = ${closed}`;
  }
});
