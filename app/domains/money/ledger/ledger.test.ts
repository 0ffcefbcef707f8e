import { describe, expect, it } from "vitest";
import { paise } from "#app/lib/money.ts";
import { receiveLines, refundLines } from "./ledger.ts";

const sum = (lines: { amount: number }[]) => lines.reduce((all, { amount }) => all + amount, 0);

describe("lines of a transfer", () => {
  it("debits what was received and credits the consultation", () => {
    expect(receiveLines("cash", paise(50_000), paise(0))).toEqual([
      { account: "cash", amount: 50_000 },
      { account: "consultation", amount: -50_000 },
    ]);
  });
  it("has the wallet discount as its own lines", () => {
    expect(receiveLines("upi", paise(45_000), paise(5_000))).toEqual([
      { account: "upi", amount: 45_000 },
      { account: "consultation", amount: -45_000 },
      { account: "discount", amount: 5_000 },
      { account: "consultation", amount: -5_000 },
    ]);
  });
  it("sums to zero for every amount, and a refund undoes what was received", () => {
    for (const amount of [1, 99, 83_500, 10_000_000].map(paise))
      for (const discount of [0, 1, 12_345].map(paise)) {
        const [received, refunded] = [receiveLines("cash", amount, discount), refundLines("cash", amount, discount)];
        expect([sum(received), sum(refunded)]).toEqual([0, 0]);
        for (const account of ["cash", "consultation", "discount"])
          expect(sum([...received, ...refunded].filter((line) => line.account === account))).toBe(0);
      }
  });
});
