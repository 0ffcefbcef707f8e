/** What planning a day stores, what pages show before it, and what it reads. */
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { makeClinic } from "../../../../tests/factories/queues.ts";
import { statementsOf } from "../../../../tests/setup/statements.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { addWalkIn } from "./add-walk-in.server.ts";
import { changeEntry } from "./change-entry.server.ts";
import { planDay } from "./plan-day.server.ts";
import { getQueuePage, getQueueSession, planQueue } from "./queue-page.server.ts";

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

it("is shown by the page before the first press, which stores the same, and the page stores nothing", async () => {
  const { doctor, reception } = await makeClinic(db);
  const at = (time: string) => ctx(reception, instantInIndia(today, time));
  const page = async (time: string, chosen: string | null = null) => {
    const { planned: _, ...view } = await getQueuePage(at(time), "member", chosen);
    return view;
  };
  const stored = async () => [
    await db.$count(queueSessions, eq(queueSessions.doctorId, doctor.id)),
    await db.$count(queueEntries, eq(queueEntries.personKey, queueEntries.personKey)),
  ];
  const before = await stored();
  const patient = await makePatient(db);
  const book = (time: string, name: string) => makeVisit(db, { patient, doctor }, { date: today, time, status: "accepted", name });
  for (const [time, name] of [
    ["10:30", "Second"],
    ["09:00", "First"],
    ["17:00", "Evening"],
    ["11:00", " first "],
  ] as const)
    await book(time, name);

  const shown = await page("08:30");
  const { id, expected } = shown.session!;
  expect(shown.tabs.map(({ part, state }) => [part, state])).toEqual([
    ["morning", "planned"],
    ["evening", "planned"],
  ]);
  expect(expected.map(({ number, name, slip }) => [number, name, slip])).toEqual([
    [1, "First", false],
    [2, "Second", false],
  ]);
  expect(shown.session!.nextNumber).toBe(3);
  expect(await page("08:31", shown.tabs[1]!.id)).toMatchObject({ session: { expected: [{ number: 1, name: "Evening" }] } });
  expect((await getQueueSession(at("08:32"), id)).unseen.concat((await getQueueSession(at("12:00"), id)).unseen)).toBeDefined();
  expect(await stored()).toEqual(before);

  // A stranger's press finds nothing and plans nothing.
  const other = await makeClinic(db);
  await expect(planQueue(ctx(other.reception, instantInIndia(today, "08:33")), id)).rejects.toMatchObject({ code: "not-found" });
  expect(await stored()).toEqual(before);

  await Promise.all([1, 2, 3].map(() => planQueue(at("08:34"), id)));
  await changeEntry(at("08:34"), { sessionId: id, entryId: expected[1]!.id, action: "arrive" });
  const after = await page("08:35", id);
  expect(after.tabs.map((tab) => tab.id)).toEqual(shown.tabs.map((tab) => tab.id));
  expect(after.session!.waiting.map((row) => [row.id, row.number, row.slip])).toEqual([[expected[1]!.id, 2, true]]);
  expect(after.session!.expected).toEqual([{ ...expected[0]!, slip: true }]);

  // An appointment that is accepted while the queue runs: shown at once with its number, and stored by the next press.
  await book("11:30", "Third");
  await addWalkIn(at("08:36"), { sessionId: id, name: "Basha", phone: "9876500001", formKey: "walk-in" });
  const late = (await page("08:37", id)).session!;
  expect(late.expected.map(({ number, name }) => [number, name])).toEqual([
    [1, "First"],
    [4, "Third"],
  ]);
  await planQueue(at("08:38"), id);
  expect((await page("08:39", id)).session!.expected.map((row) => row.id)).toEqual(late.expected.map((row) => row.id));
});
