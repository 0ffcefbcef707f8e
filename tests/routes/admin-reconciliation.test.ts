/** /admin/payments/days: the parts of each online payment compared, by day and month, with CSV. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Gateway, startGateway } from "../../scripts/gateway/gateway.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makeStaff, newPhone, type TestDoctor } from "../factories/people.ts";
import { GATEWAY_KEYS, gatewayEnv } from "../setup/gateway.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let gateway: Gateway;
let server: TestServer;
let doctor: TestDoctor;
let patient: LoggedIn;
let asAdmin: LoggedIn;
const phone = newPhone();
const times = ["09:00", "09:30", "10:00", "10:30"];
const PAGES = ["/admin/payments/days", "/admin/payments/day", "/admin/payments/days.csv"];
const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;

beforeAll(async () => {
  gateway = await startGateway({ ...GATEWAY_KEYS, webhookUrl: null });
  server = await startServer({ seed: false, env: gatewayEnv(gateway) });
  gateway.sendTo(`${server.url}/webhooks/local`);
  doctor = await makeDoctor(server.db, { slots: times.map((time) => ({ date: dayFromNow(3), time })) });
  patient = await loginAs(server, { role: "patient", phone });
  asAdmin = await loginAs(server, { role: "admin", email: await emailOf((await makeStaff(server.db, "admin")).userId) });
});
afterAll(async () => {
  await server?.stop();
  await gateway?.[Symbol.asyncDispose]();
});

/** Books, pays online and applies the messages. */
async function paidOrder() {
  const visit = (await bookedId(await book(patient, doctor.id, { date: dayFromNow(3), time: times.shift()! })))!;
  expect((await patient.post(`/patient/appointments/payment/${visit}`, { method: "online" })).status).toBe(303);
  const [order] = await server.sql<{ id: string; theirs: string }[]>`
    select id, provider_order_id as theirs from payment_orders where appointment_id = ${visit}`;
  gateway.attempt(order!.theirs, "pay");
  await gateway.quiet();
  expect((await asAdmin.post("/admin/payments", { id: order!.id })).status).toBe(303);
  return { visit, ...order! };
}
const dayPage = async () => readable((await asAdmin.get(`/admin/payments/day?day=${dayFromNow(0)}`)).text);
const csvRows = async (query: string) => (await asAdmin.get(`/admin/payments/days.csv?${query}`)).text.trim().split("\r\n");

/** Changes rows in ways that triggers and commands refuse. */
const plant = (...statements: string[]) =>
  server.sql.begin(async (tx) => {
    await tx.unsafe("set local session_replication_role = replica");
    for (const one of statements) await tx.unsafe(one);
  });

it("shows an empty month and day", async () => {
  expect(readable((await asAdmin.get("/admin/payments/days?month=2020-01")).text)).toContain("No online payments in this month");
  expect(readable((await asAdmin.get("/admin/payments/day?day=2020-01-01")).text)).toContain("No orders were opened on this day");
  for (const month of ["nonsense", "2099-01", "2026-13"])
    expect((await asAdmin.get(`/admin/payments/days?month=${month}`)).status).toBe(200);
});

