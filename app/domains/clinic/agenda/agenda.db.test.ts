/** The agenda's queries on a doctor with 10,000 appointments read indexes, and show what the scope allows. */
import { beforeAll, expect, it } from "vitest";
import { recordPayment } from "#app/domains/money/payments/record-payment.server.ts";
import { addWalkIn } from "#app/domains/waiting-room/queue/add-walk-in.server.ts";
import { changeVisitEntry, changeWalkIn } from "#app/domains/waiting-room/queue/change-visit-entry.server.ts";
import { addDays } from "#app/lib/dates.ts";
import { paise } from "#app/lib/money.ts";
import { makeMember } from "../../../../tests/factories/members.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { statementsOf } from "../../../../tests/setup/statements.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { AGENDA_SHOWS, type AgendaFilter, type AgendaScope, inTimeOrder } from "./agenda.ts";
import { AGENDA_PAGE, getAgendaRow, listAgenda, listDay, listRequests } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
const today = dayFromNow(0);
let busy: TestDoctor;
let other: TestDoctor;
const filter = { show: "all", day: null, seen: false, search: "", page: 1 } as const;

beforeAll(async () => {
  [busy, other] = [await makeDoctor(db), await makeDoctor(db)];
  const patient = await makePatient(db);
  const model = await makeVisit(db, { patient, doctor: busy }, { date: today, time: "00:05", status: "accepted", reason: "Cough" });
  await makeVisit(db, { patient, doctor: other }, { date: today, time: "00:05", name: "Of The Other" });
  // 20 appointments on each of 500 days: open from today on, completed before.
  await sql`
    insert into appointments (id, patient_id, doctor_id, date, time, status, reason, patient_name, patient_phone, patient_age, patient_gender, fee, payment_reference, idempotency_key)
    select gen_random_uuid(), patient_id, doctor_id, ${today}::date + d, make_time(9 + n / 2, 30 * (n % 2), 0),
      case when d < 0 then 'completed' when n % 3 = 0 then 'pending' else 'accepted' end,
      'Routine Checkup', 'Person ' || n, patient_phone, 40, 'female', fee, 'R-' || d || '-' || n, 'K-' || d || '-' || n
    from appointments, generate_series(-400, 99) d, generate_series(0, 19) n where id = ${model}`;
  await sql`analyze appointments`;
});

it("lists a page of a doctor with 10,000 appointments in order of time", async () => {
  const { rows, hasMore, totals, days } = await listAgenda(ctx(busy.actor), { doctorIds: [busy.id], reasons: true }, filter);
  expect(rows).toHaveLength(AGENDA_PAGE);
  expect(hasMore).toBe(true);
  const keys = rows.map((row) => `${row.date} ${row.time}`);
  expect(keys).toEqual([...keys].sort());
  expect(totals).toMatchObject({ all: 2001, requests: 700, today: 21, due: 0, past: 0 });
  expect(days.find((day) => day.date === today)).toMatchObject({ total: 21, requests: 7, folded: 0 });
});

it("reads an index for every filter, one day and several doctors", async () => {
  // Runs the product's own queries, and asks PostgreSQL how it would run each of them.
  const statements = await statementsOf(db, async (logged) => {
    for (const doctorIds of [[busy.id], [busy.id, other.id]]) {
      const scope = { doctorIds, reasons: true };
      for (const show of AGENDA_SHOWS) await listAgenda({ ...ctx(busy.actor), db: logged }, scope, { ...filter, show });
      await listAgenda({ ...ctx(busy.actor), db: logged }, scope, { ...filter, day: addDays(today, 3), seen: true });
      await listAgenda({ ...ctx(busy.actor), db: logged }, scope, { ...filter, search: "Person 3" });
      await listDay({ ...ctx(busy.actor), db: logged }, scope, today);
      await listRequests(ctx(busy.actor), scope, []);
    }
  });
  const own = statements.filter(({ query }) => query.includes('from "appointments"'));
  expect(own.length).toBeGreaterThan(20);
  for (const { query, params } of own) {
    const plan = (await sql.unsafe(`explain ${query}`, params as never[])).map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan, query).not.toMatch(/Seq Scan on appointments/);
  }
});

