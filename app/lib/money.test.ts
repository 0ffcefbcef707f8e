import { expect, it } from "vitest";
import { formatRupees, minus, type Paise, paise, plus } from "./money.ts";

it.each([0.5, 835.0000000001, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])(
  "refuses %s as an amount of paise",
  (amount) => {
    expect(() => paise(amount)).toThrow("not whole paise");
  },
);
it("adds and subtracts whole paise", () => {
  expect(plus(paise(1), paise(2), paise(-5))).toBe(-2);
  expect(plus()).toBe(0);
  expect(minus(paise(50_000), paise(5_001))).toBe(44_999);
});
it("writes a negative amount with a minus sign", () => {
  expect([formatRupees(-20_000), formatRupees(-12_345)]).toEqual(["−₹200", "−₹123.45"]);
});
it("refuses a plain number where an amount is expected", () => {
  // @ts-expect-error A plain number is no amount.
  const plain: Paise = 100;
  // @ts-expect-error A sum is no amount before it is checked.
  const sum: Paise = paise(1) + paise(2);
  expect(plain + sum).toBe(103);
});
it.each([0, 1, 9, 10, 99, 100, 99_900, 99_999, 100_000, 9_999_999, 10_000_000, 123_456_750, 999_999_999_999, Number.MAX_SAFE_INTEGER])(
  "groups %s paise as Indian English does",
  (amount) => {
    const intl = new Intl.NumberFormat("en-IN", {
      style: "currency",
      currency: "INR",
      minimumFractionDigits: amount % 100 === 0 ? 0 : 2,
    });
    expect(formatRupees(amount)).toBe(intl.format(`${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}` as never));
  },
);
