import { describe, expect, it } from "vitest";
import { hasVerhoeffCheckDigit, isLikelyAadhaar } from "./verhoeff.ts";

describe("Verhoeff check digit", () => {
  it.each(["15", "2363", "758722", "1428570", "234567890124"])("accepts %s", (number) => expect(hasVerhoeffCheckDigit(number)).toBe(true));
  it.each(["", "5", "2364", "234567890123", "2345 6789 0124", "23456789012x", "२३६३", " 104", "109 "])("refuses %j", (number) =>
    expect(hasVerhoeffCheckDigit(number)).toBe(false),
  );

  it("detects every wrong digit and every swap of adjacent digits", () => {
    const right = "234567890124";
    for (let i = 0; i < right.length; i++) {
      for (let digit = 0; digit <= 9; digit++)
        if (String(digit) !== right[i]) expect(hasVerhoeffCheckDigit(right.slice(0, i) + digit + right.slice(i + 1))).toBe(false);
      const [a, b] = [right[i], right[i + 1]];
      if (b !== undefined && a !== b) expect(hasVerhoeffCheckDigit(right.slice(0, i) + b + a + right.slice(i + 2))).toBe(false);
    }
  });
});

it.each([
  ["234567890124", true],
  ["234567890123", false],
  ["123456789012", false],
  ["2345678901", false],
  ["2345678901232", false],
])("isLikelyAadhaar(%s) is %s", (number, likely) => expect(isLikelyAadhaar(number)).toBe(likely));
