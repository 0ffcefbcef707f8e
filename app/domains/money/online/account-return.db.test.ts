/** What a payout account gets back for a refund that failed for good after its reversal, at the test gateway. */
import { describe, expect, it } from "vitest";
import type { PaymentProvider } from "#app/integrations/payments/payment-provider.server.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import { makePayoutAccount } from "../../../../tests/factories/payout-accounts.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { NOW, type TransferWorld, transferWorld } from "../../../../tests/setup/transfer-world.ts";
import { getOwnSettlement } from "../settlements/own-settlements.server.ts";
import { listMismatches } from "../settlements/queries.server.ts";
import { readSettlements } from "../settlements/read-settlements.server.ts";
import { applyOrder } from "./apply-order.server.ts";
import { returnFailedRefund } from "./return-failed.server.ts";
import { sendAccountReturn } from "./send-account-return.server.ts";

const database = testDb();
const { sql } = database;
const AMOUNT = 20_000;

/** Lets a refund fail for the fourth time. The first attempt took the money from the account. */
async function failForGood(one: TransferWorld, paymentId: string): Promise<string> {
  one.gateway.behaviour.refundsAtOnce = false;
  await one.refund(paymentId, AMOUNT);
  for (const wait of [hours(1), hours(6), hours(24), 0]) {
    await one.sweep();
    const pending = [...one.gateway.refunds.values()].filter(({ status }) => status === "pending");
    for (const { id } of pending) one.gateway.settleRefund(id, "failed");
    await applyOrder(one.as(), (await one.orders())[0]!.id);
    one.later(wait);
  }
  const refund = (await one.refunds()).at(-1)!;
  expect(refund).toMatchObject({ state: "failed", attempt: 4 });
  return refund.id;
}
const giveCash = (one: TransferWorld, paymentId: string, failed: string) =>
  returnFailedRefund(one.as(one.doctor.actor), { hospitalId: null, paymentId, failed, method: "cash", key: `cash-${failed}` });

/** A clinic that returned a failed refund in cash. */
async function returned() {
  const one = await transferWorld(database);
  const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
  const payment = await one.pay();
  const refundId = await failForGood(one, payment.id);
  expect(one.transferred()).toEqual([{ account, left: 50_000 - AMOUNT }]);
  await giveCash(one, payment.id, refundId);
  const state = async () =>
    (
      await sql<{ state: string; transfer: string | null; tries: number }[]>`select state, provider_transfer_id as transfer, tries
        from account_returns where refund_id = ${refundId}`
    )[0];
  /** The context of a job whose provider is changed. */
  const broken = (over: (provider: PaymentProvider) => Partial<PaymentProvider>) => {
    const ctx = one.as();
    return { ...ctx, integrations: { ...ctx.integrations, payments: { ...one.provider, ...over(one.provider) } } };
  };
  /** Runs the job and the sweep again and again, and expects that the account has everything, once. */
  const expectOnce = async () => {
    for (let n = 0; n < 3; n++) {
      one.later(minutes(11));
      await one.sweep();
      await sendAccountReturn(one.as(), refundId);
    }
    const done = [...one.gateway.transferred.transfers.values()].filter(({ status }) => status === "processed");
    expect(done.map(({ account, amount, reversed }) => [account, amount - reversed])).toEqual([
      [account, 50_000 - AMOUNT],
      [account, AMOUNT],
    ]);
    expect(await state()).toMatchObject({ state: "sent", transfer: done[1]!.id });
  };
  return { ...one, account, payment, refundId, state, broken, expectOnce };
}