describe("orders of a day", () => {
  let order: Awaited<ReturnType<typeof paidOrder>>;
  let fine: Awaited<ReturnType<typeof paidOrder>>;
  beforeAll(async () => {
    fine = await paidOrder();
    order = await paidOrder();
  });

  it("match after a payment, and are added up", async () => {
    const page = await dayPage();
    expect(page).toMatch(/Received\s*₹1,000\s*Payments: 2, too late: 0/);
    expect(page).toMatch(/Do not match\s*0/);
    const month = readable((await asAdmin.get("/admin/payments/days")).text);
    expect(month).toMatch(/₹1,000[\s\S]*Matches/);
    const rows = await csvRows(`day=${dayFromNow(0)}`);
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain(`,${fine.id},${fine.theirs},paid,500.00,`);
    expect(await csvRows(`month=${dayFromNow(0).slice(0, 7)}`)).toEqual(rows);
    const audit = await server.sql`select details->>'rows' as rows from audit_log where action = 'export-payments'`;
    expect(audit).toEqual([{ rows: "2" }, { rows: "2" }]);
  });

  const OF_ORDER = () => `select id from payments where order_id = '${order.id}'`;
  const fact = (part: object) => `insert into payment_events (provider, event_id, data_key, raw, fact, order_id, received_at)
    values ('local', 'evt_planted', 'x', 'x', '${JSON.stringify({ kind: "planted", orderId: order.theirs, payment: null, refund: null, ...part })}',
    '${order.id}', now() - interval '1 hour')`;
  const REFUND = { id: "rfnd_planted", paymentId: "pay_x", status: "processed", amount: 700, ownId: null, reference: null };
  const PAYMENT = { id: "pay_planted", status: "captured", amount: 700, currency: "INR", captured: true, refunded: 0, method: "upi" };
  const refundRow = (amount: number, state = "processed") => [
    `insert into refunds (id, payment_id, method, amount, reason, idempotency_key)
      select '00000000-0000-4000-8000-000000000001', id, 'online', ${amount}, 'agreed', 'planted' from payments where order_id = '${order.id}'`,
    `insert into provider_refunds (refund_id, provider, provider_refund_id, state, settled_at)
      values ('00000000-0000-4000-8000-000000000001', 'local', 'rfnd_planted', '${state}', ${state === "pending" ? "null" : "now()"})`,
  ];
  const entry = (
    account: string,
    amount: number,
  ) => `insert into ledger_entries (transfer_id, account, amount, payment_id, merchant_id, refund_id, doctor_id)
    select gen_random_uuid(), '${account}', ${amount}, id, merchant_id, '00000000-0000-4000-8000-000000000001', doctor_id from payments where order_id = '${order.id}'`;
  const CASES: [string, () => string[], string][] = [
    [
      "a payment that is not booked",
      () => [fact({ payment: PAYMENT })],
      "A message says that ₹7 was received, but no payment is recorded.",
    ],
    [
      "another amount in a message",
      () => [
        fact({ payment: PAYMENT }),
        `update payment_events set fact = jsonb_set(fact, '{payment,id}', to_jsonb((select provider_payment_id from payments
          where order_id = '${order.id}'))) where event_id = 'evt_planted'`,
      ],
      "The message and the payment differ by ₹493.",
    ],
    [
      "another amount of the order",
      () => [`update payment_orders set amount = 50100 where id = '${order.id}'`],
      "The payment and the order differ by ₹1.",
    ],
    [
      "a paid order that says expired",
      () => [`update payment_orders set state = 'expired' where id = '${order.id}'`],
      "The state of this order of ₹500 does not fit its payments.",
    ],
    [
      "a lost ledger entry",
      () => [`delete from ledger_entries where account = 'online' and payment_id in (${OF_ORDER()})`],
      "The payment and the ledger differ by ₹500.",
    ],
    ["a lost receipt", () => [`delete from receipts where payment_id in (${OF_ORDER()})`], "The payment of ₹500 has no receipt."],
    ["a refund without ledger", () => refundRow(700), "A refund and the ledger differ by ₹7."],
    [
      "a payment that does not count its refund",
      () => [...refundRow(800), entry("online", -800)],
      "The refunded amount of the payment and its refunds differ by ₹8.",
    ],
    [
      "more returned than received",
      () => [...refundRow(900), entry("online", -900), entry("over-refund", 900)],
      "₹9 more was returned than was received.",
    ],
    ["a refund that is not booked", () => [fact({ refund: REFUND })], "A message says that ₹7 was refunded, but no refund is recorded."],
    [
      "a refund with another state",
      () => [fact({ refund: REFUND }), ...refundRow(700, "pending"), entry("online", -700)],
      "The message about the refund of ₹7 does not fit the recorded refund.",
    ],
    [
      "late money that is not returned",
      () => [`update payments set unseatable = true where order_id = '${order.id}'`],
      "₹500 came after the appointment was cancelled and is not refunded.",
    ],
  ];
  it.each(CASES)("finds %s and shows it first", async (_, statements, sentence) => {
    await plant(
      ...["payment_orders", "payments", "receipts", "ledger_entries"].map(
        (table) => `create table saved_${table} as select * from ${table}`,
      ),
    );
    try {
      await plant(...statements());
      const page = await dayPage();
      expect(page).toContain(sentence);
      expect(page).toMatch(/Do not match\s*1/);
      expect(readable((await asAdmin.get("/admin/payments/days")).text)).not.toContain("Matches");
      const rows = await csvRows(`day=${dayFromNow(0)}`);
      expect(rows[1]).toContain(order.id);
      expect(rows[2]).toMatch(/,$/);
    } finally {
      await plant(
        "delete from payment_events where event_id = 'evt_planted'",
        "delete from provider_refunds",
        "delete from refunds",
        ...["payment_orders", "payments", "receipts", "ledger_entries"].flatMap((table) => [
          `delete from ${table}`,
          `insert into ${table} select * from saved_${table}`,
          `drop table saved_${table}`,
        ]),
      );
    }
    expect(await dayPage()).toMatch(/Do not match\s*0/);
  });

  it("link to the order", async () => {
    const page = (await asAdmin.get(`/admin/payments/day`)).text;
    expect(page).toContain(`/admin/payments?order=${order.id}`);
    const one = readable((await asAdmin.get(`/admin/payments?order=${order.id}`)).text);
    expect(one).toContain(order.theirs);
    expect(one).not.toContain(fine.theirs);
    for (const unknown of [crypto.randomUUID(), "nonsense"])
      expect((await asAdmin.get(`/admin/payments?order=${unknown}`)).status).toBe(404);
  });

  it("are for administrators only, without personal data and secrets", async () => {
    const reviewer = await loginAs(server, { role: "reviewer", email: await emailOf((await makeStaff(server.db, "reviewer")).userId) });
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    const before = await server.sql`select count(*) as n from audit_log where action = 'export-payments'`;
    for (const who of [patient, asDoctor, reviewer, new Browser(server.url)])
      for (const path of PAGES.flatMap((one) => [one, `${one}.data`])) {
        const answer = await who.get(path);
        expect([202, 303, 403, 404], path).toContain(answer.status);
        expect(answer.text).not.toContain(order.theirs);
        expect(answer.text).not.toContain(order.id);
      }
    expect(await server.sql`select count(*) as n from audit_log where action = 'export-payments'`).toEqual(before);
    for (const path of PAGES)
      for (const secret of [phone, doctor.email, GATEWAY_KEYS.keySecret, GATEWAY_KEYS.webhookSecret])
        expect((await asAdmin.get(path)).text).not.toContain(secret);
  });
});

