import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { isRandom } from "./entropy.ts";

it.each(["hex", "base64", "base64url"] as const)("takes random bytes in %s for random", (encoding) => {
  for (let i = 0; i < 500; i++) expect(isRandom(randomBytes(32).toString(encoding))).toBe(true);
});

it.each([
  "ssssssssssssssssssssssssssssssss",
  "abababababababababababababababab",
  "passwordpasswordpasswordpassword",
  "0123456789abcdef0123456789abcdef",
  "abcdefghijklmnopqrstuvwxyz0123456789",
  "00000000000000000000000000000001",
  "changemechangemechangemechangeme",
])("refuses %s", (key) => expect(isRandom(key)).toBe(false));
