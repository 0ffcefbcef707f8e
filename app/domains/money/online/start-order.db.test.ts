import { describe, expect, it } from "vitest";
import { getPatientAppointment } from "#app/domains/booking/appointments/patient-queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { razorpay } from "#app/integrations/payments/razorpay.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { paise } from "#app/lib/money.ts";
import { startGateway } from "../../../../scripts/gateway/gateway.ts";
import { makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { listOrders } from "../checks/queries.server.ts";
import { listConfirming } from "../payments/queries.server.ts";
import { getReconciledDay } from "../reconciliation/queries.server.ts";
import { getPayView } from "./pay-view.server.ts";
import { receiveReturn } from "./receive-return.server.ts";
import { startOrder } from "./start-order.server.ts";
import { sweepPayments } from "./sweep-payments.server.ts";

const { db, sql, ctx } = testDb();
const KEYS = { keyId: "rzp_test_1", keySecret: "key-secret-of-the-test" };

it("opens a limited number of orders for each patient, and uses an open one again", async () => {
  await using gateway = await startGateway({ ...KEYS, webhookSecret: "webhook-secret", webhookUrl: null });
  const payments = razorpay({ ...KEYS, provider: "local", webhookSecrets: ["webhook-secret"], baseUrl: gateway.url });
  const [patient, other, doctor] = [await makePatient(db), await makePatient(db), await makeDoctor(db)];
  const [visit, theirs] = [await makeVisit(db, { patient, doctor }), await makeVisit(db, { patient: other, doctor }, { time: "11:00" })];
  const as = (actor: Actor): Ctx<Actor> => {
    const own = ctx(actor);
    return { ...own, integrations: { ...own.integrations, payments } };
  };
  const press = (actor: Actor, id: string) =>
    startOrder(as(actor), id).then(
      () => null,
      (error: DomainError) => error.code,
    );
  for (let n = 1; n <= 20; n++) {
    expect([await press(patient.actor, visit), await press(patient.actor, visit)]).toEqual([null, null]);
    expect(gateway.orders.size).toBe(n);
    await sql`update payment_orders set state = 'expired' where appointment_id = ${visit}`;
  }
  expect(await press(patient.actor, visit)).toBe("too-many");
  expect(gateway.orders.size).toBe(20);
  expect(await press(other.actor, theirs)).toBeNull();
});

describe("an order that has expired, with a payment at the bank", () => {
  async function expired() {
    const gateway = await startGateway({ ...KEYS, webhookSecret: "webhook-secret", webhookUrl: null });
    const payments = razorpay({ ...KEYS, provider: "local", webhookSecrets: ["webhook-secret"], baseUrl: gateway.url });
    const [patient, doctor] = [await makePatient(db), await makeDoctor(db)];
    const id = await makeVisit(db, { patient, doctor });
    const start = Date.now();
    const at = (min: number, actor: Actor | null = patient.actor) => {
      const own = ctx(actor as Actor, new Date(start + minutes(min)));
      return { ...own, integrations: { ...own.integrations, payments } };
    };
    await startOrder(at(0), id);
    const [order] = await sql`select id, provider_order_id as theirs from payment_orders where appointment_id = ${id}`;
    await sweepPayments(at(31, null));
    expect(await stateOf(id)).toBe("expired");
    const back = (min: number, paymentId: string, signature: string) =>
      receiveReturn(at(min), { orderId: order!.id, result: { orderId: order!.theirs, paymentId, signature } });
    const read = async (min: number) => ({
      page: (await getPayView(at(min), id, paise(50_000), "https://nadi.test"))!.state,
      list: (await getPatientAppointment(at(min), id)).confirming,
    });
    const press = (min: number) =>
      startOrder(at(min), id).then(
        () => null,
        (error: DomainError) => error.code,
      );
    return { gateway, order: order!, id, at, back, read, press, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
  }
  const stateOf = async (id: string) => (await sql`select state from payment_orders where appointment_id = ${id}`)[0]!.state;

  it("is not paid again until the bank has answered", async () => {
    await using world = await expired();
    const { gateway, order, id, at, back, read, press } = world;
    const payment = gateway.attempt(order.theirs, "slow");
    const asAdmin = ctx(await makeStaff(db, "admin"));
    const unsettled = async () => (await getReconciledDay(asAdmin, todayInIndia(at(0).now), 1)).figures.unsettled;
    const before = await unsettled();
    await back(32, payment.id, gateway.signatureOf(payment));
    expect(await unsettled()).toBe(before + 1);
    expect(await read(32)).toEqual({ page: "confirming", list: true });
    expect(await listConfirming(at(32))).toMatchObject([{ id }]);
    expect(await press(33)).toBe("conflict");
    // The bank reserved the money: it stays so for as long as the provider says so, and administrators see it.
    await sweepPayments(at(90, null));
    expect(await read(90)).toEqual({ page: "confirming", list: true });
    const { rows } = await listOrders({ ...asAdmin, now: at(90).now }, { tab: "attention", page: 1, order: order.id });
    expect(rows).toMatchObject([{ state: "expired", confirming: true, problems: [{ problem: "open" }] }]);
    gateway.capture(payment.id);
    await sweepPayments(at(92, null));
    expect(await stateOf(id)).toBe("paid");
    expect(await sql`select amount::int, refunded::int from payments where appointment_id = ${id}`).toEqual([
      { amount: 50_000, refunded: 0 },
    ]);
  });
  it("can be paid again after the bank gave the money back, or after 15 minutes in which the provider knows of no payment", async () => {
    await using world = await expired();
    const { gateway, order, at, back, read, press } = world;
    const payment = gateway.attempt(order.theirs, "slow");
    await back(32, payment.id, gateway.signatureOf(payment));
    gateway.releaseReserved(payment.id);
    await sweepPayments(at(34, null));
    expect(await read(34)).toEqual({ page: "new", list: false });
    // The provider's list does not have the payment of this return.
    gateway.payments.clear();
    await back(35, "pay_unknown", gateway.signatureOf({ ...payment, id: "pay_unknown" }));
    expect(await read(35)).toEqual({ page: "confirming", list: true });
    gateway.behaviour.down = true;
    await sweepPayments(at(55, null));
    expect(await read(55)).toEqual({ page: "confirming", list: true });
    gateway.behaviour.down = false;
    await sweepPayments(at(57, null));
    expect(await read(57)).toEqual({ page: "new", list: false });
    expect(await press(57)).toBeNull();
  });
});
