/** /admin/payments: orders that need attention, the messages of the provider, and asking again. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Gateway, startGateway } from "../../scripts/gateway/gateway.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makeStaff, newPhone, type TestDoctor } from "../factories/people.ts";
import { GATEWAY_KEYS, gatewayEnv } from "../setup/gateway.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let gateway: Gateway;
let server: TestServer;
let doctor: TestDoctor;
let patient: LoggedIn;
let asAdmin: LoggedIn;
const phone = newPhone();
const times = ["09:00", "09:30", "10:00", "10:30"];

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
beforeEach(() => Object.assign(gateway.behaviour, { down: false, copies: 1, held: false }));

const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
/** Books and opens an order. Returns our ids and the provider's. */
async function openOrder() {
  const visit = (await bookedId(await book(patient, doctor.id, { date: dayFromNow(3), time: times.shift()! })))!;
  expect((await patient.post(`/patient/appointments/payment/${visit}`, { method: "online" })).status).toBe(303);
  const [order] = await server.sql<{ id: string; theirs: string }[]>`
    select id, provider_order_id as theirs from payment_orders where appointment_id = ${visit}`;
  return { visit, ...order! };
}
const paymentsOf = (visit: string) => server.sql`select amount::int, state from payments where appointment_id = ${visit}`;
const pageOf = async (query = "") => readable((await asAdmin.get(`/admin/payments${query}`)).text);

describe("payments for administrators", () => {
  it("names an order that is stuck, and asking again brings its payment, once", async () => {
    const { visit, id, theirs } = await openOrder();
    expect(await pageOf()).toContain("No order needs attention");
    // The bank has the money, the message is lost and the provider does not answer.
    Object.assign(gateway.behaviour, { copies: 0 });
    gateway.attempt(theirs, "lost");
    gateway.behaviour.down = true;
    await server.sql`update payment_orders set expires_at = now() - interval '1 hour' where id = ${id}`;
    const stuck = await pageOf();
    expect(stuck).toContain("the bank is still confirming, or the payment partner did not answer");
    expect(stuck).toContain(theirs);
    const one = await asAdmin.get(`/admin/payments?order=${id}`);
    expect(readable(one.text)).toContain("No message with a valid signature has come.");
    // From the order to the appointment, and back.
    const [{ reference } = { reference: "" }] = await server.sql<{ reference: string }[]>`
      select payment_reference as reference from appointments where id = ${visit}`;
    expect(one.text).toContain(`href="/admin/appointments/${visit}"`);
    expect(one.text).toContain(reference);
    expect((await asAdmin.get("/admin")).text).toMatch(/Orders that were not solved/);
    const of = await asAdmin.get(`/admin/appointments/${visit}`);
    expect(of.text).toContain(`href="/admin/payments?order=${id}"`);
    expect(readable(of.text)).toMatch(new RegExp(`Online payment of ₹500 opened .*${theirs}`));
    const refused = await asAdmin.post("/admin/payments", { id });
    expect(refused.status).toBe(503);
    expect(await paymentsOf(visit)).toHaveLength(0);
    gateway.behaviour.down = false;
    const pressed = await Promise.all([asAdmin.post("/admin/payments", { id }), asAdmin.post("/admin/payments", { id })]);
    expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
    expect((await asAdmin.post("/admin/payments", { id })).status).toBe(303);
    expect(await paymentsOf(visit)).toEqual([{ amount: 50_000, state: "captured" }]);
    expect(await server.sql`select from receipts r join payments p on p.id = r.payment_id where p.appointment_id = ${visit}`).toHaveLength(
      1,
    );
    expect(await pageOf()).toContain("No order needs attention");
    const audit = await server.sql`select actor_role, person_id from audit_log where action = 'check-payment' and subject_id = ${visit}`;
    expect(audit).toHaveLength(4);
    expect(audit).toContainEqual({ actor_role: "admin", person_id: patient.userId });
  });
  it("shows each message with its time, and no personal data and no secret", async () => {
    const { id, theirs } = await openOrder();
    gateway.attempt(theirs, "pay");
    await gateway.quiet();
    expect((await asAdmin.post("/admin/payments?tab=all", { id })).location).toBe("/admin/payments?tab=all");
    const detail = `/admin/payments?order=${id}`;
    expect((await asAdmin.post(detail, { id })).location).toBe(detail);
    expect((await asAdmin.get("/admin/payments?tab=all")).text).toContain(theirs);
    const answer = await asAdmin.get(detail);
    const text = readable(answer.text);
    const events = await server.sql<{ id: string }[]>`select event_id as id from payment_events where order_id = ${id}`;
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(text).toContain(event.id);
    expect(text).toMatch(/payment\.captured[\s\S]*Valid signature\. Received .* applied /);
    for (const secret of [phone, doctor.email, GATEWAY_KEYS.keySecret, GATEWAY_KEYS.webhookSecret])
      expect(answer.text).not.toContain(secret);
  });
  it("is for administrators only, and an unknown order is not found", async () => {
    const { id, visit, theirs } = await openOrder();
    Object.assign(gateway.behaviour, { copies: 0 });
    const reviewer = await loginAs(server, { role: "reviewer", email: await emailOf((await makeStaff(server.db, "reviewer")).userId) });
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    for (const browser of [patient, asDoctor, reviewer])
      for (const path of ["/admin/payments", "/admin/payments.data", "/admin/payments?tab=all"]) {
        expect((await browser.get(path)).text).not.toContain(theirs);
        expect([202, 303, 403, 404]).toContain((await browser.post(path, { id })).status);
      }
    expect(await server.sql`select from audit_log where action = 'check-payment' and subject_id = ${visit}`).toHaveLength(0);
    expect((await asAdmin.post("/admin/payments", { id: crypto.randomUUID() })).status).toBe(404);
    expect((await asAdmin.post("/admin/payments", { id: "nonsense" })).status).toBe(400);
  });
  it("names a refund that failed, with what follows", async () => {
    const { visit, id, theirs } = await openOrder();
    gateway.attempt(theirs, "pay");
    expect((await asAdmin.post("/admin/payments", { id })).status).toBe(303);
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    gateway.behaviour.down = true;
    await asDoctor.post(`/doctor/appointments/${visit}/cancel`, {});
    // As after the fourth attempt; the sweep leaves such a refund to the clinic.
    await vi.waitFor(
      async () =>
        expect(
          await server.sql`update provider_refunds pr set state = 'failed', attempt = 4, settled_at = now() from refunds r
            join payments p on p.id = r.payment_id where r.id = pr.refund_id and p.appointment_id = ${visit} returning r.id`,
        ).toHaveLength(1),
      { timeout: 40_000, interval: 200 },
    );
    expect(await pageOf()).toContain("The refund of ₹500 failed for the fourth time");
  });
});
