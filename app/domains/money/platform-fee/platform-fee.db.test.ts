/** The platform fee of paying online: orders, refunds from all sides, and its documents, at the test gateway. */
import { describe, expect, it } from "vitest";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import { paise } from "#app/lib/money.ts";
import { makePayoutAccount } from "../../../../tests/factories/payout-accounts.ts";
import { makeStaff } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { NOW, type TransferWorld, transferWorld } from "../../../../tests/setup/transfer-world.ts";
import { getVisitMoney } from "../checks/visit-money.server.ts";
import { applyOrder } from "../online/apply-order.server.ts";
import { getPayView } from "../online/pay-view.server.ts";
import { refundCancelled } from "../online/refund-cancelled.server.ts";
import { returnFailedRefund } from "../online/return-failed.server.ts";
import { sendRefund } from "../online/send-refund.server.ts";
import { getRefundable } from "../payments/queries.server.ts";
import { recordPayment } from "../payments/record-payment.server.ts";
import { refundPayment } from "../payments/refund-payment.server.ts";
import { findMismatches } from "../reconciliation/mismatches.server.ts";
import { getOwnSettlement, listOwnSettlements } from "../settlements/own-settlements.server.ts";
import { listMismatches } from "../settlements/queries.server.ts";
import { readSettlements } from "../settlements/read-settlements.server.ts";

const database = testDb();
const { sql } = database;
const FEE = {
  amount: paise(2_000),
  tax: [
    { name: "CGST", percent: 9 },
    { name: "SGST", percent: 9 },
  ],
  invoicer: "Nadi Health Private Limited, 1 MG Road, Vijayawada",
  gstin: "27AAPFU0939F1ZV",
};

/** An appointment of 500 rupees with a fee of 20, and a payout account. */
async function world({ account = true } = {}) {
  const one = await transferWorld(database, FEE);
  if (account) await makePayoutAccount({ sql, ...one }, one.doctor.id);
  const paid = () =>
    sql<
      { id: string; amount: number; refunded: number; fee: number; returned: number; state: string }[]
    >`select id, amount::int, refunded::int,
      platform_fee::int as fee, platform_fee_refunded::int as returned, state from payments where appointment_id = ${one.visit} order by received_at, id`;
  const parts = () =>
    sql<{ id: string; amount: number; fee: number; method: string; reason: string; state: string | null }[]>`select r.id, r.amount::int,
      r.platform_fee::int as fee, r.method, r.reason, pr.state from refunds r join payments p on p.id = r.payment_id
      left join provider_refunds pr on pr.refund_id = r.id where p.appointment_id = ${one.visit} order by r.refunded_at, r.amount desc, r.id`;
  const documents = async () =>
    (
      await sql<{ kind: string; amount: number }[]>`select d.kind, d.amount::int from platform_fee_documents d
        join payments p on p.id = d.payment_id where p.appointment_id = ${one.visit} order by d.kind desc`
    ).map(({ kind, amount }) => `${kind} ${amount}`);
  const apply = async () => {
    for (const { id } of await one.orders()) await applyOrder(one.as(), id);
  };
  const cash = async (paymentId: string, amount: number) =>
    refundPayment(one.as(one.doctor.actor), {
      ...{ hospitalId: null, paymentId, method: "cash", amount: paise(amount), reason: "agreed", key: `cash-${amount}` },
    });
  const record = (amount: number, method: "cash" | "upi" = "cash") =>
    recordPayment(one.as(one.doctor.actor), {
      ...{ hospitalId: null, appointmentId: one.visit, method, amount: paise(amount), reference: null, key: `desk-${amount}` },
    });
  /** Expects that ledger, documents, messages and the provider agree with our payments. */
  const expectWhole = async () => {
    const payments = [...one.gateway.payments.values()];
    for (const payment of payments) {
      const [row] =
        await sql`select (select sum(amount) from ledger_entries e where e.payment_id = p.id and account in ('cash', 'upi', 'online'))::int as clinic,
        (select coalesce(sum(amount), 0) from ledger_entries e where e.payment_id = p.id and account = 'platform')::int as platform,
        (select coalesce(-sum(amount), 0) from ledger_entries e where e.payment_id = p.id and account = 'platform-fee')::int as income,
        (select coalesce(sum(amount), 0) from ledger_entries e where e.payment_id = p.id and account = 'over-refund')::int as over,
        (select coalesce(sum(amount), 0) from ledger_entries e where e.payment_id = p.id and account = 'cash')::int as cash,
        (p.amount - p.refunded)::int as left, (p.platform_fee - p.platform_fee_refunded)::int as fee
        from payments p where provider_payment_id = ${payment.id}`;
      expect(row).toMatchObject({ platform: row!.fee, income: row!.fee, clinic: row!.left - row!.over });
      expect(row!.clinic - row!.cash + row!.fee).toBe(payment.amount - payment.refunded);
    }
    const mismatches = await findMismatches(one.as(), { from: new Date(NOW.getTime() - 1), to: new Date(NOW.getTime() + days(60)) });
    const ids = (await one.orders()).map(({ id }) => id);
    expect(mismatches.filter(({ orderId }) => ids.includes(orderId))).toEqual([]);
  };
  return { ...one, paid, parts, documents, apply, cash, record, expectWhole };
}

