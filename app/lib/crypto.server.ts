import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";

const keyOf = (secret: string) => createHash("sha256").update(`nadi|aes|${secret}`).digest();
const idOf = (secret: string) => createHash("sha256").update(`nadi|key-id|${secret}`).digest("hex").slice(0, 8);

/**
 * AES-256-GCM with a key id, so that keys rotate: the first key of the list encrypts, any of them decrypts.
 * @param about associated data: table, column and row, so that a value moved to another row does not open.
 */
export function encrypt(plain: string, keys: readonly [string, ...string[]], about: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(keys[0]), iv);
  cipher.setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return ["v1", idOf(keys[0]), iv.toString("base64url"), cipher.getAuthTag().toString("base64url"), sealed.toString("base64url")].join(".");
}
/** @throws when no key of the list fits, or the value or its place was changed. */
export function decrypt(sealed: string, keys: readonly string[], about: string): string {
  const [version, id, iv, tag, body] = sealed.split(".");
  const secret = keys.find((k) => idOf(k) === id);
  if (version !== "v1" || !secret || !iv || !tag || body === undefined) throw new Error("cannot be decrypted: unknown key or form");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), Buffer.from(iv, "base64url"));
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(Buffer.from(tag, "base64url"));
  return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString("utf8");
}
/** True when the first key of the list sealed it, so that it opens without the others. */
export const isSealedByFirst = (sealed: string, keys: readonly [string, ...string[]]) => sealed.split(".")[1] === idOf(keys[0]);
/** HMAC-SHA-256 under one purpose, hex. */
export const hmac = (value: string, secret: string, purpose: string) =>
  createHmac("sha256", `${purpose}|${secret}`).update(value).digest("hex");
