import { describe, expect, it } from "vitest";
import { paise } from "./money.ts";
import { isGstin, parseTaxRates, splitTax } from "./platform-fee.ts";

const GST = [
  { name: "CGST", percent: 9 },
  { name: "SGST", percent: 9 },
];

describe("parseTaxRates", () => {
  it("reads names and percents", () => {
    expect(parseTaxRates("CGST 9, SGST 9")).toEqual(GST);
    expect(parseTaxRates("IGST 18")).toEqual([{ name: "IGST", percent: 18 }]);
    expect(parseTaxRates("CGST 2.5,SGST 2.50")?.map(({ percent }) => percent)).toEqual([2.5, 2.5]);
  });
  it.each(["", "CGST", "9", "CGST 9 SGST 9", "CGST 9,", "CGST 0", "CGST 9.125", "CGST 9, CGST 9", "CGST -9", "CGST 100"])(
    "refuses %j",
    (text) => expect(parseTaxRates(text)).toBeNull(),
  );
});

describe("splitTax", () => {
  it("gives the value without tax and equal lines", () => {
    expect(splitTax(paise(2000), GST)).toEqual({
      taxable: 1695,
      lines: [
        { ...GST[0], amount: 153 },
        { ...GST[1], amount: 152 },
      ],
    });
    expect(splitTax(paise(2360), GST)).toMatchObject({ taxable: 2000, lines: [{ amount: 180 }, { amount: 180 }] });
    expect(splitTax(paise(2000), [])).toEqual({ taxable: 2000, lines: [] });
  });
  it("rounds the value half up", () => {
    // 3 / 1.2 = 2.5
    expect(splitTax(paise(3), [{ name: "IGST", percent: 20 }]).taxable).toBe(3);
    expect(splitTax(paise(9), [{ name: "IGST", percent: 20 }]).taxable).toBe(8);
  });
  it("sums to every amount exactly, with no negative part", () => {
    const uneven = [
      { name: "CGST", percent: 2.5 },
      { name: "SGST", percent: 9 },
      { name: "CESS", percent: 0.25 },
    ];
    for (const rates of [GST, uneven])
      for (let amount = 1; amount < 5000; amount++) {
        const { taxable, lines } = splitTax(paise(amount), rates);
        const parts = [taxable, ...lines.map((line) => line.amount)];
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      }
  });
});

describe("isGstin", () => {
  it("accepts a number with the right check digit", () => {
    for (const gstin of ["27AAPFU0939F1ZV", "29AAGCB7383J1Z4"]) expect(isGstin(gstin)).toBe(true);
  });
  it.each(["27AAPFU0939F1ZU", "72AAPFU0939F1ZV", "27aapfu0939f1zv", "27AAPFU0939F1Z", ""])("refuses %j", (text) =>
    expect(isGstin(text)).toBe(false),
  );
});