describe("an account whose refund failed for good, when the clinic returned the money", () => {
  it("gets it back once, by the job", async () => {
    await using one = await returned();
    const [job] = await sql`select 1 from pgboss.job where name = 'account-return' and data->>'refundId' = ${one.refundId}`;
    expect(job).toBeDefined();
    await sendAccountReturn(one.as(), one.refundId);
    expect(await one.state()).toMatchObject({ state: "sent", tries: 1 });
    expect([...one.gateway.transferred.transfers.values()].at(-1)!.notes).toEqual({ nadi_refund: one.refundId });
    await one.expectOnce();
  });
  it("gets it back once, when the answer is lost", async () => {
    await using one = await returned();
    one.gateway.behaviour.losesAnswers = true;
    await expect(sendAccountReturn(one.as(), one.refundId)).rejects.toMatchObject({ code: "unavailable" });
    expect(one.transferred()).toHaveLength(2);
    expect(await one.state()).toMatchObject({ state: "pending" });
    one.gateway.behaviour.losesAnswers = false;
    // Until the claim ends, no run sends it.
    await one.sweep();
    expect(await one.state()).toMatchObject({ state: "pending", tries: 1 });
    await one.expectOnce();
  });
  it.each(["before", "after"])("gets it back once, when the process is killed %s the transfer", async (when) => {
    await using one = await returned();
    const killed = one.broken((provider) => ({
      transfer: async (of) => {
        if (when === "after") await provider.transfer(of);
        throw new Error("killed");
      },
    }));
    await expect(sendAccountReturn(killed, one.refundId)).rejects.toThrow("killed");
    expect(one.transferred()).toHaveLength(when === "after" ? 2 : 1);
    await one.expectOnce();
  });
  it("gets it back when the provider is up again", async () => {
    await using one = await returned();
    one.gateway.behaviour.down = true;
    await expect(sendAccountReturn(one.as(), one.refundId)).rejects.toMatchObject({ code: "unavailable" });
    one.later(minutes(11));
    await one.sweep();
    expect(await one.state()).toMatchObject({ state: "pending", tries: 2 });
    one.gateway.behaviour.down = false;
    await one.expectOnce();
  });
  it("gets it back once, when two jobs and the sweep run at once", async () => {
    await using one = await returned();
    await Promise.all([sendAccountReturn(one.as(), one.refundId), sendAccountReturn(one.as(), one.refundId), one.sweep()]);
    expect(one.transferred()).toHaveLength(2);
    await one.expectOnce();
  });
  it.each(["refuse", "fail"] as const)("gets it back later, when the provider %ss the transfer", async (how) => {
    await using one = await returned();
    one.gateway.transferred.behaviour[how] = true;
    for (let n = 1; n <= 12; n++) {
      await one.sweep();
      expect(await one.state()).toMatchObject({ state: "pending", tries: n });
      one.later(minutes(10));
    }
    one.gateway.transferred.behaviour[how] = false;
    // The twelfth was the last for a day.
    await one.sweep();
    expect(await one.state()).toMatchObject({ state: "pending", tries: 12 });
    one.later(days(1));
    await one.expectOnce();
  });
  it("waits while the bank is not done with the refund, and gets nothing when the patient has it", async () => {
    await using one = await returned();
    const last = [...one.gateway.refunds.values()].at(-1)!;
    last.status = "pending";
    await sendAccountReturn(one.as(), one.refundId);
    expect(await one.state()).toMatchObject({ state: "pending" });
    last.status = "processed";
    one.later(minutes(10));
    await sendAccountReturn(one.as(), one.refundId);
    expect(await one.state()).toMatchObject({ state: "unneeded", transfer: null });
    expect(one.transferred()).toHaveLength(1);
  });
});