describe("an order", () => {
  it("collects the fee beside the clinic's part, which is transferred", async () => {
    await using one = await world();
    await one.pay();
    expect([...one.gateway.orders.values()]).toMatchObject([{ amount: 52_000, transfers: [{ amount: 50_000 }] }]);
    expect(await one.paid()).toMatchObject([{ amount: 50_000, fee: 2_000, returned: 0, state: "captured" }]);
    expect(one.transferred()).toMatchObject([{ left: 50_000 }]);
    const [document] = await sql`select kind, refund_id, amount::int, taxable::int, tax, invoicer, gstin from platform_fee_documents
      where payment_id = ${(await one.paid())[0]!.id}`;
    expect(document).toEqual({
      ...{ kind: "invoice", refund_id: null, amount: 2_000, taxable: 1_694, invoicer: FEE.invoicer, gstin: FEE.gstin },
      tax: [
        { name: "CGST", percent: 9, amount: 153 },
        { name: "SGST", percent: 9, amount: 153 },
      ],
    });
    await one.expectWhole();
    const [audit] = await sql`select details from audit_log where action = 'record-payment' and subject_id = ${one.visit}`;
    expect(audit!.details).toEqual({ method: "online", amount: 50_000, platformFee: 2_000 });
    await expect(sql`update platform_fee_documents set amount = 1`).rejects.toThrow("append-only");
    await expect(sql`update payment_orders set platform_fee = 1 where appointment_id = ${one.visit}`).rejects.toThrow("stays");
  });
  it("has no fee and no document without PLATFORM_FEE", async () => {
    await using one = await world();
    one.provider.platformFee = null;
    await one.pay();
    expect([...one.gateway.orders.values()]).toMatchObject([{ amount: 50_000 }]);
    expect(await one.paid()).toMatchObject([{ amount: 50_000, fee: 0 }]);
    const [row] = await sql`select platform_fee_terms as terms from payment_orders where appointment_id = ${one.visit}`;
    expect([row!.terms, await one.documents()]).toEqual([null, []]);
    const accounts =
      await sql`select distinct account from ledger_entries e join payments p on p.id = e.payment_id where p.appointment_id = ${one.visit}`;
    expect(accounts.map(({ account }) => account).sort()).toEqual(["consultation", "online"]);
    await one.expectWhole();
  });
  it("is replaced when the fee changes, and shown to the patient with today's", async () => {
    await using one = await world();
    const view = () => getPayView(one.as(one.patient.actor), one.visit, paise(50_000), "https://nadi.example");
    expect(await view()).toMatchObject({ state: "new", platformFee: 2_000 });
    await one.order();
    expect(await view()).toMatchObject({ state: "open", amount: 50_000, platformFee: 2_000 });
    await one.order();
    expect(one.gateway.orders.size).toBe(1);
    one.provider.platformFee = { ...FEE, amount: paise(1_000) };
    expect(await view()).toMatchObject({ state: "new", checkout: null, platformFee: 1_000 });
    one.later(minutes(1));
    await one.order();
    expect((await one.orders()).map(({ state }) => state)).toEqual(["expired", "created"]);
    expect((await view())?.checkout?.fields).toMatchObject({ amount: "51000" });
    // Money for the first one comes nevertheless, after the fee has ended: it is invoiced as the patient agreed to it.
    one.provider.platformFee = null;
    const [first] = await one.orders();
    one.gateway.attempt(first!.theirs!, "pay");
    await one.apply();
    expect(await one.paid()).toMatchObject([{ amount: 50_000, fee: 2_000 }]);
    expect(await one.documents()).toEqual(["invoice 2000"]);
    await one.expectWhole();
  });
  it("of the rest has no fee while an earlier one's is kept", async () => {
    await using one = await world();
    const desk = await one.record(20_000);
    one.later(minutes(1));
    await one.pay();
    expect(await one.paid()).toMatchObject([
      { amount: 20_000, fee: 0 },
      { amount: 30_000, fee: 2_000 },
    ]);
    await refundPayment(one.as(one.doctor.actor), {
      ...{ hospitalId: null, paymentId: desk, method: "cash", amount: paise(20_000), reason: "mistake", key: "mistake" },
    });
    one.later(minutes(1));
    await one.pay();
    expect((await one.paid()).at(-1)).toMatchObject({ amount: 20_000, fee: 0 });
    expect(await one.documents()).toEqual(["invoice 2000"]);
    await one.expectWhole();
  });
});