it("says of a day that it is not settled while an order is open, at the bank or not returned, and that it matches when that has ended", async () => {
  /** What the row of today says. */
  const result = async () =>
    /Matches|Not settled yet: \d+|Do not match/.exec(readable((await asAdmin.get("/admin/payments/days")).text).split("Result")[1]!)?.[0];
  const becomes = (text: string) => vi.waitFor(async () => expect(await result()).toBe(text), { timeout: 30_000, interval: 200 });
  expect(await result()).toBe("Matches");
  const visit = bookedId(await book(patient, doctor.id, { date: dayFromNow(3), time: times.shift()! }))!;
  expect((await patient.post(`/patient/appointments/payment/${visit}`, { method: "online" })).status).toBe(303);
  expect(await result()).toBe("Not settled yet: 1");
  const [order] = await server.sql<
    { theirs: string }[]
  >`select provider_order_id as theirs from payment_orders where appointment_id = ${visit}`;
  const payment = gateway.attempt(order!.theirs, "slow");
  await gateway.quiet();
  // The order has ended, the bank has not.
  await server.sql`update payment_orders set state = 'expired' where appointment_id = ${visit}`;
  expect(await result()).toBe("Not settled yet: 1");
  gateway.capture(payment.id);
  await becomes("Matches");
  gateway.behaviour.refundsAtOnce = false;
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  expect((await asDoctor.post(`/doctor/appointments/${visit}/cancel`, {})).status).toBe(303);
  const refunds = () => [...gateway.refunds.values()].filter(({ paymentId }) => paymentId === payment.id);
  await vi.waitFor(() => expect(refunds()).toHaveLength(1), { timeout: 30_000 });
  await becomes("Not settled yet: 1");
  gateway.settleRefund(refunds()[0]!.id, "failed");
  await vi.waitFor(async () => expect(await server.sql`select from provider_refunds where state = 'failed'`).toHaveLength(1), {
    timeout: 30_000,
  });
  expect(await result()).toBe("Not settled yet: 1");
  gateway.payments.get(payment.id)!.refunded = 50_000;
  gateway.settleRefund(refunds()[0]!.id, "processed");
  await becomes("Matches");
});
