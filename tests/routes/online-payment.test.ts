/** Paying online over HTTP with the test gateway, which repeats, holds back and loses messages. Every paisa is applied or refunded. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CALM, type Gateway, startGateway } from "../../scripts/gateway/gateway.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { GATEWAY_KEYS, gatewayEnv } from "../setup/gateway.ts";
import { type Answer, raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

let gateway: Gateway;
let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let patient: LoggedIn;
const slots = Array.from({ length: 60 }, (_, n) => ({
  date: dayFromNow(3 + Math.floor(n / 30)),
  time: `${String(8 + Math.floor((n % 30) / 2)).padStart(2, "0")}:${n % 2 ? "30" : "00"}`,
}));

beforeAll(async () => {
  gateway = await startGateway({ ...GATEWAY_KEYS, webhookUrl: null });
  server = await startServer({
    seed: false,
    env: gatewayEnv(gateway),
  });
  await watchChanges(server);
  gateway.sendTo(`${server.url}/webhooks/local`);
  doctor = await makeDoctor(server.db, { slots });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(async () => {
  await server?.stop();
  await gateway?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  Object.assign(gateway.behaviour, CALM);
  // One patient books for all tests.
  await server.sql`delete from rate_limits`;
});

let used = 0;
const bookOne = async () => bookedId(await book(patient, doctor.id, slots[used++]!))!;
const pageOf = (visit: string) => `/patient/appointments/payment/${visit}`;
const seen = async (visit: string) => readable((await patient.get(pageOf(visit))).text);
/** Presses "Pay now" and reads the form to the provider, as a browser without scripts. */
async function openCheckout(visit: string) {
  const pressed = await patient.post(pageOf(visit), { method: "online" });
  expect(pressed.status).toBe(303);
  const page = await patient.get(pageOf(visit));
  const form = /<form[^>]*action="([^"]*checkout\/embedded)"[^>]*>([\s\S]*?)<\/form>/.exec(page.text);
  const fields = Object.fromEntries(
    [...(form?.[2] ?? "").matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  );
  return { page, action: form?.[1], fields, orderId: fields.order_id!, callback: new URL(fields.callback_url ?? "http://x").pathname };
}
/** Posts the result to us as the provider's page does: another origin and no cookies. */
const comeBack = (callback: string, fields: Record<string, string>) =>
  raw(server.url, {
    method: "POST",
    path: callback,
    headers: { "content-type": "application/x-www-form-urlencoded", origin: gateway.url, "sec-fetch-site": "cross-site" },
    body: new URLSearchParams(fields).toString(),
  });
/** Sends us a message with the provider's signature. */
const sendMessage = (body: string, id = "evt_test1") =>
  raw(server.url, {
    method: "POST",
    path: "/webhooks/local",
    headers: {
      "content-type": "application/json",
      "x-razorpay-event-id": id,
      "x-razorpay-signature": createHmac("sha256", GATEWAY_KEYS.webhookSecret).update(body).digest("hex"),
    },
    body,
  });
const resultOf = (payment: { id: string; orderId: string }) => ({
  razorpay_payment_id: payment.id,
  razorpay_order_id: payment.orderId,
  razorpay_signature: gateway.signatureOf(payment as never),
});
const moneyOf = async (visit: string) => ({
  payments:
    await server.sql`select amount::int, refunded::int, state, unseatable from payments where appointment_id = ${visit} order by received_at, id`,
  refunds: await server.sql`select r.amount::int, r.reason, pr.state from refunds r join payments p on p.id = r.payment_id
    left join provider_refunds pr on pr.refund_id = r.id where p.appointment_id = ${visit} order by r.refunded_at, r.id`,
});
const within = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 40_000, interval: 200 });
const cancelAsDoctor = async (visit: string): Promise<Answer> => asDoctor.post(`/doctor/appointments/${visit}/cancel`, {});
/** The sums that must hold at any time: balanced transfers, and what the provider has is what our ledger says. */
async function expectBalanced(visit: string) {
  expect(
    await server.sql`select e.transfer_id from ledger_entries e join payments p on p.id = e.payment_id where p.appointment_id = ${visit}
      group by 1 having sum(e.amount) <> 0`,
  ).toHaveLength(0);
  const [ours] =
    await server.sql`select coalesce(sum(e.amount), 0)::int as online from ledger_entries e join payments p on p.id = e.payment_id
    where p.appointment_id = ${visit} and e.account = 'online'`;
  const own = await server.sql`select provider_order_id as id from payment_orders where appointment_id = ${visit}`;
  const theirs = [...gateway.payments.values()]
    .filter(({ orderId, status }) => own.some(({ id }) => id === orderId) && ["captured", "refunded"].includes(status))
    .reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);
  expect(ours!.online).toBe(theirs);
}

