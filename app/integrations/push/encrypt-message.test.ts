import { createECDH, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decryptPush } from "../../../tests/setup/push-service.ts";
import { areBrowserKeys, encryptMessage } from "./encrypt-message.server.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");
/** RFC 8291, section 5 and appendix A. */
const RFC = {
  text: "When I grow up, I want to be a watermelon",
  keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
  fixed: { salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"), privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), padding: 0 },
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

describe("encryptMessage", () => {
  it("returns the body of RFC 8291, appendix A", () => {
    expect(encryptMessage(RFC.text, RFC.keys, RFC.fixed).toString("base64url")).toBe(RFC.body);
  });

  const ecdh = createECDH("prime256v1");
  const auth = randomBytes(16);
  const keys = { p256dh: ecdh.generateKeys("base64url"), auth: auth.toString("base64url") };
  it.each(["", "x", "నాడి 🩺", "a".repeat(511), "a".repeat(512), "a".repeat(3000)])("is decrypted by the browser: %#", (text) => {
    expect(decryptPush(encryptMessage(text, keys), { ecdh, auth })).toBe(text);
  });
  it("has the same length for different texts, and different bytes for the same text", () => {
    const [a, b, longer] = [encryptMessage("Hello", keys), encryptMessage("Hello", keys), encryptMessage("Hello, dear reader", keys)];
    expect([b.length, longer.length]).toEqual([a.length, a.length]);
    expect(a.equals(b)).toBe(false);
  });
});

it.each([
  ["the keys of the RFC", RFC.keys, true],
  ["a point that is not on the curve", { ...RFC.keys, p256dh: `${RFC.keys.p256dh.slice(0, -2)}AA` }, false],
  ["a short key", { ...RFC.keys, p256dh: "BCVx" }, false],
  ["a short secret", { ...RFC.keys, auth: "BTBZ" }, false],
  ["text", { p256dh: "not a key", auth: "neither" }, false],
])("areBrowserKeys accepts keys of a browser only: %s", (_, keys, expected) => expect(areBrowserKeys(keys)).toBe(expected));
