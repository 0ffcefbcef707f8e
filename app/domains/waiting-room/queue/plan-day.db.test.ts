/** Planning a day costs the same however many appointments other doctors have. */
import { expect, it } from "vitest";
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { statementsOf } from "../../../../tests/setup/statements.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { planDay } from "./plan-day.server.ts";

const { db, sql, ctx } = testDb();
const today = dayFromNow(0);

it("reads the appointments of its doctor only", async () => {
  const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
  const model = await makeVisit(db, { patient, doctor }, { date: today, time: "09:00", status: "accepted" });
  // 100 other doctors, each with 20 appointments on five days.
  const others = await Promise.all(Array.from({ length: 100 }, () => makeDoctor(db)));
  await sql`
    insert into appointments (id, patient_id, doctor_id, practice_id, date, time, status, reason, patient_name, patient_phone, patient_age, patient_gender, fee, payment_reference, idempotency_key)
    select gen_random_uuid(), a.patient_id, p.doctor_id, p.id, ${today}::date + d, make_time(9 + n / 2, 30 * (n % 2), 0), 'accepted',
      'Routine Checkup', 'Person ' || n, a.patient_phone, 40, 'female', a.fee, 'R-' || p.id || d || '-' || n, 'K-' || p.id || d || '-' || n
    from appointments a, practices p, generate_series(-2, 2) d, generate_series(0, 19) n
    where a.id = ${model} and p.doctor_id = any(${others.map(({ id }) => id)}::uuid[])`;
  await sql`analyze`;
  const [practice] = await sql<{ id: string }[]>`select id from practices where doctor_id = ${doctor.id}`;

  const statements = await statementsOf(db, (logged) => planDay({ ...ctx(null), db: logged }, { practiceId: practice!.id, date: today }));
  const read = statements.filter(({ query }) => /^\s*select/.test(query) && /from "?appointments/.test(query));
  expect(read.length).toBeGreaterThan(1);
  for (const { query, params } of read) {
    const plan = (await sql.unsafe(`explain ${query}`, params as never[])).map((row) => row["QUERY PLAN"]).join("\n");
    for (const [scan] of plan.matchAll(/Scan[^\n]* on appointments\b[^\n]*\n[^\n]*/g))
      expect(scan, query).toMatch(/(Index|Recheck) Cond: .*(doctor_id =|\bid =)/);
  }
});