describe("paying online", () => {
  it("leads to the provider's page and back, and gives a receipt", async () => {
    const visit = await bookOne();
    expect(await seen(visit)).toContain("Pay ₹500 now");
    const checkout = await openCheckout(visit);
    expect(checkout.action).toBe(`${gateway.url}/v1/checkout/embedded`);
    expect(checkout.page.headers.get("content-security-policy")).toContain(`form-action 'self' ${gateway.url}`);
    const hosted = await fetch(checkout.action!, { method: "POST", body: new URLSearchParams(checkout.fields) });
    expect(await hosted.text()).toContain("500.00 rupees");
    const back = await comeBack(checkout.callback, resultOf(gateway.attempt(checkout.orderId, "pay")));
    expect([back.status, back.headers.location]).toEqual([303, pageOf(visit)]);
    expect(await seen(visit)).toMatch(/You paid ₹500 ₹500, Online, .* Receipt \S+ Your payment is recorded\..* See your appointment/s);
    const { payments } = await moneyOf(visit);
    expect(payments).toMatchObject([{ amount: 50_000, refunded: 0, state: "captured" }]);
    expect(readable((await patient.get("/patient/payments")).text)).toContain("₹500");
    await gateway.quiet();
    await within(async () => expect(await server.sql`select from payment_events where applied_at is null`).toHaveLength(0));
    await expectBalanced(visit);
  });
  it("refuses a result with a wrong signature or of another order, and changes nothing", async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    const result = { razorpay_payment_id: "pay_x", razorpay_order_id: orderId, razorpay_signature: "0".repeat(64) };
    expect((await comeBack(callback, result)).status).toBe(403);
    const other = { ...resultOf({ id: "pay_x", orderId: "order_of_another" }) };
    expect((await comeBack(callback, other)).status).toBe(403);
    expect((await comeBack("/payments/return/00000000-0000-4000-8000-000000000000", result)).status).toBe(404);
    expect(await seen(visit)).not.toContain("still confirming");
    expect((await moneyOf(visit)).payments).toHaveLength(0);
  });
  it("asks the provider when the patient says that they paid, and shows paid, not yet, or failed", async () => {
    // No message arrives: only the question finds what happened.
    gateway.behaviour.held = true;
    const press = async (visit: string) => {
      await server.sql`delete from rate_limits`;
      return readable((await patient.follow(await patient.post(pageOf(visit), { method: "check" }))).text);
    };
    const none = /Checked at \d+:\d\d [AP]M: your payment is not confirmed yet/;
    const [lost, slow, failed] = [await bookOne(), await bookOne(), await bookOne()];
    const ofLost = await openCheckout(lost);
    expect(await seen(lost)).toContain("I have paid: check now");
    expect(await press(lost)).toMatch(none);
    gateway.attempt(ofLost.orderId, "pay");
    const paid = await press(lost);
    expect(paid).toContain("You paid ₹500");
    expect(paid).not.toMatch(none);

    const ofSlow = await openCheckout(slow);
    const payment = gateway.attempt(ofSlow.orderId, "slow");
    await comeBack(ofSlow.callback, resultOf(payment));
    const waiting = await patient.get(pageOf(slow));
    expect(readable(waiting.text)).toMatch(/Your bank is confirming the payment Your bank is still confirming .* Checked at .* Check now/);
    expect(waiting.text).toMatch(/<noscript><meta http-equiv="refresh" content="10"/i);
    expect(await press(slow)).toMatch(none);
    gateway.capture(payment.id);
    expect(await press(slow)).toContain("You paid ₹500");

    const ofFailed = await openCheckout(failed);
    gateway.attempt(ofFailed.orderId, "fail");
    const again = await press(failed);
    expect(again).toContain("The last payment did not go through.");
    expect(again).not.toMatch(none);
    await gateway.release();
  });
  it("learns of a payment from the message when the patient loses the network", async () => {
    const visit = await bookOne();
    const { orderId } = await openCheckout(visit);
    gateway.attempt(orderId, "lost");
    await within(async () => expect(await seen(visit)).toContain("Your payment is recorded."));
    await gateway.quiet();
    await expectBalanced(visit);
  });
  it("says that the bank is confirming, and not to pay again", async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    const payment = gateway.attempt(orderId, "slow");
    expect((await comeBack(callback, resultOf(payment))).status).toBe(303);
    const page = await patient.get(pageOf(visit));
    expect(readable(page.text)).toContain("Your bank is still confirming the payment. No action is needed");
    expect(page.text).toContain('http-equiv="refresh"');
    expect(page.text).not.toContain("checkout/embedded");
    // Every list says so, and no page offers to pay again.
    for (const path of [pageOf(visit), `/patient/appointments/${visit}`, "/patient/calendar"]) {
      const { text } = await patient.get(path);
      const words = readable(text);
      expect(words, path).toMatch(/Your bank is (still )?confirming the payment/);
      if (path === "/patient/calendar") continue;
      expect(text, path).not.toMatch(/name="method" value="(?!check")/);
      for (const offer of ["Choose how to pay", "Pay ₹500", "Pay at the clinic", "Change how you pay"])
        expect(words, path).not.toContain(offer);
    }
    const handled = readable((await asDoctor.get(`/doctor/patient/${visit}`)).text);
    expect(handled).toMatch(/Bank confirming.*Do not take the money again/s);
    expect(handled).not.toContain("Record payment");
    // The clinic can take the money while the bank does not answer.
    expect(handled).toContain("Patient pays here instead");
    expect(readable((await asDoctor.get(`/doctor/patient/${visit}/payment`)).text)).toContain(
      "Do not take the money again. If the bank takes too long, you can take the money here.",
    );
    gateway.capture(payment.id);
    await within(async () => expect(await seen(visit)).toContain("Your payment is recorded."));
  });
  it("offers another attempt after the bank refused", async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    gateway.attempt(orderId, "fail");
    expect((await comeBack(callback, { "error[code]": "BAD_REQUEST_ERROR" })).status).toBe(303);
    expect(await seen(visit)).toContain("The last payment did not go through.");
    const again = await openCheckout(visit);
    expect(again.orderId).toBe(orderId);
    expect((await comeBack(again.callback, resultOf(gateway.attempt(orderId, "pay")))).status).toBe(303);
    expect(await seen(visit)).toContain("Your payment is recorded.");
  });
  it("uses one order for two tabs, and refunds the second of two payments", async () => {
    const visit = await bookOne();
    const [one, two] = await Promise.all([openCheckout(visit), openCheckout(visit)]);
    expect(one.orderId).toBe(two.orderId);
    const paid = [gateway.attempt(one.orderId, "pay"), gateway.attempt(two.orderId, "pay")];
    await Promise.all(paid.map((payment) => comeBack(one.callback, resultOf(payment))));
    await within(async () => {
      const { payments, refunds } = await moneyOf(visit);
      expect(payments.map(({ state }) => state).sort()).toEqual(["captured", "refunded"]);
      expect(refunds).toEqual([{ amount: 50_000, reason: "duplicate", state: "processed" }]);
    });
    expect(await seen(visit)).toContain("Your payment is recorded.");
    await gateway.quiet();
    await expectBalanced(visit);
  });
  it("refunds money that comes after the appointment was cancelled", async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    expect((await cancelAsDoctor(visit)).status).toBe(303);
    const back = await comeBack(callback, resultOf(gateway.attempt(orderId, "pay")));
    expect(back.status).toBe(303);
    await within(async () => {
      const { payments, refunds } = await moneyOf(visit);
      expect(payments).toMatchObject([{ unseatable: true, state: "refunded" }]);
      expect(refunds).toEqual([{ amount: 50_000, reason: "unseatable", state: "processed" }]);
    });
    for (const path of [`/patient/appointments/${visit}`, back.headers.location!]) {
      const page = readable((await patient.get(path)).text);
      expect(page).toContain("Your payment of ₹500 came after this appointment was cancelled. All of it goes back to you.");
      expect(page).toMatch(/Refund of ₹500 was sent to your bank on .* Bank reference: RRN/);
      expect(page).not.toContain("nothing to pay");
    }
    await gateway.quiet();
    await expectBalanced(visit);
  });
  it("says what happens to a late payment while the bank is confirming it, and while its refund is under way", async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    expect((await cancelAsDoctor(visit)).status).toBe(303);
    // Also when the policy owes nothing for the cancellation itself.
    await server.sql`update appointments set refund_owed = false where id = ${visit}`;
    expect(await seen(visit)).toContain("This appointment is no longer open, so there is nothing to pay.");
    gateway.behaviour.refundsAtOnce = false;
    const payment = gateway.attempt(orderId, "slow");
    expect((await comeBack(callback, resultOf(payment))).status).toBe(303);
    const waiting = await patient.get(pageOf(visit));
    expect(readable(waiting.text)).toContain("Your bank is still confirming a payment for this cancelled appointment.");
    expect(readable(waiting.text)).not.toContain("nothing to pay");
    expect(waiting.text).toContain('http-equiv="refresh"');
    gateway.capture(payment.id);
    await within(async () => expect(await seen(visit)).toMatch(/Refund of ₹500 started on /));
    for (const path of [pageOf(visit), `/patient/appointments/${visit}`]) {
      const page = readable((await patient.get(path)).text);
      expect(page).toContain("Your payment of ₹500 came after this appointment was cancelled.");
      expect(page).not.toMatch(/nothing to pay|too late for a refund/);
    }
  });
  it("says that the provider is down, and finds an order whose creation was not answered", async () => {
    const visit = await bookOne();
    gateway.behaviour.down = true;
    const pressed = await patient.post(pageOf(visit), { method: "online" });
    expect(pressed.status).toBe(503);
    expect(readable(pressed.text)).toContain("Our payment partner is not available right now.");
    Object.assign(gateway.behaviour, CALM, { losesAnswers: true });
    const before = gateway.orders.size;
    expect((await patient.post(pageOf(visit), { method: "online" })).status).toBe(503);
    expect(gateway.orders.size).toBe(before + 1);
    Object.assign(gateway.behaviour, CALM);
    await openCheckout(visit);
    expect(gateway.orders.size).toBe(before + 1);
  });
  it("ends an order that the provider refuses, and opens another one at the next press", async () => {
    const other = await loginAs(server, { role: "patient", phone: newPhone() });
    const visit = bookedId(await book(other, doctor.id, slots[used++]!))!;
    gateway.behaviour.refusesOrders = true;
    const pressed = await other.post(pageOf(visit), { method: "online" });
    expect(pressed.status).toBe(503);
    expect(readable(pressed.text)).toContain("Our payment partner is not available right now.");
    const states = () => server.sql`select state from payment_orders where appointment_id = ${visit} order by created_at`;
    expect(await states()).toEqual([{ state: "failed" }]);
    gateway.behaviour.refusesOrders = false;
    expect((await other.post(pageOf(visit), { method: "online" })).status).toBe(303);
    expect(await states()).toEqual([{ state: "failed" }, { state: "created" }]);
  });
  it("shows nothing to other users, and starts nothing for them", async () => {
    const visit = await bookOne();
    const stranger = await loginAs(server, { role: "patient", phone: newPhone() });
    expect((await stranger.post(pageOf(visit), { method: "online" })).status).toBe(404);
    expect(await server.sql`select from payment_orders where appointment_id = ${visit}`).toHaveLength(0);
  });
});

