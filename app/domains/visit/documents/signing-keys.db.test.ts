import { expect, it } from "vitest";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { canonicalJson } from "./canonical.ts";
import { isSignedText, signText } from "./signing-keys.server.ts";

const { db } = testDb();
const [OLD, NEW] = ["o".repeat(32), "n".repeat(32)];

it("verifies what an old key signed while the list has it, and not after", async () => {
  const signed = await signText(db, "text", [OLD]);
  expect(await isSignedText(db, "text", signed, [NEW, OLD])).toBe(true);
  expect(await isSignedText(db, "texT", signed, [NEW, OLD])).toBe(false);
  expect(await isSignedText(db, "text", signed, [NEW])).toBe(false);
  const later = await signText(db, "text", [NEW, OLD]);
  expect(later.keyId).not.toBe(signed.keyId);
  expect(await isSignedText(db, "text", { ...later, keyId: signed.keyId }, [NEW, OLD])).toBe(false);
});

it("signs with a key of the database without SIGNING_KEYS, which still verifies when they are set", async () => {
  const signed = await signText(db, "text", []);
  expect(await isSignedText(db, "text", signed, [NEW])).toBe(true);
});

it("writes the same JSON for the same content, whatever the order of its keys", () => {
  expect(canonicalJson({ b: [1, { z: null, a: "½" }], a: true })).toBe(canonicalJson({ a: true, b: [1, { a: "½", z: null }] }));
  expect(canonicalJson({ b: 1, a: "x" })).toBe('{"a":"x","b":1}');
});
