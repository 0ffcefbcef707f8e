import { expect, it } from "vitest";
import { newVapidPair, vapidPairOf, vapidPublicKey } from "./vapid.server.ts";

it("makes pairs that belong together, another one each time", () => {
  const pairs = Array.from({ length: 50 }, newVapidPair);
  for (const { publicKey, privateKey } of pairs) expect(vapidPublicKey(privateKey)).toBe(publicKey);
  expect(new Set(pairs.map((pair) => pair.privateKey)).size).toBe(50);
});

it("returns the same pair for the same secret", () => {
  expect(vapidPairOf("one")).toEqual(vapidPairOf("one"));
  expect(vapidPairOf("one").privateKey).not.toBe(vapidPairOf("two").privateKey);
});

it.each(["", "short", Buffer.alloc(32).toString("base64url"), Buffer.alloc(32, 255).toString("base64url")])(
  "knows that %j is no private key",
  (text) => expect(vapidPublicKey(text)).toBeNull(),
);
