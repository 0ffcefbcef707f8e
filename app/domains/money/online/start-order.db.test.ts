import { expect, it } from "vitest";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { razorpay } from "#app/integrations/payments/razorpay.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { startGateway } from "../../../../scripts/gateway/gateway.ts";
import { makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { startOrder } from "./start-order.server.ts";

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
