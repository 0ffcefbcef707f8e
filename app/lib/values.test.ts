import { describe, expect, it } from "vitest";
import { decrypt, encrypt } from "./crypto.server.ts";
import { isUuid, newReferenceCode, sameSecret } from "./ids.server.ts";
import { formatRupees, fromRupees, rupeesPlain } from "./money.ts";
import { formatPhone, maskPhone, normalisePhone } from "./phone.ts";

describe("money", () => {
  it.each([
    [50_000, "₹500"],
    [123_456_750, "₹12,34,567.50"],
    [0, "₹0"],
    [18_650_000, "₹1,86,500"],
  ])("%i paise are %s", (paise, text) => expect(formatRupees(paise)).toBe(text));
  it("converts rupees without floating-point errors", () => {
    expect(fromRupees(1.1) + fromRupees(2.2)).toBe(330);
    expect(rupeesPlain(49_900)).toBe("499.00");
  });
});

describe("phone (spec 001 §5: digits only, the last 10 count)", () => {
  it.each([
    ["98765 43210", "+919876543210"],
    ["+91-98765-43210", "+919876543210"],
    ["09876543210", "+919876543210"],
    ["919876543210", "+919876543210"],
    ["987654321", null],
    ["", null],
    ["phone", null],
  ])("%s is %s", (typed, phone) => expect(normalisePhone(typed)).toBe(phone));
  it("formats and masks", () => {
    expect(formatPhone("+919876543210")).toBe("+91 98765 43210");
    expect(maskPhone("+919876543210")).toBe("+91 ••••• •3210");
  });
});

describe("encryption", () => {
  const old = "a".repeat(40);
  const fresh = "b".repeat(40);
  it("decrypts with the same key, after rotation, and only with the same associated data", () => {
    const sealed = encrypt("2345 6789 0124", [old], "doctors|aadhaar|1");
    expect(sealed).not.toContain("2345");
    expect(decrypt(sealed, [fresh, old], "doctors|aadhaar|1")).toBe("2345 6789 0124");
    expect(() => decrypt(sealed, [fresh, old], "doctors|aadhaar|2")).toThrow();
    expect(() => decrypt(sealed, [fresh], "doctors|aadhaar|1")).toThrow();
    const changed = sealed.slice(0, -8) + (sealed.at(-8) === "A" ? "B" : "A") + sealed.slice(-7);
    expect(() => decrypt(changed, [old], "doctors|aadhaar|1")).toThrow();
  });
  it("compares secrets of any length", () => {
    expect(sameSecret("abc", "abc")).toBe(true);
    expect(sameSecret("abc", "abcd")).toBe(false);
  });
  it.each([
    ["6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f", true],
    ["6f1c2d3e", false],
    ["", false],
    [undefined, false],
  ])("isUuid(%s)", (v, ok) => expect(isUuid(v)).toBe(ok));
});

it("reference codes are their prefix and two groups, without characters that look alike", () => {
  const codes = Array.from({ length: 200 }, () => newReferenceCode("ND"));
  for (const code of codes) expect(code).toMatch(/^ND-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
  expect(new Set(codes).size).toBe(codes.length);
});
