import { describe, expect, it } from "vitest";
import { containsPhone, isEasyToType } from "./password-rules.ts";

describe("a password that is easy to type", () => {
  it.each([
    "abcdef",
    "nadi1234",
    "nadinadi",
    "nadi@123",
    "qwertyuiop",
    "zxcvbnm",
    "1qaz2wsx",
    "987654321",
    "aaaaaaaa",
    "abcxyz123",
    "fedcba",
    "nadi2026",
    "asdfgh12",
  ])("is refused: %s", (password) => expect(isEasyToType(password)).toBe(true));
  it.each(["correct horse", "brk7-tulip", "granadilla", "my nadi password", "t9#kLq", "monsoon-42", "pune-to-goa"])(
    "is not %s",
    (password) => expect(isEasyToType(password.toLowerCase())).toBe(false),
  );
});

describe("a password with the owner's phone", () => {
  const phone = "+919876512340";
  it.each(["9876512340", "dr9876512340", "+91 98765 12340", "987651", "12340dr765123", "ravi9876512340kumar"])(
    "is refused: %s",
    (password) => expect(containsPhone(password, phone)).toBe(true),
  );
  it.each(["98765", "monsoon 987651", "1234567890", "correct horse"])("is not %s", (password) =>
    expect(containsPhone(password, phone)).toBe(false),
  );
  it("needs a phone", () => expect(containsPhone("9876512340", null)).toBe(false));
});