describe("refunds", () => {
  const paid = async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    const payment = gateway.attempt(orderId, "pay");
    await comeBack(callback, resultOf(payment));
    await gateway.quiet();
    return { visit, payment };
  };
  it("start by themselves when the doctor cancels, once, also when the provider's answer is lost", async () => {
    const { visit, payment } = await paid();
    gateway.behaviour.losesAnswers = true;
    gateway.behaviour.refundsAtOnce = false;
    expect((await cancelAsDoctor(visit)).status).toBe(303);
    await within(async () => expect(gateway.payments.get(payment.id)!.refunded).toBe(50_000));
    Object.assign(gateway.behaviour, CALM);
    await within(async () =>
      expect(
        await server.sql`select from provider_refunds pr join refunds r on r.id = pr.refund_id join payments p on p.id = r.payment_id
        where p.appointment_id = ${visit} and pr.sent_at is not null`,
      ).toHaveLength(1),
    );
    expect(readable((await patient.get(`/patient/appointments/${visit}`)).text)).toContain("Banks usually need 5 to 7 working days.");
    const [refund] = [...gateway.refunds.values()].filter(({ paymentId }) => paymentId === payment.id);
    gateway.settleRefund(refund!.id, "processed");
    await within(async () => expect((await moneyOf(visit)).refunds).toEqual([{ amount: 50_000, reason: "cancelled", state: "processed" }]));
    expect([...gateway.refunds.values()].filter(({ paymentId }) => paymentId === payment.id)).toHaveLength(1);
    await expectBalanced(visit);
  });
  it("made in the provider's dashboard arrive once, in part and in full", async () => {
    const { visit, payment } = await paid();
    gateway.behaviour.copies = 3;
    gateway.dashboardRefund(payment.id, 12_345);
    await within(async () => expect((await moneyOf(visit)).payments).toMatchObject([{ refunded: 12_345, state: "partly-refunded" }]));
    gateway.dashboardRefund(payment.id, 50_000 - 12_345);
    await within(async () => expect((await moneyOf(visit)).payments).toMatchObject([{ refunded: 50_000, state: "refunded" }]));
    await gateway.quiet();
    expect((await moneyOf(visit)).refunds.map(({ reason }) => reason)).toEqual(["dashboard", "dashboard"]);
    await expectBalanced(visit);
  });
  it("are sent by the doctor in part, by the way the patient paid", async () => {
    const { visit } = await paid();
    const [{ id }] = (await server.sql`select id from payments where appointment_id = ${visit}`) as unknown as [{ id: string }];
    const path = `/doctor/payments/${id}/refund`;
    const form = await asDoctor.get(path);
    expect(readable(form.text)).toContain("returns the money to the way the patient paid");
    const key = /name="key" value="([\w-]+)"/.exec(form.text)![1]!;
    const refund = { key, method: "online", amount: "100", reason: "agreed" };
    expect((await asDoctor.post(path, refund)).status).toBe(303);
    expect((await asDoctor.post(path, refund)).status).toBe(303);
    expect((await asDoctor.post(path, { ...refund, key: `${key}x`, reason: "mistake" })).status).toBe(400);
    await within(async () => expect((await moneyOf(visit)).refunds).toEqual([{ amount: 10_000, reason: "agreed", state: "processed" }]));
    // Nothing is due again after the rest was returned, so no page asks for it.
    expect((await asDoctor.post(path, { ...refund, key: `${key}y`, amount: "400" })).status).toBe(303);
    for (const page of [pageOf(visit), `/patient/appointments/${visit}`])
      expect(readable((await patient.get(page)).text), page).not.toMatch(/How would you like to pay|Choose how to pay|Pay ₹500/);
    expect(await seen(visit)).toContain("There is nothing to pay for this appointment.");
    for (const method of ["online", "clinic"]) expect((await patient.post(pageOf(visit), { method })).status).toBe(409);
    await gateway.quiet();
    await expectBalanced(visit);
  });
});

