import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";

/** Without it Node accepts a tag of four bytes, which can be guessed. */
const FULL_TAG = { authTagLength: 16 };

/** Derived once for each secret: a page opens hundreds of values. */
const derived = new Map<string, { key: Buffer; id: string }>();
function derive(secret: string) {
  let found = derived.get(secret);
  if (!found) {
    // The keys of single rows pass through here too.
    if (derived.size >= 500) derived.clear();
    const digest = (purpose: string) => createHash("sha256").update(`nadi|${purpose}|${secret}`).digest();
    found = { key: digest("aes"), id: digest("key-id").toString("hex").slice(0, 8) };
    derived.set(secret, found);
  }
  return found;
}
const keyOf = (secret: string) => derive(secret).key;
/** Names a secret without revealing it; written beside what it sealed. */
export const keyIdOf = (secret: string) => derive(secret).id;

/**
 * AES-256-GCM with a key id, so that keys rotate: the first key of the list encrypts, any of them decrypts.
 * @param about associated data: table, column and row, so that a value moved to another row does not open.
 */
export function encrypt(plain: string, keys: readonly [string, ...string[]], about: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(keys[0]), iv, FULL_TAG);
  cipher.setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return ["v1", keyIdOf(keys[0]), iv.toString("base64url"), cipher.getAuthTag().toString("base64url"), sealed.toString("base64url")].join(
    ".",
  );
}
/** @throws when no key of the list fits, or the value or its place was changed. */
export function decrypt(sealed: string, keys: readonly string[], about: string): string {
  const [version, id, iv, tag, body] = sealed.split(".");
  const secret = keys.find((k) => keyIdOf(k) === id);
  if (version !== "v1" || !secret || !iv || !tag || body === undefined) throw new Error("cannot be decrypted: unknown key or form");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), Buffer.from(iv, "base64url"), FULL_TAG);
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(Buffer.from(tag, "base64url"));
  return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString("utf8");
}
/** True when the first key of the list sealed it, so that it opens without the others. */
export const isSealedByFirst = (sealed: string, keys: readonly [string, ...string[]]) => sealed.split(".")[1] === keyIdOf(keys[0]);
/** HMAC-SHA-256 under one purpose, hex. */
export const hmac = (value: string, secret: string, purpose: string) =>
  createHmac("sha256", `${purpose}|${secret}`).update(value).digest("hex");
