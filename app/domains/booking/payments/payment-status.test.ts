import { describe, expect, it } from "vitest";
import type { Paise } from "#app/lib/money.ts";
import { dueOf, paymentStatusOf, type VisitMoney } from "./payment-status.ts";

type Over = { [Key in keyof VisitMoney]?: VisitMoney[Key] extends Paise | null | undefined ? number | null : VisitMoney[Key] };
const visit = (over: Over = {}) =>
  ({
    status: "completed",
    date: "2026-11-22",
    fee: 50_000,
    discount: 0,
    received: 0,
    refunded: 0,
    corrected: 0,
    ...over,
  }) as VisitMoney;
const SINCE = "2026-11-01";

describe("the state of an appointment's payment", () => {
  it.each([
    ["paid in full", { received: 50_000 }, "paid", 0],
    ["paid less the discount", { received: 45_000, discount: 5_000 }, "paid", 0],
    ["partly paid", { received: 20_000 }, "part-paid", 30_000],
    ["partly refunded", { received: 50_000, refunded: 10_000 }, "paid", 0],
    ["a part of the fee, partly refunded", { received: 20_000, refunded: 10_000 }, "part-paid", 30_000],
    ["refunded in full", { received: 50_000, refunded: 50_000 }, "refunded", 0],
    ["recorded by mistake", { received: 50_000, refunded: 50_000, corrected: 50_000 }, "not-paid", 50_000],
    ["recorded by mistake, then paid", { received: 100_000, refunded: 50_000, corrected: 50_000 }, "paid", 0],
    ["nothing recorded", {}, "not-paid", 50_000],
    ["before the first recorded payment", { date: "2026-10-31" }, "not-recorded", 50_000],
    ["covered by a discount", { discount: 50_000 }, "nothing-due", 0],
    ["paid without a known fee", { fee: null, received: 30_000 }, "paid", null],
    ["without a known fee", { fee: null }, "not-paid", null],
    ["cancelled before paying", { status: "cancelled" }, "nothing-due", 0],
    ["cancelled after paying", { status: "cancelled", received: 50_000 }, "refund-due", 0],
    ["cancelled and partly refunded", { status: "cancelled", received: 50_000, refunded: 1 }, "refund-due", 0],
    ["cancelled too late for a refund", { status: "cancelled", received: 50_000, refundOwed: false }, "not-refundable", 0],
    ["cancelled too late before paying", { status: "cancelled", refundOwed: false }, "nothing-due", 0],
    ["cancelled by the clinic after paying", { status: "cancelled", received: 50_000, refundOwed: true }, "refund-due", 0],
    ["refunded, but the provider could not return it", { received: 50_000, refunded: 50_000, notReturned: 50_000 }, "refund-failed", 0],
    ["partly refunded, but not returned", { received: 50_000, refunded: 10_000, notReturned: 10_000 }, "refund-failed", 0],
    ["not paid, while the bank confirms a payment", { confirming: true }, "confirming", 50_000],
    ["paid, with another attempt in the bank", { received: 50_000, confirming: true }, "paid", 0],
    ["cancelled, while the bank confirms a payment", { status: "cancelled", confirming: true }, "confirming", 0],
    ["cancelled and refunded", { status: "cancelled", received: 50_000, refunded: 50_000 }, "refunded", 0],
  ] as const)("%s", (_, over, state, due) => {
    expect(paymentStatusOf(visit(over), SINCE)).toBe(state);
    expect(dueOf(visit(over))).toBe(due);
  });
  it("reads not recorded for doctors who never recorded a payment", () => {
    expect(paymentStatusOf(visit(), null)).toBe("not-recorded");
  });
});