describe("a refund that fails", () => {
  it("is sent again, or returned by the clinic in another way, and the patient is notified once of each step", async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    const payment = gateway.attempt(orderId, "pay");
    await comeBack(callback, resultOf(payment));
    gateway.behaviour.refundsAtOnce = false;
    expect((await cancelAsDoctor(visit)).status).toBe(303);
    const own = () => [...gateway.refunds.values()].filter(({ paymentId }) => paymentId === payment.id);
    await within(async () => expect(own()).toHaveLength(1));
    gateway.settleRefund(own()[0]!.id, "failed");
    await within(async () => expect((await moneyOf(visit)).refunds).toMatchObject([{ state: "failed" }]));
    const ofPatient = `/patient/appointments/${visit}`;
    expect(readable((await patient.get(ofPatient)).text)).toContain("We send it again. You need not do anything.");
    const [{ id }] = (await server.sql`select id from payments where appointment_id = ${visit}`) as unknown as [{ id: string }];
    const path = `/doctor/payments/${id}/refund`;
    const ofDoctor = readable((await asDoctor.get(`/doctor/patient/${visit}`)).text);
    expect(ofDoctor).toContain("Refund did not go through");
    // What the patient does not have is not called refunded.
    expect(ofDoctor).toContain("Refund failed");
    expect(ofDoctor).not.toContain("Refunded: ₹500");
    for (const text of [ofDoctor, readable((await patient.get("/patient/payments")).text)]) expect(text).toContain("₹500 not returned yet");
    const formOf = async () => {
      const { text } = await asDoctor.get(path);
      expect(readable(text)).toContain("Choose how you return the money now.");
      const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!;
      return { key: value("key"), failed: value("failed"), amount: value("amount"), reason: value("reason") };
    };
    // Not for other doctors.
    const other = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
    const form = await formOf();
    expect((await other.post(path, { ...form, method: "cash" })).status).toBe(404);
    // Sent again, with a key of its own, and refused by the bank again.
    expect((await asDoctor.post(path, { ...form, method: "online" })).status).toBe(303);
    await within(async () => expect(own()).toHaveLength(2));
    expect(new Set(own().map(({ ownId }) => ownId)).size).toBe(2);
    expect((await asDoctor.post(path, { ...form, key: `${form.key}2`, method: "cash" })).status).toBe(409);
    gateway.settleRefund(own()[1]!.id, "failed");
    await within(async () => expect((await moneyOf(visit)).refunds).toMatchObject([{ state: "failed" }]));
    const cash = { ...(await formOf()), method: "cash" };
    const pressed = await Promise.all([asDoctor.post(path, cash), asDoctor.post(path, cash)]);
    expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
    expect((await moneyOf(visit)).refunds.map(({ state }) => state)).toEqual(["withdrawn", null]);
    expect((await moneyOf(visit)).payments).toMatchObject([{ refunded: 50_000, state: "refunded" }]);
    const receipt = readable((await patient.get(`/patient/payments/${id}`)).text);
    expect(receipt).toContain("Cash");
    expect(receipt).not.toContain("did not go through");
    await gateway.quiet();
    await expectBalanced(visit);
    const kinds =
      await server.sql`select kind, count(*)::int from notifications where params->>'appointment' = ${visit} and kind ~ '^(payment|refund)-'
      group by 1 order by 1`;
    expect(kinds).toEqual([
      { kind: "payment-received", count: 1 },
      { kind: "refund-started", count: 1 },
    ]);
  });
  it("is followed by notifications of the end: done, or money that came too late", async () => {
    const of = (kind: string) => server.sql`select params from notifications where kind = ${kind}`;
    const [done, late] = [await of("refund-done"), await of("payment-late")];
    // Of the tests above, each once.
    const processed = await server.sql`select from provider_refunds where state = 'processed'`;
    expect(done.length).toBe(processed.length);
    expect(done[0]!.params).toMatchObject({ amount: expect.stringContaining("₹"), reference: expect.stringMatching(/^RRN/) });
    expect(late.length).toBe((await server.sql`select from payments where unseatable`).length);
    expect(late.length).toBeGreaterThan(0);
    const text = readable((await patient.get("/patient/notifications")).text);
    for (const title of ["Payment received", "Refund sent", "Payment goes back to you"]) expect(text).toContain(title);
  });
});

