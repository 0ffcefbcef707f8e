import { expect, it } from "vitest";
import { formatRupees, formatRupeesExact, fromRupees, minus, type Paise, paise, parseRupees, plus, rupeesPlain } from "./money.ts";

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
it("writes two decimals on a receipt", () => {
  expect([50_000, 49_950, 0, -20_000].map(formatRupeesExact)).toEqual(["₹500.00", "₹499.50", "₹0.00", "−₹200.00"]);
});
it.each([
  ["500", 50_000],
  ["₹1,250.50", 125_050],
  [" 12 34 567.5 ", 123_456_750],
  ["1,000", 100_000],
  ["1,00,000", 10_000_000],
  ["99,99,999.99", 999_999_999],
  ["₹ 500", 50_000],
  ["0.05", 5],
  ["1.29", 129],
  ["999999999", 99_999_999_900],
])("reads %s as %s paise", (text, amount) => {
  expect(parseRupees(text)).toBe(amount);
});
it.each(["1,00", "1,0", "1,0000", "10,00", "1,000,000", "100,000", ",500", "500,", "1,,000", "1, 000", "1,00.50", "5 00"])(
  "refuses the groups of %j, which could mean two amounts",
  (text) => {
    expect(parseRupees(text)).toBeNull();
  },
);
it.each(["", "₹", "-5", "5.", ".5", "1.234", "1234567890", "5a", "a5", "5 rupees", "1e3", "5.5.5", "5₹00", "1,00,00,00,000"])(
  "reads no amount in %j",
  (text) => {
    expect(parseRupees(text)).toBeNull();
  },
);
it("converts rupees to paise, and writes them plainly, without errors of floating point", () => {
  expect([499.5, 1.15, 0.29, 0].map(fromRupees)).toEqual([49_950, 115, 29, 0]);
  expect([49_900, 5, 123_450].map(rupeesPlain)).toEqual(["499.00", "0.05", "1234.50"]);
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
