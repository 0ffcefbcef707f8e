import { decrypt, encrypt, hmac } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";
import type { SealedNumber } from "./sealed-numbers.ts";

/** Associated data is table, column and row: a value copied to another doctor does not decrypt. */
type Keys = readonly [string, ...string[]];
const placeOf = (kind: SealedNumber, doctorId: string) => `${kind === "account" ? "doctor_bank_accounts" : "doctors"}|${kind}|${doctorId}`;

/**
 * Encrypts a number for `aadhaarSealed`, `panSealed` or `accountSealed`. `keys`: those of another server, for scripts that fill
 * its database.
 */
export const sealNumber = (kind: SealedNumber, doctorId: string, value: string, keys: Keys = env().encryptionKeys) =>
  encrypt(value, keys, placeOf(kind, doctorId));
/** Decrypts the full number. Only for a reveal with an audit row. @throws when the key is gone or the value was moved. */
export const openNumber = (kind: SealedNumber, doctorId: string, sealed: string) =>
  decrypt(sealed, env().encryptionKeys, placeOf(kind, doctorId));
/** Returns the keyed hash under the first key, which finds a second doctor with the same number without decryption. */
export const macOf = (kind: "pan", value: string, keys: Keys = env().encryptionKeys) => hmac(value, keys[0], kind);
/** Returns the hash under every key in use, to find numbers stored before a rotation. Aadhaar: only before `rehashNumbers`. */
export const macsOf = (kind: "aadhaar" | "pan", value: string) => env().encryptionKeys.map((key) => hmac(value, key, kind));
/** Returns the digits that may be shown. */
export const last4Of = (value: string) => value.slice(-4);
