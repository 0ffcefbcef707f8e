import { describe, expect, it } from "vitest";
import { paise } from "./money.ts";
import { isGstin, parseTaxRates, withPlatformFee } from "./platform-fee.ts";

const GST = [
  { name: "CGST", percent: 9 },
  { name: "SGST", percent: 9 },
];

it("collects the fee of the clinic and the platform fee", () => {
  expect(withPlatformFee({ amount: paise(50_000), platformFee: paise(1_180) })).toBe(51_180);
});

describe("parseTaxRates", () => {
  it("reads names and percents", () => {
    expect(parseTaxRates("CGST 9, SGST 9")).toEqual(GST);
    expect(parseTaxRates(" CGST  9 , SGST 9 ")).toEqual(GST);
    expect(parseTaxRates("IGST 18")).toEqual([{ name: "IGST", percent: 18 }]);
    expect(parseTaxRates("CGST 2.5,SGST 2.50")?.map(({ percent }) => percent)).toEqual([2.5, 2.5]);
  });
  it.each(["", "CGST", "9", "CGST 9 SGST 9", "CGST 9,", "CGST 0", "CGST 9.125", "CGST 9, CGST 9", "CGST -9", "CGST 100"])(
    "refuses %j",
    (text) => expect(parseTaxRates(text)).toBeNull(),
  );
});

describe("isGstin", () => {
  it("accepts a number with the right check digit", () => {
    for (const gstin of ["27AAPFU0939F1ZV", "29AAGCB7383J1Z4"]) expect(isGstin(gstin)).toBe(true);
  });
  it.each(["27AAPFU0939F1ZU", "72AAPFU0939F1ZV", "27aapfu0939f1zv", "27AAPFU0939F1Z", ""])("refuses %j", (text) =>
    expect(isGstin(text)).toBe(false),
  );
  it.each(["27AAPFU0939F1YX", "X27AAPFU0939F1ZV", "27AAPFU0939F1ZVV"])("refuses %j, whose check digit is right", (text) =>
    expect(isGstin(text)).toBe(false),
  );
});
