/** Online payments and refunds of some days ago, ours and the test gateway's, and the reading of its settlement report. */
import type { Ctx } from "#app/domains/context.server.ts";
import { readSettlements } from "#app/domains/money/settlements/read-settlements.server.ts";
import type { Integrations } from "#app/integrations/index.server.ts";
import { razorpay } from "#app/integrations/payments/razorpay.server.ts";
import { days } from "#app/lib/durations.ts";
import type { Gateway } from "../../scripts/gateway/gateway.ts";
import { GATEWAY_KEYS } from "../setup/gateway.ts";
import { ownNow } from "../setup/own-day.ts";
import type { TestServer } from "../setup/server.ts";
import { dayFromNow, makePatient, makeVisit, newPhone, type Person } from "./people.ts";

type World = { server: Pick<TestServer, "db" | "sql">; gateway: Gateway };
let visits = 0;

/** Inserts a payment of ten days ago with its order and receipt. `n`: part of the provider's ids. `account`: it was transferred there. */
export async function paidBefore(
  { server, gateway }: World,
  n: string,
  {
    doctor,
    merchantId,
    name,
    amount,
    account = null,
  }: { doctor: Person; merchantId: string; name: string; amount: number; account?: string | null },
): Promise<{ orderId: string; paymentId: string }> {
  const patient = await makePatient(server.db, { phone: newPhone() });
  // Each visit on a day of its own: a time has one seat.
  const visit = await makeVisit(server.db, { patient, doctor }, { name, date: dayFromNow(-60 - visits++) });
  const at = new Date(ownNow().getTime() - days(10));
  gateway.payments.set(`pay_${n}`, { id: `pay_${n}`, orderId: `order_${n}`, amount, refunded: 0, status: "captured", at: at.getTime() });
  if (account) {
    const of = { id: `trf_${n}`, paymentId: `pay_${n}`, account, amount, reversed: 0, status: "processed", at: at.getTime() } as const;
    gateway.transferred.transfers.set(of.id, { ...of });
  }
  const [order] = await server.sql<{ id: string }[]>`insert into payment_orders
    (appointment_id, doctor_id, merchant_id, amount, provider, provider_order_id, transfer_account, state, expires_at, created_at)
    values (${visit}, ${doctor.id}, ${merchantId}, ${amount}, 'local', ${`order_${n}`}, ${account}, 'paid', ${at}, ${at}) returning id`;
  const [payment] = await server.sql<{ id: string }[]>`insert into payments
    (appointment_id, doctor_id, merchant_id, method, amount, order_id, provider_payment_id, idempotency_key, received_at)
    values (${visit}, ${doctor.id}, ${merchantId}, 'online', ${amount}, ${order!.id}, ${`pay_${n}`}, ${n}, ${at}) returning id`;
  await server.sql`insert into receipts (payment_id, merchant_id, financial_year, number, merchant_name, merchant_address)
    select ${payment!.id}, ${merchantId}, '2025-26', coalesce(max(number), 0) + 1, 'Clinic', 'Street' from receipts where merchant_id = ${merchantId}`;
  return { orderId: order!.id, paymentId: payment!.id };
}

/** Inserts a refund of a part of such a payment, processed by the provider. The payout account gave it back, if the payment was transferred. */
export async function returnedBefore({ server, gateway }: World, n: string, paymentId: string, amount: number): Promise<void> {
  const at = new Date(ownNow().getTime() - days(9));
  const id = `rfnd_${n}`;
  const refund = { id, paymentId: `pay_${n}`, amount, status: "processed", ownId: null, reference: null, at: at.getTime() } as const;
  gateway.refunds.set(id, { ...refund });
  gateway.transferred.reverse({ ...refund });
  gateway.payments.get(`pay_${n}`)!.refunded = amount;
  await server.sql.begin(async (tx) => {
    const [row] = await tx<{ id: string }[]>`insert into refunds (payment_id, method, amount, reason, idempotency_key, refunded_at)
      values (${paymentId}, 'online', ${amount}, 'agreed', ${n}, ${at}) returning id`;
    await tx`insert into provider_refunds (refund_id, provider, provider_refund_id, state, sent_at, settled_at)
      values (${row!.id}, 'local', ${id}, 'processed', ${at}, ${at})`;
    await tx`update payments set refunded = ${amount}, state = 'partly-refunded' where id = ${paymentId}`;
  });
}

/** The context of a job of a server with this gateway. */
export const gatewayCtx = ({ server, gateway }: World, now = new Date()): Ctx => ({
  db: server.db,
  actor: null,
  now,
  integrations: {
    payments: razorpay({ ...GATEWAY_KEYS, provider: "local", webhookSecrets: [GATEWAY_KEYS.webhookSecret], baseUrl: gateway.url }),
  } as Integrations,
  requestId: "test",
  ip: "",
});

/** Reads the settlement report as the job does. */
export const readReport = (world: World): Promise<void> => readSettlements(gatewayCtx(world));
