import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { paise } from "#app/lib/money.ts";
import { httpStub, type Reply } from "../../../tests/mocks/http-stub.ts";
import { razorpay } from "./razorpay.server.ts";

const SECRET = "key-secret-of-the-test";
const make = (baseUrl = "https://api.razorpay.test", limit = 400) =>
  razorpay({ provider: "razorpay", keyId: "rzp_test_1", keySecret: SECRET, webhookSecrets: ["new-secret", "old-secret"], baseUrl }, limit);
const json = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) });
const order = {
  id: "order_1",
  entity: "order",
  amount: 45_000,
  amount_paid: 0,
  currency: "INR",
  status: "created",
  notes: [],
  created_at: 1_790_000_000,
};
const payment = {
  id: "pay_1",
  entity: "payment",
  amount: 45_000,
  currency: "INR",
  status: "captured",
  order_id: "order_1",
  method: "upi",
  captured: true,
  amount_refunded: 0,
  vpa: "patient@bank",
  fee: 1062,
  tax: 162,
  notes: [],
  created_at: 1_790_000_000,
};
const refund = {
  id: "rfnd_1",
  payment_id: "pay_1",
  amount: 45_000,
  status: "processed",
  receipt: null,
  notes: { nadi_refund: "own-1" },
  acquirer_data: { arn: "74332745012345678901234" },
  created_at: 1_790_000_100,
};
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(DomainError);
      expect(`${String(error)} ${(error as Error).cause}`).not.toContain(SECRET);
      return (error as DomainError).code;
    },
  );