describe("a refund", () => {
  it("of a cancelled appointment returns everything at once, and the account gives only its part", async () => {
    await using one = await world();
    await one.pay();
    await changeAppointment(one.as(one.doctor.actor), { id: one.visit, action: "cancel" });
    await one.sweep();
    expect(await one.parts()).toMatchObject([{ amount: 50_000, fee: 2_000, reason: "cancelled", state: "processed" }]);
    expect([...one.gateway.refunds.values()].map(({ amount }) => amount)).toEqual([52_000]);
    expect([one.transferred()[0]!.left, one.reversed()]).toEqual([0, [50_000]]);
    expect(await one.documents()).toEqual(["invoice 2000", "credit-note 2000"]);
    await one.expectWhole();
  });
  it("of a part keeps the fee, and the last part returns it", async () => {
    await using one = await world();
    const payment = await one.pay();
    await one.refund(payment.id, 12_345);
    await one.sweep();
    expect(await one.paid()).toMatchObject([{ refunded: 12_345, returned: 0, state: "partly-refunded" }]);
    expect(await one.documents()).toEqual(["invoice 2000"]);
    await one.refund(payment.id, 50_000 - 12_345);
    await one.sweep();
    expect([...one.gateway.refunds.values()].map(({ amount, status }) => [amount, status])).toEqual([
      [12_345, "processed"],
      [52_000 - 12_345, "processed"],
    ]);
    expect(one.reversed()).toEqual([12_345, 50_000 - 12_345]);
    expect(await one.documents()).toEqual(["invoice 2000", "credit-note 2000"]);
    await one.expectWhole();
  });
  it("of the last part in cash returns the fee online in a refund of its own, without the account", async () => {
    await using one = await world();
    const payment = await one.pay();
    await one.refund(payment.id, 30_000);
    await one.sweep();
    await one.cash(payment.id, 20_000);
    await one.cash(payment.id, 20_000);
    await one.sweep();
    expect(await one.parts()).toMatchObject([
      { amount: 30_000, fee: 0, method: "online" },
      { amount: 20_000, fee: 0, method: "cash", reason: "agreed" },
      { amount: 0, fee: 2_000, method: "online", reason: "platform-fee", state: "processed" },
    ]);
    expect(await one.paid()).toMatchObject([{ refunded: 50_000, returned: 2_000, state: "refunded" }]);
    expect(one.reversed()).toEqual([30_000]);
    await one.expectWhole();
  });
  it("of a payment in a second tab returns everything of it", async () => {
    await using one = await world();
    await one.order();
    const [order] = await one.orders();
    for (let n = 0; n < 2; n++) one.gateway.attempt(order!.theirs!, "pay");
    await Promise.all([one.apply(), one.apply()]);
    await one.sweep();
    const paid = await one.paid();
    expect(paid.map(({ refunded, returned }) => [refunded, returned]).sort()).toEqual([
      [0, 0],
      [50_000, 2_000],
    ]);
    expect(await one.parts()).toMatchObject([{ amount: 50_000, fee: 2_000, reason: "duplicate" }]);
    expect(await one.documents()).toEqual(["invoice 2000", "invoice 2000", "credit-note 2000"]);
    await one.expectWhole();
  });
  it("keeps one fee of an appointment when two payments share its price", async () => {
    await using one = await world({ account: false });
    const desk = await one.record(20_000);
    await one.order();
    one.later(minutes(40));
    const [first] = await one.orders();
    await applyOrder(one.as(), first!.id);
    await one.pay();
    await refundPayment(one.as(one.doctor.actor), {
      ...{ hospitalId: null, paymentId: desk, method: "cash", amount: paise(20_000), reason: "mistake", key: "mistake" },
    });
    one.later(minutes(1));
    one.gateway.attempt(first!.theirs!, "pay");
    await applyOrder(one.as(), first!.id);
    await one.sweep();
    expect((await one.paid()).map(({ amount, refunded, fee, returned }) => [amount, refunded, fee, returned])).toEqual([
      [20_000, 20_000, 0, 0],
      [30_000, 0, 2_000, 0],
      [30_000, 10_000, 2_000, 2_000],
    ]);
    await one.expectWhole();
  });
});

