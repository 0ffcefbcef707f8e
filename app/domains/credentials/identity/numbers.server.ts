import { decrypt, encrypt, hmac } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";
import type { SealedNumber } from "./sealed-numbers.ts";

/** A sealed value that was copied to another doctor does not open: table, column and row are associated data. */
type Keys = readonly [string, ...string[]];
const placeOf = (kind: SealedNumber, doctorId: string) => `${kind === "account" ? "doctor_bank_accounts" : "doctors"}|${kind}|${doctorId}`;

/** What goes into `aadhaarSealed`, `panSealed` and `accountSealed`. `keys`: other than this server's, for whoever fills a database from outside. */
export const sealNumber = (kind: SealedNumber, doctorId: string, value: string, keys: Keys = env().encryptionKeys) =>
  encrypt(value, keys, placeOf(kind, doctorId));
/** The number in full: only for a reveal that is logged. @throws when the key is gone or the value was moved. */
export const openNumber = (kind: SealedNumber, doctorId: string, sealed: string) =>
  decrypt(sealed, env().encryptionKeys, placeOf(kind, doctorId));
/** A keyed hash, under the first key, that finds a second doctor with the same number without opening it. */
export const macOf = (kind: "pan", value: string, keys: Keys = env().encryptionKeys) => hmac(value, keys[0], kind);
/** The hash under every key in use: after a rotation a number of before must still be found. Aadhaar: only before `rehashNumbers`. */
export const macsOf = (kind: "aadhaar" | "pan", value: string) => env().encryptionKeys.map((key) => hmac(value, key, kind));
/** The digits that may be shown. */
export const last4Of = (value: string) => value.slice(-4);