describe("Razorpay's wire format", () => {
  it("creates an order with our id, whole paise and the parts of linked accounts", async () => {
    await using stub = await httpStub(() => json(order));
    const transfers = [{ account: "acc_1", amount: paise(45_000) }];
    expect(await make(stub.url).createOrder({ ownId: "own-1", amount: paise(45_000), transfers })).toEqual({
      id: "order_1",
      amount: 45_000,
      amountPaid: 0,
      status: "created",
    });
    const [call] = stub.seen;
    expect(call).toMatchObject({ method: "POST", path: "/v1/orders" });
    expect(call!.headers.authorization).toBe(`Basic ${Buffer.from(`rzp_test_1:${SECRET}`).toString("base64")}`);
    expect(JSON.parse(String(call!.body))).toMatchObject({
      amount: 45_000,
      currency: "INR",
      receipt: "own-1",
      payment: { capture: "automatic" },
      transfers: [{ account: "acc_1", amount: 45_000, currency: "INR", on_hold: false }],
    });
  });
  it("finds an order by our id after a lost response", async () => {
    await using stub = await httpStub((_, nth) => json({ items: nth === 1 ? [order] : [] }));
    const provider = make(stub.url);
    expect(await provider.findOrder("own-1")).toMatchObject({ id: "order_1" });
    expect(await provider.findOrder("own-2")).toBeNull();
    expect(stub.seen.map(({ path }) => path)).toEqual(["/v1/orders?receipt=own-1", "/v1/orders?receipt=own-2"]);
  });
  it("reads payments without the payer's address", async () => {
    await using stub = await httpStub(() => json({ entity: "collection", count: 1, items: [payment] }));
    const payments = await make(stub.url).fetchPayments("order_1");
    expect(payments).toMatchObject([
      { id: "pay_1", orderId: "order_1", status: "captured", amount: 45_000, captured: true, fee: 1062, tax: 162 },
    ]);
    expect(JSON.stringify(payments)).not.toContain("patient@bank");
  });
  it("refunds with an idempotency key, and reads our id and the bank's reference", async () => {
    await using stub = await httpStub(() => json(refund));
    const made = await make(stub.url).refund({
      paymentId: "pay_1",
      amount: paise(45_000),
      ownId: "own-1",
      key: "own-1-1",
      reverseAll: true,
    });
    expect(made).toMatchObject({
      id: "rfnd_1",
      paymentId: "pay_1",
      status: "processed",
      ownId: "own-1",
      reference: "74332745012345678901234",
    });
    expect(stub.seen[0]!.path).toBe("/v1/payments/pay_1/refund");
    expect(stub.seen[0]!.headers["x-refund-idempotency"]).toBe("own-1-1");
    expect(JSON.parse(String(stub.seen[0]!.body))).toMatchObject({ amount: 45_000, reverse_all: 1, notes: { nadi_refund: "own-1" } });
  });
  it("transfers a part of a payment with our id, and never repeats it", async () => {
    const item = { id: "trf_1", entity: "transfer", source: "pay_1", recipient: "acc_1", amount: 20_000, notes: { nadi_refund: "own-1" } };
    await using stub = await httpStub((_, nth) => (nth === 1 ? json({ entity: "collection", items: [item] }) : json({}, 502)));
    const of = { paymentId: "pay_1", account: "acc_1", amount: paise(20_000), ownId: "own-1" };
    expect(await make(stub.url).transfer(of)).toEqual({ id: "trf_1", state: "processed", ownId: "own-1", reversed: 0 });
    expect(stub.seen[0]).toMatchObject({ method: "POST", path: "/v1/payments/pay_1/transfers" });
    expect(JSON.parse(String(stub.seen[0]!.body))).toEqual({
      transfers: [{ account: "acc_1", amount: 20_000, currency: "INR", on_hold: false, notes: { nadi_refund: "own-1" } }],
    });
    expect(await codeOf(make(stub.url).transfer(of))).toBe("unavailable");
    expect(stub.seen).toHaveLength(2);
  });
  it("reads the transfers of a payment, and which failed", async () => {
    const transfer = { id: "trf_1", entity: "transfer", source: "pay_1", recipient: "acc_1", amount: 45_000, currency: "INR" };
    const items = [
      { ...transfer, amount_reversed: 10_000, status: "partially_reversed" },
      { ...transfer, id: "trf_2", amount_reversed: 0, status: "failed", notes: { nadi_refund: "own-2" } },
      { ...transfer, id: "trf_3", amount_reversed: 0, status: "created", notes: [] },
    ];
    await using stub = await httpStub(() => json({ entity: "collection", count: 2, items }));
    expect(await make(stub.url).fetchTransfers("pay_1")).toEqual([
      { id: "trf_1", state: "processed", ownId: null, reversed: 10_000 },
      { id: "trf_2", state: "failed", ownId: "own-2", reversed: 0 },
      { id: "trf_3", state: "pending", ownId: null, reversed: 0 },
    ]);
    expect(stub.seen[0]!.path).toBe("/v1/payments/pay_1/transfers");
  });
  describe("settlements of linked accounts", () => {
    const settlement = {
      id: "setl_1",
      entity: "settlement",
      amount: 44_000,
      status: "processed",
      fees: 0,
      tax: 0,
      utr: "CN0038699836",
      created_at: 1_790_000_200,
    };
    const transfer = {
      id: "trf_1",
      entity: "transfer",
      status: "partially_reversed",
      source: "pay_1",
      recipient: "acc_1",
      amount: 45_000,
      currency: "INR",
      amount_reversed: 1_000,
      fees: 3,
      tax: 0,
      notes: [],
      on_hold: false,
      recipient_settlement_id: "setl_1",
      recipient_settlement: settlement,
      created_at: 1_790_000_000,
      processed_at: 1_790_000_000,
    };
    const known = {
      id: "setl_1",
      amount: 44_000,
      fee: 0,
      tax: 0,
      reference: "CN0038699836",
      settledAt: new Date(1_790_000_200_000),
    };
    const period = { from: new Date(1_790_000_000_000), to: new Date(1_790_086_400_000) };

    it("are read with the transfers of a period, page by page", async () => {
      const full = Array.from({ length: 100 }, () => transfer);
      await using stub = await httpStub((_, nth) => json({ entity: "collection", items: nth === 1 ? full : [transfer] }));
      const transfers = await make(stub.url).listAccountTransfers(period);
      expect(transfers).toHaveLength(101);
      expect(transfers[0]).toEqual({
        id: "trf_1",
        account: "acc_1",
        sourceId: "pay_1",
        amount: 45_000,
        reversed: 1_000,
        settlement: known,
      });
      const query = "/v1/transfers?expand[]=recipient_settlement&from=1790000000&to=1790086399&count=100&skip=";
      expect(stub.seen.map(({ path }) => path)).toEqual([`${query}0`, `${query}100`]);
    });
    it("are read with all their transfers", async () => {
      await using stub = await httpStub(() => json({ items: [{ ...transfer, source: "order_1" }] }));
      expect(await make(stub.url).listTransfersOfSettlement("setl_1")).toMatchObject([{ sourceId: "order_1", settlement: known }]);
      expect(stub.seen[0]!.path).toBe("/v1/transfers?expand[]=recipient_settlement&recipient_settlement_id=setl_1&count=100&skip=0");
    });
    it.each([
      ["none", null],
      ["not processed", { ...settlement, status: "created" }],
      ["failed", { ...settlement, status: "failed" }],
      ["without the bank's reference", { ...settlement, utr: null }],
    ])("are not settled: %s", async (_, recipient_settlement) => {
      await using stub = await httpStub(() => json({ items: [{ ...transfer, amount_reversed: null, recipient_settlement }] }));
      expect(await make(stub.url).listAccountTransfers(period)).toMatchObject([{ reversed: 0, settlement: null }]);
    });
    it.each([
      ["a fraction of a paisa", { ...transfer, amount: 450.5 }],
      ["a negative amount", { ...transfer, recipient_settlement: { ...settlement, amount: -1 } }],
      ["no recipient", { ...transfer, recipient: null }],
      ["no date", { ...transfer, recipient_settlement: { ...settlement, created_at: null } }],
    ])("are refused with %s", async (_, item) => {
      await using stub = await httpStub(() => json({ items: [item] }));
      expect(await codeOf(make(stub.url).listAccountTransfers(period))).toBe("unavailable");
    });
  });
  it("reads transfers and reversals in a settlement report with their payment", async () => {
    const moved = { amount: 45_000, fee: 0, tax: 0, credit: 0, debit: 45_000, payment_id: "pay_1", order_id: null };
    const items = [
      { ...moved, entity_id: "trf_1", type: "transfer", fee: 296, tax: 46, debit: 45_296 },
      { ...moved, entity_id: "rvrsl_1", type: "reversal", credit: 45_000, debit: 0 },
      { ...moved, entity_id: "rvrsl_2", type: "another_word", credit: 45_000, debit: 0 },
      { ...moved, entity_id: "adj_1", type: "adjustment", payment_id: null },
    ];
    await using stub = await httpStub(() => json({ items }));
    const lines = await make(stub.url).listSettlementLines({ year: 2026, month: 11, day: 22 });
    expect(lines.map(({ id, kind, paymentId }) => [id, kind, paymentId])).toEqual([
      ["trf_1", "transfer", "pay_1"],
      ["rvrsl_1", "reversal", "pay_1"],
      ["rvrsl_2", "reversal", "pay_1"],
      ["adj_1", "adjustment", null],
    ]);
  });
  it("reads a settlement report page by page", async () => {
    const line = {
      entity_id: "pay_1",
      type: "payment",
      amount: 45_000,
      fee: 1062,
      tax: 162,
      credit: 43_938,
      debit: 0,
      settlement_id: "setl_1",
      settled_at: 1_790_000_000,
      settlement_utr: "UTR1",
    };
    await using stub = await httpStub((_, nth) => json({ items: nth === 1 ? Array.from({ length: 500 }, () => line) : [line] }));
    const lines = await make(stub.url).listSettlementLines({ year: 2026, month: 11, day: 22 });
    expect(lines).toHaveLength(501);
    expect(lines[0]).toMatchObject({ kind: "payment", paymentId: "pay_1", credit: 43_938, settlementId: "setl_1", reference: "UTR1" });
    expect(stub.seen[1]!.path).toBe("/v1/settlements/recon/combined?year=2026&month=11&day=22&count=500&skip=500");
  });
  it("posts to the hosted page without scripts", () =>
    expect(
      make().hostedCheckout({
        providerOrderId: "order_1",
        amount: paise(45_000),
        name: "Nadi",
        returnUrl: "https://a/r",
        cancelUrl: "https://a/c",
      }),
    ).toEqual({
      action: "https://api.razorpay.test/v1/checkout/embedded",
      fields: {
        key_id: "rzp_test_1",
        amount: "45000",
        currency: "INR",
        order_id: "order_1",
        name: "Nadi",
        callback_url: "https://a/r",
        cancel_url: "https://a/c",
      },
    }));
});