describe("a refund in the provider's dashboard", () => {
  it.each([
    ["the total", 52_000, [[50_000, 2_000]]],
    ["a part", 10_000, [[10_000, 0]]],
    [
      "the clinic's part",
      50_000,
      [
        [50_000, 0],
        [0, 2_000],
      ],
    ],
    [
      "a part of the fee too",
      50_500,
      [
        [50_000, 500],
        [0, 1_500],
      ],
    ],
  ])("of %s is of the clinic's part first", async (_, amount, expected) => {
    await using one = await world();
    const payment = await one.pay();
    one.gateway.dashboardRefund(payment.theirs, amount, true);
    await one.apply();
    await one.sweep();
    expect((await one.parts()).map((part) => [part.amount, part.fee])).toEqual(expected);
    expect(one.reversed()).toEqual([Math.min(amount, 50_000)]);
    await one.expectWhole();
  });
  it("of more than is left is booked above the payment, after the fee", async () => {
    await using one = await world({ account: false });
    const payment = await one.pay();
    await one.cash(payment.id, 30_000);
    one.gateway.dashboardRefund(payment.theirs, 52_000);
    await one.apply();
    expect(await one.parts()).toMatchObject([
      { amount: 50_000, fee: 2_000, method: "online", reason: "dashboard" },
      { amount: 30_000, fee: 0, method: "cash" },
    ]);
    const [over] =
      await sql`select sum(amount)::int as over from ledger_entries where payment_id = ${payment.id} and account = 'over-refund'`;
    expect(over).toEqual({ over: 30_000 });
    expect(await one.paid()).toMatchObject([{ refunded: 50_000, returned: 2_000 }]);
  });
  it("that fails is withdrawn, and the fee is invoiced again", async () => {
    await using one = await world();
    one.gateway.behaviour.refundsAtOnce = false;
    const payment = await one.pay();
    const refund = one.gateway.dashboardRefund(payment.theirs, 52_000);
    await one.apply();
    expect(await one.paid()).toMatchObject([{ refunded: 50_000, returned: 2_000 }]);
    one.gateway.settleRefund(refund.id, "failed");
    await one.apply();
    expect(await one.paid()).toMatchObject([{ refunded: 0, returned: 0, state: "captured" }]);
    expect(await one.documents()).toEqual(["invoice 2000", "invoice 2000", "credit-note 2000"]);
    await one.expectWhole();
  });
});