describe("gets nothing back", () => {
  const expectNothing = async (one: TransferWorld, failed: string, state: string | undefined) => {
    for (let n = 0; n < 3; n++) {
      await one.sweep();
      one.later(minutes(11));
    }
    const [row] = await sql<{ state: string }[]>`select state from account_returns where refund_id = ${failed}`;
    expect(row?.state).toBe(state);
    expect([...one.gateway.transferred.transfers.values()].filter(({ notes }) => notes)).toEqual([]);
  };
  it("without a transfer", async () => {
    await using one = await transferWorld(database);
    const { id } = await one.pay();
    const failed = await failForGood(one, id);
    await giveCash(one, id, failed);
    await expectNothing(one, failed, undefined);
  });
  it("when the transfer failed, so that nothing was taken", async () => {
    await using one = await transferWorld(database);
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    one.gateway.transferred.behaviour.fail = true;
    const { id } = await one.pay();
    one.gateway.transferred.behaviour.fail = false;
    const failed = await failForGood(one, id);
    await giveCash(one, id, failed);
    await expectNothing(one, failed, "unneeded");
  });
  it("when the provider refused every attempt, because the account had no money", async () => {
    await using one = await transferWorld(database);
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    const { id } = await one.pay();
    one.gateway.transferred.behaviour.noBalance = true;
    await one.refund(id, AMOUNT);
    const [refund] = await one.refunds();
    // As failUnsent leaves it after its last attempt.
    await sql`update provider_refunds set state = 'failed', attempt = 4, settled_at = now() where refund_id = ${refund!.id}`;
    one.gateway.transferred.behaviour.noBalance = false;
    await giveCash(one, id, refund!.id);
    await expectNothing(one, refund!.id, "unneeded");
  });
  it("when the refund is sent again and reaches the patient", async () => {
    await using one = await transferWorld(database);
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    const { id } = await one.pay();
    const failed = await failForGood(one, id);
    const input = { hospitalId: null, paymentId: id, failed, method: "online", key: "again" } as const;
    await returnFailedRefund(one.as(one.doctor.actor), input);
    one.gateway.behaviour.refundsAtOnce = true;
    await expectNothing(one, failed, undefined);
    expect(await one.refunds()).toMatchObject([{ state: "processed" }]);
  });
});

describe("the settlements", () => {
  const foundOf = async (one: TransferWorld) => {
    await readSettlements(one.as());
    const orderId = (await one.orders())[0]!.id;
    const ids = [...one.gateway.transferred.reversals.keys(), ...one.gateway.transferred.settlements.keys()];
    return (await listMismatches(one.as(), new Date(NOW.getTime() - days(30))))
      .filter((mismatch) => mismatch.orderId === orderId || ids.includes(mismatch.id))
      .map(({ kind, mismatch }) => `${kind} ${mismatch}`);
  };

  it("agree with what was given back, and the doctor sees it", async () => {
    await using one = await returned();
    one.gateway.report.settle(one.as().now.getTime());
    // Until it is given back, the reversal has no refund.
    expect(await foundOf(one)).toEqual(["reversal missing-in-ours"]);
    await sendAccountReturn(one.as(), one.refundId);
    one.gateway.report.settle(one.as().now.getTime() + 1000);
    expect(await foundOf(one)).toEqual([]);
    one.later(days(9));
    expect(await foundOf(one)).toEqual([]);

    const { id, amount } = [...one.gateway.transferred.settlements.values()].at(-1)!;
    expect(amount).toBe(AMOUNT);
    const { settlement, lines } = await getOwnSettlement(one.as(one.doctor.actor), { hospitalId: null, id });
    expect(settlement).toMatchObject({ isAccount: true, payments: 0, received: 0, refunded: 0, paidOut: AMOUNT, shared: false });
    expect(lines).toMatchObject([{ kind: "given-back", amount: AMOUNT, paidOut: AMOUNT }]);
  });
  it("show one that was given back and is in no settlement, or twice, or with another amount", async () => {
    await using one = await returned();
    one.gateway.report.settle(one.as().now.getTime());
    await sendAccountReturn(one.as(), one.refundId);
    await readSettlements(one.as());
    one.later(days(8));
    expect((await foundOf(one)).sort()).toEqual(["payout missing-in-theirs", "transfer missing-in-theirs"]);
    const back = [...one.gateway.transferred.transfers.values()].at(-1)!;
    back.amount -= 1;
    one.gateway.report.settle(one.as().now.getTime());
    const { lines } = one.gateway.report;
    lines.push({ ...lines.find(({ entity_id }) => entity_id === back.id)!, settlement_id: "setl_again" });
    expect((await foundOf(one)).sort()).toEqual(["payout amount-differs", "transfer settled-twice", "transfer settled-twice"]);
  });
});
