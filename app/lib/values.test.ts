import { describe, expect, it } from "vitest";
import { decrypt, encrypt } from "./crypto.server.ts";
import { isUuid, newReferenceCode, sameSecret } from "./ids.server.ts";
import { formatRupees, fromRupees, rupeesPlain } from "./money.ts";
import { formatPhone, isContactNumber, maskPhone, normalisePhone } from "./phone.ts";

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

describe("phone (spec 001 §5: ten digits)", () => {
  it.each([
    ["98765 43210", "+919876543210"],
    ["+91-98765-43210", "+919876543210"],
    ["+91 98765 43210", "+919876543210"],
    ["(+91) 98765.43210", "+919876543210"],
    ["09876543210", "+919876543210"],
    ["0 98765 43210", "+919876543210"],
    ["919876543210", "+919876543210"],
    ["91 98765 43210", "+919876543210"],
    ["9198765432", "+919198765432"],
    ["[987] 654–3210", "+919876543210"],
    ["\u202a+91 98765 43210\u202c", "+919876543210"],
    ["98765\u00a043210\u200b", "+919876543210"],
    ["\u2066+91\u201198765\u201143210\u2069", "+919876543210"],
    ["+91 ౯౮౭౬౫ ౪౩౨౧౦", "+919876543210"],
    ["९८७६५ ४३२१०", "+919876543210"],
    // Another person's number would be inside.
    ["98765 43210 5", null],
    ["5 98765 43210", null],
    ["+971 50 123 4567", null],
    ["971501234567", null],
    ["+1 987 654 3210", null],
    ["+9876543210", null],
    ["+0 98765 43210", null],
    ["+91 098765 43210", null],
    ["+91 98765 43210 5", null],
    ["+91 98765 4321", null],
    ["91 98765 43210 5", null],
    ["0098765 43210", null],
    ["091 98765 43210", null],
    ["98765 43210, 91234 56789", null],
    ["98765 43210 ext 5", null],
    ["98765+43210", null],
    ["98765/43210", null],
    ["987654321", null],
    ["", null],
    ["phone", null],
  ])("%j is %s", (typed, phone) => expect(normalisePhone(typed)).toBe(phone));
  it("formats and masks", () => {
    expect(formatPhone("+919876543210")).toBe("+91 98765 43210");
    expect(maskPhone("+919876543210")).toBe("+91 ••••• •3210");
    for (const other of ["tel:+919876543210", "+9198765432101"]) expect(formatPhone(other)).toBe(other);
  });
  it("accepts landlines as hospitals write them, of six to fifteen digits", () => {
    const numbers = ["0866 247 4301", "+91 (866) 247-4301", "0866/2474301", "247430", "123456789012345"];
    const others = ["24743", "1234567890123456", "Office 247430", "247430 ext 5"];
    expect([...numbers, ...others].filter(isContactNumber)).toEqual(numbers);
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