/** Lets the refunds that are under way fail, and time pass until they are sent again. */
async function failAttempts(
  one: Pick<TransferWorld, "gateway" | "later" | "sweep"> & { apply: () => Promise<void> },
  waits: readonly number[],
) {
  one.gateway.behaviour.refundsAtOnce = false;
  for (const wait of waits) {
    await one.sweep();
    for (const { id, status } of one.gateway.refunds.values()) if (status === "pending") one.gateway.settleRefund(id, "failed");
    await one.apply();
    one.later(wait);
  }
}

describe("a refund that fails for good", () => {
  it("is returned by the clinic without the fee, which the provider returns; the account gets its part back", async () => {
    await using one = await world();
    const payment = await one.pay();
    one.gateway.behaviour.refundsAtOnce = false;
    await one.refund(payment.id, 50_000);
    await failAttempts(one, [hours(1), hours(6), hours(24), 0]);
    const { failed } = await getRefundable(one.as(one.doctor.actor), payment.id, { hospitalId: null });
    expect(failed).toMatchObject({ amount: 50_000, attempt: 4, next: null });
    // The administrator reads the same sums as the patient, with the fee.
    const asAdmin = database.ctx(await makeStaff(database.db, "admin"));
    expect(await getVisitMoney(asAdmin, one.visit)).toMatchObject({ received: "₹520", returned: "₹0", notReturned: "₹520" });
    expect(one.transferred()[0]!.left).toBe(0);
    const input = { hospitalId: null, paymentId: payment.id, failed: failed!.id, method: "cash", key: "returned" } as const;
    await returnFailedRefund(one.as(one.doctor.actor), input);
    one.gateway.behaviour.refundsAtOnce = true;
    one.later(minutes(11));
    await one.sweep();
    expect((await one.parts()).map(({ amount, fee, method, state }) => [amount, fee, method, state])).toEqual([
      [50_000, 2_000, "online", "withdrawn"],
      [50_000, 0, "cash", null],
      [0, 2_000, "online", "processed"],
    ]);
    const money = await getVisitMoney(asAdmin, one.visit);
    expect(money).toMatchObject({ received: "₹520", returned: "₹520", notReturned: "" });
    const texts = money.events.map(({ text }) => text).join(" ");
    expect(texts).toContain("Refund withdrawn: ₹520.");
    expect(texts).not.toMatch(/\d{4}-\d{2}-\d{2}/);
    expect(one.transferred().map(({ left }) => left)).toEqual([0, 50_000]);
    expect(await one.documents()).toEqual(["invoice 2000", "invoice 2000", "credit-note 2000", "credit-note 2000"]);
    await one.expectWhole();
  });
  it("is sent again each day when only the fee is left, and is nothing for the clinic", async () => {
    await using one = await world();
    const payment = await one.pay();
    await one.cash(payment.id, 50_000);
    await failAttempts(one, [hours(1), hours(6), hours(24), hours(24), hours(24)]);
    const { payment: line, failed } = await getRefundable(one.as(one.doctor.actor), payment.id, { hospitalId: null });
    expect([line.notReturned, failed]).toEqual([0, null]);
    const [refund] = (await one.parts()).filter(({ amount }) => amount === 0);
    const input = { hospitalId: null, paymentId: payment.id, failed: refund!.id, method: "cash", key: "returned" } as const;
    await expect(returnFailedRefund(one.as(one.doctor.actor), input)).rejects.toMatchObject({ code: "conflict" });
    const stuck =
      await sql`select kind from notifications where params->>'appointment' = ${one.visit} and kind in ('refund-failed', 'refund-stuck')`;
    expect(stuck).toEqual([]);
    one.gateway.behaviour.refundsAtOnce = true;
    await one.sweep();
    expect(await one.refunds()).toContainEqual(expect.objectContaining({ amount: 0, state: "processed", attempt: 6 }));
    expect(one.reversed()).toEqual([]);
    await one.expectWhole();
  });
});