describe("a return from the provider, and a message", () => {
  let before: LoggedIn;
  beforeAll(async () => {
    before = patient;
    patient = await loginAs(server, { role: "patient", phone: newPhone() });
  });
  afterAll(() => {
    patient = before;
  });
  it("asks the provider once when a patient comes back again and again, and not about a paid order", async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    const asked = () => gateway.calls.filter((call) => call === `GET /v1/orders/${orderId}/payments`).length;
    for (let i = 0; i < 5; i++) expect((await comeBack(callback, {})).status).toBe(303);
    expect(asked()).toBe(1);
    const result = resultOf(gateway.attempt(orderId, "pay"));
    expect((await comeBack(callback, result)).status).toBe(303);
    expect(await seen(visit)).toContain("Your payment is recorded.");
    await gateway.quiet();
    // Each message has a job that asks too, also after the first of them has applied all.
    await within(async () =>
      expect(
        await server.sql`select 1 from pgboss.job j join payment_orders o on o.id::text = j.data->>'orderId'
        where j.name = 'payment-order' and j.state <> 'completed' and o.provider_order_id = ${orderId}`,
      ).toHaveLength(0),
    );
    const before = asked();
    for (const fields of [result, {}, result]) expect((await comeBack(callback, fields)).status).toBe(303);
    expect(asked()).toBe(before);
  });
  it("does not make a patient wait for a provider that does not answer", async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    gateway.behaviour.slowMs = 60_000;
    const payment = gateway.attempt(orderId, "slow");
    expect((await comeBack(callback, resultOf(payment))).status).toBe(303);
    expect(await seen(visit)).toContain("Your bank is still confirming the payment. No action is needed");
    gateway.behaviour.slowMs = 0;
    gateway.capture(payment.id);
    await within(async () => expect(await seen(visit)).toContain("Your payment is recorded."));
  });
  it("books nothing that the provider's own answer does not contain", async () => {
    const visit = await bookOne();
    const { orderId } = await openCheckout(visit);
    const entity = { id: "pay_unknown1", order_id: orderId, status: "captured", captured: true, amount: 1, currency: "USD", created_at: 1 };
    for (const [n, change] of [{}, { amount: 50_000, currency: "INR" }].entries()) {
      const body = JSON.stringify({ event: "payment.captured", payload: { payment: { entity: { ...entity, ...change } } }, created_at: n });
      expect((await sendMessage(body)).status).toBe(200);
    }
    const abroad = gateway.attempt(orderId, "slow");
    abroad.currency = "USD";
    gateway.capture(abroad.id);
    await gateway.quiet();
    await within(async () =>
      expect(
        await server.sql`select 1 from payment_events e join payment_orders o on o.id = e.order_id
        where o.provider_order_id = ${orderId} and e.applied_at is null`,
      ).toHaveLength(0),
    );
    expect((await moneyOf(visit)).payments).toEqual([]);
    expect(await server.sql`select state from payment_orders where provider_order_id = ${orderId}`).toEqual([{ state: "created" }]);
  });
  it("knows a message by its bytes, not by the id in a header that is not signed", async () => {
    const visit = await bookOne();
    const { orderId } = await openCheckout(visit);
    const entity = {
      id: "pay_again12",
      order_id: orderId,
      status: "failed",
      captured: false,
      amount: 50_000,
      currency: "INR",
      created_at: 1,
    };
    const body = JSON.stringify({ event: "payment.failed", payload: { payment: { entity } } });
    for (const id of ["evt_one1", "evt_two2", "evt_one1"]) expect((await sendMessage(body, id)).status).toBe(200);
    expect(
      await server.sql`select 1 from payment_events e join payment_orders o on o.id = e.order_id where o.provider_order_id = ${orderId}`,
    ).toHaveLength(1);
  });
});

