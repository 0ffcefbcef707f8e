/** An appointment that is paid online at the test gateway, for tests of transfers to payout accounts. */
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { applyOrder } from "#app/domains/money/online/apply-order.server.ts";
import { startOrder } from "#app/domains/money/online/start-order.server.ts";
import { sweepPayments } from "#app/domains/money/online/sweep-payments.server.ts";
import { refundPayment } from "#app/domains/money/payments/refund-payment.server.ts";
import { razorpay } from "#app/integrations/payments/razorpay.server.ts";
import { paise } from "#app/lib/money.ts";
import type { PlatformFee } from "#app/lib/platform-fee.ts";
import { startGateway } from "../../scripts/gateway/gateway.ts";
import { makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import type { testDb } from "./test-db.ts";

const KEYS = { keyId: "rzp_test_1", keySecret: "key-secret-of-the-test" };
export const NOW = new Date();

/** Makes an appointment of a doctor, and a gateway. `later` moves the clock. `provider.platformFee` may be changed. */
export async function transferWorld({ db, sql, ctx }: ReturnType<typeof testDb>, platformFee: PlatformFee | null = null) {
  const gateway = await startGateway({ ...KEYS, webhookSecret: "webhook-secret", webhookUrl: null });
  const client = razorpay({ ...KEYS, provider: "local", webhookSecrets: ["webhook-secret"], baseUrl: gateway.url });
  const payments = { ...client, platformFee };
  const [patient, doctor] = [await makePatient(db), await makeDoctor(db)];
  const visit = await makeVisit(db, { patient, doctor }, { status: "accepted" });
  let now = NOW;
  function as(actor: Actor): Ctx<Actor>;
  function as(actor?: null): Ctx;
  function as(actor: Actor | null = null): Ctx {
    const own = ctx(actor as Actor, now);
    return { ...own, integrations: { ...own.integrations, payments } };
  }
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const orders = () =>
    sql<{ id: string; theirs: string | null; state: string; account: string | null }[]>`select id, provider_order_id as theirs, state,
      transfer_account as account from payment_orders where appointment_id = ${visit} order by created_at, id`;
  const order = () => startOrder(as(patient.actor), visit);
  /** Pays the newest order and returns our payment. */
  const pay = async () => {
    await order();
    const { id, theirs } = (await orders()).at(-1)!;
    gateway.attempt(theirs!, "pay");
    await applyOrder(as(), id);
    const [payment] = await sql<
      { id: string; theirs: string }[]
    >`select id, provider_payment_id as theirs from payments where order_id = ${id}`;
    return payment!;
  };
  let key = 0;
  const refund = (paymentId: string, amount: number) =>
    refundPayment(as(doctor.actor), {
      hospitalId: null,
      paymentId,
      method: "online",
      amount: paise(amount),
      reason: "agreed",
      key: `refund-${++key}`,
    });
  const sweep = () => sweepPayments(as());
  const refunds = () =>
    sql<{ id: string; amount: number; state: string | null; attempt: number | null; tries: number | null }[]>`select r.id, r.amount::int,
      pr.state, pr.attempt, pr.tries from refunds r join payments p on p.id = r.payment_id left join provider_refunds pr on pr.refund_id = r.id
      where p.appointment_id = ${visit} order by r.refunded_at, r.id`;
  return {
    ...{ gateway, provider: payments, patient, doctor, visit, as, later, orders, order, pay, refund, sweep, refunds },
    /** What the linked accounts of the gateway have; and what they gave back in each reversal. */
    transferred: () =>
      [...gateway.transferred.transfers.values()].map(({ account, amount, reversed }) => ({ account, left: amount - reversed })),
    reversed: () => [...gateway.transferred.reversals.values()].map(({ amount }) => amount),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}
export type TransferWorld = Awaited<ReturnType<typeof transferWorld>>;