describe("settlements", () => {
  it("agree with the fee in payment and refund, and without it in transfer and reversal", async () => {
    await using one = await world();
    const payment = await one.pay();
    await one.refund(payment.id, 30_000);
    await one.sweep();
    await one.cash(payment.id, 20_000);
    await one.sweep();
    one.gateway.report.settle(NOW.getTime());
    await readSettlements(one.as());
    const found = async () =>
      (await listMismatches(one.as(), new Date(NOW.getTime() - days(1)))).filter(({ orderId }) => ids.includes(orderId));
    const ids: (string | null)[] = (await one.orders()).map(({ id }) => id);
    expect(await found()).toEqual([]);
    one.later(days(8));
    expect(await found()).toEqual([]);
    const line = one.gateway.report.lines.find(({ type }) => type === "payment")!;
    expect(line.amount).toBe(52_000);
  });
  it("show the clinic its part of a payment that was not transferred", async () => {
    await using one = await world({ account: false });
    const payment = await one.pay();
    await one.cash(payment.id, 50_000);
    await one.sweep();
    one.gateway.report.settle(NOW.getTime());
    await readSettlements(one.as());
    const ctx = one.as(one.doctor.actor);
    const { rows } = await listOwnSettlements(ctx, { hospitalId: null, page: 1 });
    // Of the provider's fee of 2 % with its GST the platform fee bears its own share.
    const whole = Math.round(52_000 * 0.02) + Math.round(52_000 * 0.0036);
    const fee = whole - Math.round((whole * 2_000) / 52_000);
    expect(rows).toMatchObject([{ payments: 1, received: 50_000, refunds: 0, refunded: 0, fee, paidOut: 50_000 - fee, shared: true }]);
    const { lines } = await getOwnSettlement(ctx, { id: rows[0]!.id, hospitalId: null });
    expect(lines).toMatchObject([{ kind: "payment", amount: 50_000, paidOut: 50_000 - fee }]);
  });
});

it("is compared with order, ledger and documents", async () => {
  await using one = await world();
  const payment = await one.pay();
  const [order] = await one.orders();
  const found = database.db.transaction(async (tx) => {
    await tx.execute(`update payments set platform_fee = 1500 where id = '${payment.id}'`);
    const ctx = { ...one.as(), db: tx } as Parameters<typeof findMismatches>[0];
    throw await findMismatches(ctx, { from: new Date(NOW.getTime() - 1), to: new Date(NOW.getTime() + days(1)) });
  });
  // The change is rolled back.
  const mismatches = await found.catch((thrown: Awaited<ReturnType<typeof findMismatches>>) => thrown);
  expect(mismatches!.filter(({ orderId }) => orderId === order!.id).map(({ kind, amount }) => [kind, amount])).toEqual([
    ["fee-document", 500],
    ["ledger", 500],
    ["order-amount", 500],
  ]);
});

it("numbers documents without gaps when workers apply payments and refunds at once", async () => {
  const worlds = await Promise.all(Array.from({ length: 6 }, () => world({ account: false })));
  await Promise.all(
    worlds.map(async (one) => {
      const payment = await one.pay();
      await changeAppointment(one.as(one.doctor.actor), { id: one.visit, action: "cancel" });
      await Promise.all([refundCancelled(one.as(), one.visit), refundCancelled(one.as(), one.visit), one.apply()]);
      for (const { id } of await one.parts()) await Promise.allSettled([sendRefund(one.as(), id), sendRefund(one.as(), id)]);
      expect(one.gateway.payments.get(payment.theirs)!.refunded).toBe(52_000);
    }),
  );
  const series = await sql`select d.kind, count(*)::int as count, max(d.number)::int as last, count(distinct d.number)::int as numbers
    from platform_fee_documents d group by d.financial_year, d.kind`;
  for (const { count, last, numbers } of series) expect([count, numbers]).toEqual([last, last]);
  for (const one of worlds) {
    expect(await one.documents()).toEqual(["invoice 2000", "credit-note 2000"]);
    await one.expectWhole();
    await one[Symbol.asyncDispose]();
  }
});
