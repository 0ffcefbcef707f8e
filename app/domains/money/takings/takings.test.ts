import { expect, it } from "vitest";
import { paise } from "#app/lib/money.ts";
import { totalsOf } from "./takings.ts";

it("adds up a day by method, less its refunds", () => {
  const moves = [
    { method: "cash", amount: paise(50_000) },
    { method: "cash", amount: paise(30_000) },
    { method: "upi", amount: paise(45_050) },
    { method: "cash", amount: paise(-30_000) },
  ] as const;
  expect(totalsOf(moves)).toEqual({
    all: 95_050,
    cash: { amount: 50_000, payments: 2, refunds: 1 },
    upi: { amount: 45_050, payments: 1, refunds: 0 },
    online: { amount: 0, payments: 0, refunds: 0 },
  });
});