describe("a refund of a part", () => {
  const paid = async () => {
    const visit = await bookOne();
    const { callback, orderId } = await openCheckout(visit);
    const payment = gateway.attempt(orderId, "pay");
    await comeBack(callback, resultOf(payment));
    await gateway.quiet();
    const [{ id }] = (await server.sql`select id from payments where appointment_id = ${visit}`) as unknown as [{ id: string }];
    return { visit, payment, path: `/doctor/payments/${id}/refund` };
  };
  type Paid = Awaited<ReturnType<typeof paid>>;
  const valueIn = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!;
  /** Refunds rupees by the way the patient paid. Returns the refund of the provider. */
  const refund = async ({ payment, path }: Paid, amount: number) => {
    const known = new Set(gateway.refunds.keys());
    const key = valueIn((await asDoctor.get(path)).text, "key");
    expect((await asDoctor.post(path, { key, method: "online", amount: String(amount), reason: "agreed" })).status).toBe(303);
    const made = () => [...gateway.refunds.values()].find((one) => one.paymentId === payment.id && !known.has(one.id));
    await within(async () => expect(made()).toBeDefined());
    return made()!;
  };
  const settle = async ({ visit }: Paid, id: string, state: "processed" | "failed") => {
    gateway.settleRefund(id, state);
    const row = () => server.sql<{ state: string }[]>`select pr.state from provider_refunds pr join refunds r on r.id = pr.refund_id
      join payments p on p.id = r.payment_id where p.appointment_id = ${visit} and pr.provider_refund_id = ${id}`;
    await within(async () => expect((await row())[0]?.state).toBe(state));
  };
  const returnInCash = async ({ path }: Paid) => {
    const { text } = await asDoctor.get(path);
    const fields = Object.fromEntries(["key", "failed", "amount", "reason"].map((name) => [name, valueIn(text, name)]));
    expect((await asDoctor.post(path, { ...fields, method: "cash" })).status).toBe(303);
  };
  const paymentOf = async ({ visit }: Paid) => (await moneyOf(visit)).payments[0];
  beforeEach(() => void Object.assign(gateway.behaviour, { refundsAtOnce: false }));

  it("that fails is returned in another way, and leaves the refunds before it", async () => {
    const one = await paid();
    await settle(one, (await refund(one, 100)).id, "processed");
    await settle(one, (await refund(one, 50)).id, "failed");
    await returnInCash(one);
    expect(await paymentOf(one)).toMatchObject({ refunded: 15_000, state: "partly-refunded" });
    await settle(one, (await refund(one, 350)).id, "failed");
    expect(await paymentOf(one)).toMatchObject({ refunded: 50_000, state: "refunded" });
    await returnInCash(one);
    expect(await paymentOf(one)).toMatchObject({ refunded: 50_000, state: "refunded" });
    expect((await moneyOf(one.visit)).refunds.map(({ amount, state }) => [amount, state])).toEqual([
      [10_000, "processed"],
      [5_000, "withdrawn"],
      [5_000, null],
      [35_000, "withdrawn"],
      [35_000, null],
    ]);
    await gateway.quiet();
    await expectBalanced(one.visit);
  });
  it("that is the only one and fails is returned in another way", async () => {
    const one = await paid();
    await settle(one, (await refund(one, 100)).id, "failed");
    await returnInCash(one);
    expect(await paymentOf(one)).toMatchObject({ refunded: 10_000, state: "partly-refunded" });
    await gateway.quiet();
    await expectBalanced(one.visit);
  });
  it("is done when the bank accepts it after it had failed", async () => {
    const one = await paid();
    const { id, amount } = await refund(one, 100);
    await settle(one, id, "failed");
    gateway.payments.get(one.payment.id)!.refunded += amount;
    await settle(one, id, "processed");
    expect(await paymentOf(one)).toMatchObject({ refunded: 10_000, state: "partly-refunded" });
    await gateway.quiet();
    await expectBalanced(one.visit);
  });
  it("made in the provider's dashboard ends without a trace on the payment when it fails", async () => {
    const one = await paid();
    const { id } = gateway.dashboardRefund(one.payment.id, 20_000);
    await within(async () => expect(await paymentOf(one)).toMatchObject({ refunded: 20_000, state: "partly-refunded" }));
    gateway.settleRefund(id, "failed");
    await within(async () => expect(await paymentOf(one)).toMatchObject({ refunded: 0, state: "captured" }));
    expect((await moneyOf(one.visit)).refunds).toMatchObject([{ reason: "dashboard", state: "withdrawn" }]);
    await gateway.quiet();
    await expectBalanced(one.visit);
  });
});

