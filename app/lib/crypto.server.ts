import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

/** Without this Node accepts a four-byte tag, which an attacker can guess. */
const FULL_TAG = { authTagLength: 16 };

/** Caches derived keys: one page decrypts hundreds of values. */
const derived = new Map<string, { key: KeyObject; id: string }>();
function derive(secret: string) {
  let found = derived.get(secret);
  if (!found) {
    // Row keys use this cache too: bound its size.
    if (derived.size >= 500) derived.clear();
    const digest = (purpose: string) => createHash("sha256").update(`nadi|${purpose}|${secret}`).digest();
    // With a Buffer Node would make a key for each value, which takes longer than to encrypt it.
    found = { key: createSecretKey(digest("aes")), id: digest("key-id").toString("hex").slice(0, 8) };
    derived.set(secret, found);
  }
  return found;
}
const keyOf = (secret: string) => derive(secret).key;
/** Returns an identifier of a secret that does not reveal it. Stored with the ciphertext. */
export const keyIdOf = (secret: string) => derive(secret).id;

/**
 * Encrypts with AES-256-GCM. The output names its key, so keys can rotate: the first key encrypts, any of them decrypts.
 * @param about associated data (table, column, row): a value copied to another row does not decrypt.
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
/** Decrypts what `encrypt` returned. @throws when no key matches, or the value or its associated data was changed */
export function decrypt(sealed: string, keys: readonly string[], about: string): string {
  const [version, id, iv, tag, body] = sealed.split(".");
  const secret = keys.find((k) => keyIdOf(k) === id);
  if (version !== "v1" || !secret || !iv || !tag || body === undefined) throw new Error("cannot be decrypted: unknown key or form");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), Buffer.from(iv, "base64url"), FULL_TAG);
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(Buffer.from(tag, "base64url"));
  return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString("utf8");
}
/** True when the first key encrypted the value, so the others are not needed to decrypt it. */
export const isSealedByFirst = (sealed: string, keys: readonly [string, ...string[]]) => sealed.split(".")[1] === keyIdOf(keys[0]);
/** Returns an HMAC-SHA-256 as hex. `purpose` separates the uses of one secret. */
export const hmac = (value: string, secret: string, purpose: string) =>
  createHmac("sha256", `${purpose}|${secret}`).update(value).digest("hex");