it("lists walk-ins among the appointments of their day, with the presses of the queue", async () => {
  const { doctor, place, reception } = await makeClinic(db);
  const [stranger, strangers] = [await makeDoctor(db), await makeClinic(db)];
  const atDesk = ctx(reception);
  await makeVisit(db, { patient: await makePatient(db), doctor }, { date: today, time: "00:01", status: "accepted", name: "First" });
  await makeVisit(db, { patient: await makePatient(db), doctor }, { date: today, time: "23:59", status: "accepted", name: "Last" });
  const sessionId = await makeSession(db, doctor.id);
  const { id } = await addWalkIn(atDesk, { sessionId, name: "Basha Shaik", phone: newPhone(), formKey: "k".repeat(20) });
  const scope = { doctorIds: [doctor.id], reasons: false, hospitalId: place.id };
  const lines = async (over: Partial<AgendaFilter> = {}, of: AgendaScope = scope) => {
    const { rows, walkIns, days } = await listAgenda(atDesk, of, { ...filter, show: "today", ...over });
    return {
      lines: inTimeOrder(rows, walkIns).map((row) => row.patientName + ("sessionId" in row ? `: ${row.token.state}` : "")),
      days,
    };
  };
  expect((await lines()).lines).toEqual(["First", "Basha Shaik: arrived", "Last"]);
  expect((await lines({}, { doctorIds: [doctor.id], reasons: true })).lines).toContain("Basha Shaik: arrived");
  expect((await lines()).days).toEqual([{ date: today, total: 2, requests: 0, folded: 0, walkIns: 1 }]);
  for (const show of ["week", "all"] as const) expect((await lines({ show })).lines).toContain("Basha Shaik: arrived");
  for (const over of [
    { show: "requests" },
    { show: "due" },
    { show: "past" },
    { day: addDays(today, 1) },
    { page: 2 },
    { search: "Ravi" },
  ] as const)
    expect((await lines(over)).lines.join(), JSON.stringify(over)).not.toContain("Basha");
  expect((await lines({ search: "basha" })).lines).toEqual(["Basha Shaik: arrived"]);
  // The wrong doctor, the wrong place, and a member of another place.
  expect((await lines({}, { doctorIds: [stranger.id], reasons: true })).lines).toEqual([]);
  expect((await lines({}, { ...scope, hospitalId: strangers.place.id })).lines).toEqual([]);
  for (const actor of [stranger.actor, strangers.reception, await makeMember(db, place.id, "billing")])
    await expect(changeWalkIn(ctx(actor), { entryId: id, action: "leave" })).rejects.toMatchObject({ code: /not-found|forbidden/ });
  expect(await changeWalkIn(atDesk, { entryId: id, action: "leave" })).toMatchObject({ state: "left" });
  expect((await lines()).lines).toContain("Basha Shaik: left");
  expect(await changeWalkIn(ctx(doctor.actor), { entryId: id, action: "return" })).toMatchObject({ state: "arrived" });
  // Who is done is folded, and counted there.
  await sql`update queue_entries set state = 'done' where id = ${id}`;
  expect(await lines()).toEqual({ lines: ["First", "Last"], days: [{ date: today, total: 2, requests: 0, folded: 1, walkIns: 1 }] });
  expect((await lines({ seen: true })).lines).toContain("Basha Shaik: done");
});

it("shows the doctors of the scope only, and reasons only where it says so", async () => {
  const scope = { doctorIds: [busy.id, other.id], reasons: false };
  const { rows } = await listAgenda(ctx(busy.actor), scope, { ...filter, show: "today" });
  expect(new Set(rows.map((row) => row.doctorId))).toEqual(new Set([busy.id, other.id]));
  expect(rows.every((row) => row.reason === "")).toBe(true);
  const foreign = rows.find((row) => row.doctorId === other.id)!.id;
  await expect(getAgendaRow(ctx(busy.actor), { doctorIds: [busy.id], reasons: true }, foreign)).rejects.toMatchObject({
    code: "not-found",
  });
  await expect(listRequests(ctx(busy.actor), { doctorIds: [busy.id], reasons: true }, [foreign])).rejects.toMatchObject({
    code: "not-found",
  });
});

it("leaves out what is done and paid, and keeps on its day, in searches and in the list of what is due what is done and not paid", async () => {
  const { doctor, patient } = { doctor: await makeDoctor(db), patient: await makePatient(db) };
  const visit = (name: string, status: "accepted" | "completed", time: string, date = today) =>
    makeVisit(db, { patient, doctor }, { date, time, status, name });
  const [, , paid, inQueue] = [
    await visit("Ravi Open", "accepted", "10:00"),
    await visit("Ravi Unpaid", "completed", "09:00"),
    await visit("Ravi Paid", "completed", "09:30"),
    await visit("Ravi Inside", "accepted", "09:45"),
    await visit("Ravi Yesterday", "completed", "09:00", addDays(today, -1)),
  ];
  const scope = { doctorIds: [doctor.id], reasons: true };
  const list = async (over: Partial<AgendaFilter> = {}) => {
    const { rows, totals, days } = await listAgenda(ctx(doctor.actor), scope, { ...filter, show: "today", ...over });
    // The rule in SQL is that of the rows.
    return { names: rows.map((row) => [row.patientName, row.payment.due].filter(Boolean).join(" ")), totals, days };
  };
  await makeSession(db, doctor.id);
  await changeVisitEntry(ctx(doctor.actor), { appointmentId: inQueue!, action: "arrive" });
  await sql`update queue_entries set state = 'done' where appointment_id = ${inQueue!}`;
  await recordPayment(ctx(doctor.actor), {
    appointmentId: paid!,
    hospitalId: null,
    amount: paise(50_000),
    method: "cash",
    reference: "",
    key: "k".repeat(20),
  });
  expect((await list()).names).toEqual(["Ravi Unpaid ₹500", "Ravi Inside ₹500", "Ravi Open ₹500"]);
  expect((await list()).days[0]).toMatchObject({ total: 4, folded: 1 });
  expect((await list({ seen: true })).names).toHaveLength(4);
  expect((await list({ show: "due" })).names).toEqual(["Ravi Unpaid ₹500", "Ravi Inside ₹500"]);
  expect((await list()).totals).toMatchObject({ today: 4, due: 2, all: 2 });
  // The first recorded payment is of today: what was not recorded yesterday may have been paid.
  expect((await list({ search: "ravi" })).names).toHaveLength(4);
  await sql`update payments set received_at = received_at - interval '2 days' where doctor_id = ${doctor.id}`;
  expect((await list({ search: "ravi" })).names).toContain("Ravi Yesterday ₹500");
  expect((await list({ show: "due", day: addDays(today, -1) })).names).toEqual(["Ravi Yesterday ₹500"]);
  // The bank still confirms a payment: nothing can be taken, and the visit stays in sight.
  const confirming = await visit("Ravi Confirming", "completed", "09:15");
  await sql`insert into payment_orders (id, appointment_id, doctor_id, merchant_id, amount, provider, expires_at, confirming_at)
    values (gen_random_uuid(), ${confirming}, ${doctor.id}, gen_random_uuid(), 50000, 'local', now() + interval '1 hour', now())`;
  expect((await list()).names).toContain("Ravi Confirming");
  expect((await list()).days[0]).toMatchObject({ total: 5, folded: 1 });
});