it("ends an order when less is due, and returns what is then paid with it", async () => {
  const visit = await bookOne();
  const old = await openCheckout(visit);
  const desk = `/doctor/patient/${visit}/payment`;
  const key = /name="key" value="([\w-]+)"/.exec((await asDoctor.get(desk)).text)![1]!;
  expect((await asDoctor.post(desk, { key, method: "cash", amount: "100" })).status).toBe(303);
  const next = await openCheckout(visit);
  expect(next.orderId).not.toBe(old.orderId);
  const states = () => server.sql`select amount::int, state from payment_orders where appointment_id = ${visit} order by created_at`;
  expect(await states()).toEqual([
    { amount: 50_000, state: "expired" },
    { amount: 40_000, state: "created" },
  ]);
  await comeBack(next.callback, resultOf(gateway.attempt(next.orderId, "pay")));
  gateway.attempt(old.orderId, "lost");
  await within(async () => expect((await states()).map(({ state }) => state)).toEqual(["paid", "paid"]));
  await within(async () => {
    const { payments, refunds } = await moneyOf(visit);
    expect(payments.map(({ amount, state }) => [amount, state]).sort()).toEqual([
      [10_000, "captured"],
      [40_000, "captured"],
      [50_000, "refunded"],
    ]);
    expect(refunds).toMatchObject([{ amount: 50_000, state: "processed" }]);
  });
  await gateway.quiet();
  await expectBalanced(visit);
});

