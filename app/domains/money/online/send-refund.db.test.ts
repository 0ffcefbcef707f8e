import { expect, it } from "vitest";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { razorpay } from "#app/integrations/payments/razorpay.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { paise } from "#app/lib/money.ts";
import { startGateway } from "../../../../scripts/gateway/gateway.ts";
import { makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { refundPayment } from "../payments/refund-payment.server.ts";
import { applyOrder } from "./apply-order.server.ts";
import { sendRefund } from "./send-refund.server.ts";
import { startOrder } from "./start-order.server.ts";
import { sweepPayments } from "./sweep-payments.server.ts";

const { db, sql, ctx } = testDb();
const KEYS = { keyId: "rzp_test_1", keySecret: "key-secret-of-the-test" };

it("sends a refund by its job after the sweep tried it during an outage", async () => {
  await using gateway = await startGateway({ ...KEYS, webhookSecret: "webhook-secret", webhookUrl: null });
  const payments = razorpay({ ...KEYS, provider: "local", webhookSecrets: ["webhook-secret"], baseUrl: gateway.url });
  const [patient, doctor] = [await makePatient(db), await makeDoctor(db)];
  const visit = await makeVisit(db, { patient, doctor }, { status: "accepted" });
  const began = Date.now();
  const as = <A extends Actor | null>(actor: A, after = 0) => {
    const own = ctx(actor as Actor, new Date(began + after));
    return { ...own, integrations: { ...own.integrations, payments } } as Ctx<A>;
  };
  await startOrder(as(patient.actor), visit);
  const [order] = await sql<{ id: string; theirs: string }[]>`
    select id, provider_order_id as theirs from payment_orders where appointment_id = ${visit}`;
  gateway.attempt(order!.theirs, "pay");
  await applyOrder(as(null), order!.id);
  const [payment] = await sql<{ id: string }[]>`select id from payments where order_id = ${order!.id}`;
  await refundPayment(as(doctor.actor), {
    hospitalId: null,
    paymentId: payment!.id,
    method: "online",
    amount: paise(50_000),
    reason: "agreed",
    key: "refund-1",
  });
  const [refund] = await sql<{ id: string }[]>`select id from refunds where payment_id = ${payment!.id}`;
  const job = (after: number) =>
    sendRefund(as(null, after), refund!.id).then(
      () => null,
      (error: DomainError) => error.code,
    );

  gateway.behaviour.down = true;
  await sweepPayments(as(null));
  gateway.behaviour.down = false;
  // The sweep's claim lasts ten seconds. A job that ended here would leave the refund to the sweep of the next minute.
  expect(await job(seconds(1))).toBe("unavailable");
  expect(gateway.refunds.size).toBe(0);
  expect(await job(seconds(16))).toBeNull();
  expect([...gateway.refunds.values()].map(({ amount }) => amount)).toEqual([50_000]);
  expect(await job(seconds(17))).toBeNull();
  expect(gateway.refunds.size).toBe(1);
});