describe("a failing provider", () => {
  it("reads once more, and never repeats a write", async () => {
    await using stub = await httpStub(({ method }, nth) => (method === "GET" && nth > 1 ? json(order) : json({}, 502)));
    expect(await make(stub.url).fetchOrder("order_1")).toMatchObject({ id: "order_1" });
    expect(stub.seen).toHaveLength(2);
    await using down = await httpStub(() => json({}, 502));
    expect(await codeOf(make(down.url).refund({ paymentId: "pay_1", amount: paise(1), ownId: "o", key: "k" }))).toBe("unavailable");
    expect(await codeOf(make(down.url).createOrder({ ownId: "o", amount: paise(1) }))).toBe("unavailable");
    expect(down.seen).toHaveLength(2);
  });
  it.each<[string, Reply, string]>([
    ["hangs", "hang", "unavailable"],
    ["drops the connection", "drop", "unavailable"],
    ["limits our calls", json({}, 429), "unavailable"],
    ["does not accept the key", json({ error: { code: "BAD_REQUEST_ERROR" } }, 401), "unavailable"],
    ["sends an amount with a fraction", json({ ...order, amount: 450.5 }), "unavailable"],
    ["sends a page", { body: "<html>" }, "unavailable"],
    ["sends an endless response", { body: `"${"x".repeat(600 * 1024)}"` }, "unavailable"],
    ["refuses", json({ error: { code: "BAD_REQUEST_ERROR", description: "patient@bank" } }, 400), "conflict"],
  ])("%s: an error with its kind only", async (_, reply, code) => {
    await using stub = await httpStub(() => reply);
    expect(await codeOf(make(stub.url, 200).createOrder({ ownId: "own-1", amount: paise(45_000) }))).toBe(code);
  });
});

describe("signatures", () => {
  const signed = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");
  const body = '{"event":"payment.captured","note":"अ"}';
  it("are accepted with the new and the previous webhook secret, over the bytes as they came", () => {
    const { verifyWebhook } = make();
    for (const secret of ["new-secret", "old-secret"]) expect(verifyWebhook(Buffer.from(body), signed(secret, body))).toBe(true);
    expect(verifyWebhook(Buffer.from(JSON.stringify(JSON.parse(body), null, 1)), signed("new-secret", body))).toBe(false);
    for (const signature of ["", "x", signed("other", body), `${signed("new-secret", body)}00`, signed("new-secret", body).slice(2)])
      expect(verifyWebhook(Buffer.from(body), signature)).toBe(false);
  });
  it("of the returning patient cover order and payment", () => {
    const { verifyReturn } = make();
    const signature = signed(SECRET, "order_1|pay_1");
    expect(verifyReturn({ orderId: "order_1", paymentId: "pay_1", signature })).toBe(true);
    expect(verifyReturn({ orderId: "order_1", paymentId: "pay_2", signature })).toBe(false);
    expect(verifyReturn({ orderId: "order_2", paymentId: "pay_1", signature })).toBe(false);
  });
});