describe("messages", () => {
  it("lead to the same state when they come late, repeated and in reverse order", async () => {
    const visit = await bookOne();
    const { orderId } = await openCheckout(visit);
    Object.assign(gateway.behaviour, { held: true, copies: 3 });
    const payment = gateway.attempt(orderId, "lost");
    gateway.dashboardRefund(payment.id, 20_000);
    await gateway.release();
    await within(async () => expect((await moneyOf(visit)).payments).toMatchObject([{ refunded: 20_000, state: "partly-refunded" }]));
    await within(async () => expect(await server.sql`select from payment_events where applied_at is null`).toHaveLength(0));
    expect((await moneyOf(visit)).payments).toHaveLength(1);
    await expectBalanced(visit);
  });
  it("are refused with a wrong signature, for an unknown order, over the size limit and for another provider", async () => {
    const visit = await bookOne();
    const { orderId } = await openCheckout(visit);
    const before = await server.sql`select from payment_events`;
    gateway.behaviour.wrongSignature = true;
    const sent = gateway.delivered.length;
    gateway.attempt(orderId, "slow");
    await gateway.quiet();
    expect(gateway.delivered.slice(sent).map(({ status }) => status)).toEqual([401]);
    const headers = { "content-type": "application/json", "x-razorpay-signature": "0".repeat(64) };
    const post = (path: string, body: string) => raw(server.url, { method: "POST", path, headers, body });
    expect((await post("/webhooks/local", " ".repeat(300 * 1024))).status).toBe(413);
    expect((await post("/webhooks/razorpay", "{}")).status).toBe(404);
    expect((await raw(server.url, { path: "/webhooks/local" })).status).toBe(405);
    expect(await server.sql`select from payment_events`).toHaveLength(before.length);
    await expect.poll(() => server.logs().some(({ msg }) => msg === "a payment message was refused")).toBe(true);
  });
  it("hold no name or address of the payer in clear", async () => {
    const rows = await server.sql`select * from payment_events`;
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).not.toContain("payer@");
  });
});

it("records one event for each state change of these pages, messages and jobs, and takes each transition of the state tables", () =>
  expectEveryTransition(server, ["payment", "payment-order", "provider-refund"], {
    "payment-order.pay from failed": "the provider refused the order, so it cannot be paid",
  }));
