import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** True for a UUID. Check ids from requests before comparing them with a `uuid` column: Postgres throws on other text. */
export const isUuid = (value: string | undefined | null): value is string => typeof value === "string" && UUID.test(value);
/** Returns the first bits of a hash, as hex, in the form of a UUID of version 8. */
export const uuidOf = (hash: string) =>
  `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
/** 256 random bits, URL-safe. */
export const randomToken = () => randomBytes(32).toString("base64url");
/** Hashes a token for storage. Tokens are random, so an unsalted hash is enough. */
export const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");
const CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/** Returns a random reference code such as "ND-7K3M-Q2XA". Without 0, 1, I and O, because users read it out on the phone. */
export function newReferenceCode(prefix: string): string {
  const characters = [...randomBytes(8)].map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]);
  return `${prefix}-${characters.slice(0, 4).join("")}-${characters.slice(4).join("")}`;
}
/** Compares two strings in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const x = createHash("sha256").update(a).digest();
  const y = createHash("sha256").update(b).digest();
  return timingSafeEqual(x, y);
}
