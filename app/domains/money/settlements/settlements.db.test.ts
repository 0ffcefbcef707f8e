import { randomInt, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { razorpay } from "#app/integrations/payments/razorpay.server.ts";
import { days, hours } from "#app/lib/durations.ts";
import { startGateway } from "../../../../scripts/gateway/gateway.ts";
import { makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { paidBefore } from "../../../../tests/factories/settled-payments.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { listOwnSettlements } from "./own-settlements.server.ts";
import { listMismatches } from "./queries.server.ts";
import { readSettlements } from "./read-settlements.server.ts";

const { db, sql, ctx } = testDb();
const KEYS = { keyId: "rzp_test_1", keySecret: "key-secret-of-the-test" };
const COUNT = 400;
const NOW = new Date();
const ago = (n: number) => new Date(NOW.getTime() - days(n));

it("finds every planted mismatch among several hundred lines, and only those", async () => {
  await using gateway = await startGateway({ ...KEYS, webhookSecret: "webhook-secret", webhookUrl: null });
  const provider = razorpay({ ...KEYS, provider: "local", webhookSecrets: ["webhook-secret"], baseUrl: gateway.url });
  const own = ctx(null, NOW);
  const asked = { ...own, integrations: { ...own.integrations, payments: provider } };
  const [patient, doctor] = [await makePatient(db), await makeDoctor(db)];
  const visit = await makeVisit(db, { patient, doctor });

  // Random payments of the last weeks, a third of them with a refund, half of them transferred. The last ones are not due yet.
  for (let n = 0; n < COUNT; n++) {
    const amount = randomInt(10_000, 200_000);
    const at = ago(n < 350 ? randomInt(9, 30) : randomInt(0, 6)).getTime();
    const id = `pay_${n}`;
    const refunded = n % 3 === 0 ? randomInt(1, amount + 1) : 0;
    gateway.payments.set(id, { id, orderId: `order_${n}`, amount, refunded, status: refunded === amount ? "refunded" : "captured", at });
    if (refunded)
      gateway.refunds.set(`rfnd_${n}`, {
        id: `rfnd_${n}`,
        paymentId: id,
        amount: refunded,
        status: "processed",
        ownId: null,
        reference: null,
        at,
      });
    if (n % 2) continue;
    const { transfers, reversals } = gateway.transferred;
    const transferId = `trf_${n}`;
    transfers.set(transferId, { id: transferId, paymentId: id, account: "acc_1", amount, reversed: refunded, status: "processed", at });
    if (refunded) reversals.set(`rvrsl_${n}`, { id: `rvrsl_${n}`, transferId, paymentId: id, refundId: `rfnd_${n}`, amount: refunded, at });
  }
  await storeOurs();

  // What is due is paid out on twenty days.
  gateway.report.settle(NOW.getTime());
  const { lines } = gateway.report;
  lines.splice(0, lines.length, ...lines.filter(({ entity_id }) => Number(entity_id.split("_")[1]) < 350));
  for (const [n, line] of lines.entries()) line.settled_at -= Math.floor(hours(24 * (n % 20)) / 1000);

  /** By kind and id as a mismatch has them. */
  const planted = new Map<string, string>();
  const plant = (mismatch: string, n: number) => {
    const line = lines[n]!;
    const [number, moved] = [
      Number(line.entity_id.split("_")[1]),
      ["payment", "reversal"].includes(line.type) ? "credit" : "debit",
    ] as const;
    // The line of a transfer whose money went back is covered by compare.test.ts.
    if (mismatch === "missing-in-theirs" && line.type === "transfer" && number % 3 === 0) return;
    if (mismatch === "missing-in-ours") {
      const type = ["payment", "refund", "transfer", "reversal", "adjustment"][n % 5]!;
      planted.set(`${type} adj_${n}`, mismatch);
      lines.push({ ...line, entity_id: `adj_${n}`, type, payment_id: `pay_unknown${n}` });
      return;
    }
    const lost = { transfer: `pay_${number}`, reversal: `rfnd_${number}` }[line.type] ?? line.entity_id;
    planted.set(`${line.type} ${mismatch === "missing-in-theirs" ? lost : line.entity_id}`, mismatch);
    if (mismatch === "missing-in-theirs") line.settlement_utr = null;
    else if (mismatch === "settled-twice") lines.push({ ...line, settlement_id: `setl_again${n}` });
    else if (mismatch === "amount-differs") {
      line.amount += 1;
      line[moved] += 1;
    } else line[moved] -= 1;
  };
  const kinds = ["missing-in-theirs", "settled-twice", "amount-differs", "wrong-sum", "missing-in-ours"];
  const many = lines.length;
  for (let n = randomInt(0, 7); n < many; n += randomInt(1, 12)) plant(kinds[randomInt(0, kinds.length)]!, n);
  for (const [n, kind] of kinds.entries()) if (![...planted.values()].includes(kind)) plant(kind, n);

  await readSettlements(asked);
  const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;
  const found = await listMismatches(asked, ago(45));
  expect(new Map(found.map((one) => [keyOf(one), one.mismatch]))).toEqual(planted);
  expect(planted.size).toBeGreaterThan(20);
  for (const kind of ["payment", "refund", "transfer", "reversal"]) expect(found.some((one) => one.kind === kind)).toBe(true);

  // Reading again stores nothing twice, and without a provider nothing is read.
  const rows = () => sql`select count(*)::int as n from settlement_lines`.then(([row]) => row!.n);
  const before = await rows();
  expect(before).toBe(lines.filter((line) => line.settlement_utr).length);
  await readSettlements(asked);
  expect(await rows()).toBe(before);
  expect(await listMismatches({ ...own, integrations: { ...own.integrations, payments: null } }, ago(45))).toEqual([]);

  // A line that gets its bank reference later is read then.
  const late = [...planted].find(([, kind]) => kind === "missing-in-theirs")![0];
  const lost = lines.filter(({ settlement_utr }) => settlement_utr === null);
  for (const line of lost) Object.assign(line, { settlement_utr: "UTRLATE", settled_at: Math.floor(ago(2).getTime() / 1000) });
  await readSettlements(asked);
  const after = await listMismatches(asked, ago(45));
  expect(after.map(keyOf)).not.toContain(late);
  expect(after.some(({ mismatch }) => mismatch === "missing-in-theirs")).toBe(false);

  gateway.behaviour.down = true;
  await expect(readSettlements(asked)).rejects.toMatchObject({ code: "unavailable" });
  await expect(sql`update settlement_lines set credit = credit + 1`).rejects.toThrow("append-only");
  await expect(sql`delete from settlement_lines`).rejects.toThrow("append-only");

  /** Stores what the gateway has as our payments and refunds. */
  async function storeOurs(): Promise<void> {
    const all = [...gateway.payments.values()].map((payment) => ({
      ...payment,
      key: randomUUID(),
      own: randomUUID(),
      transfer: gateway.transferred.ofPayment(payment.id)[0]?.account ?? null,
      refund: gateway.refunds.has(payment.id.replace("pay", "rfnd")) ? payment.id.replace("pay", "rfnd") : null,
      at: new Date(payment.at).toISOString(),
    }));
    const rows = sql`jsonb_to_recordset(${JSON.stringify(all)}::text::jsonb)
      as x(id text, "orderId" text, amount bigint, refunded bigint, key uuid, own uuid, refund text, transfer text, at timestamptz)`;
    await sql.begin(async (tx) => {
      await tx`insert into payment_orders (id, appointment_id, doctor_id, merchant_id, amount, provider, provider_order_id, transfer_account, state,
          expires_at)
        select x.key, ${visit}, ${doctor.id}, ${doctor.id}, x.amount, 'local', x."orderId", x.transfer, 'paid', x.at from ${rows}`;
      await tx`insert into payments (id, appointment_id, doctor_id, merchant_id, method, amount, refunded, state, order_id, provider_payment_id,
          idempotency_key, received_at)
        select x.own, ${visit}, ${doctor.id}, ${doctor.id}, 'online', x.amount, x.refunded,
          case x.refunded when 0 then 'captured' when x.amount then 'refunded' else 'partly-refunded' end, x.key, x.id, x.id, x.at from ${rows}`;
      await tx`insert into refunds (id, payment_id, method, amount, reason, idempotency_key, refunded_at)
        select x.key, x.own, 'online', x.refunded, 'cancelled', x.id, x.at from ${rows} where x.refund is not null`;
      await tx`insert into provider_refunds (refund_id, provider, provider_refund_id, state, sent_at, settled_at)
        select x.key, 'local', x.refund, 'processed', x.at, x.at from ${rows} where x.refund is not null`;
    });
  }
});

it("leaves the platform fee its own share of the provider's fee", async () => {
  await using gateway = await startGateway({ ...KEYS, webhookSecret: "webhook-secret", webhookUrl: null });
  const provider = razorpay({ ...KEYS, provider: "local", webhookSecrets: ["webhook-secret"], baseUrl: gateway.url });
  const doctor = await makeDoctor(db);
  const own = ctx(doctor.actor, NOW);
  const asked = { ...own, integrations: { ...own.integrations, payments: provider } };
  const of = { doctor, merchantId: doctor.id, name: "Asha", amount: 50_000 };
  const { paymentId } = await paidBefore({ server: { db, sql }, gateway }, "fee", of);
  await sql`update payments set platform_fee = 2000 where id = ${paymentId}`;
  gateway.payments.get("pay_fee")!.amount = 52_000;
  gateway.report.settle(NOW.getTime());
  await readSettlements(asked);
  const { rows } = await listOwnSettlements(asked, { hospitalId: null, page: 1 });
  // Of the fee of ₹12.27 the platform bears ₹0.47: 2.36 % of ₹20.
  expect(rows[0]).toMatchObject({ received: 50_000, fee: 1_180, tax: 180, paidOut: 48_820 });
});
