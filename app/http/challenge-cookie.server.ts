import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/** Login pages and step-up: each has its own cookie with the random id of a one-time-code challenge. */
export type Door = "patient" | "doctor" | "confirm";
const nameOf = (door: Door) => `nadi_otp_${door}`;
/** Seconds. Longer than the code is valid, so that a late user sees that it has expired. */
const LIFE = 30 * 60;

export const challengeIdOf = (request: Request, door: Door) => readCookie(request.headers.get("cookie"), nameOf(door));
export const challengeCookie = (door: Door, id: string) => writeCookie(nameOf(door), id, LIFE);
export const clearChallengeCookie = (door: Door) => writeCookie(nameOf(door), "", 0);

/** Encrypted login input of a doctor, without the password: fills the fields after Edit Details and a refused login. */
export type TypedLogin = { email: string; mobile: string };
const TYPED = "nadi_typed";
export const typedCookie = (typed: TypedLogin) => writeCookie(TYPED, encrypt(JSON.stringify(typed), env().encryptionKeys, TYPED), LIFE);
export const clearTypedCookie = () => writeCookie(TYPED, "", 0);
export function readTyped(request: Request): TypedLogin | null {
  const sealed = readCookie(request.headers.get("cookie"), TYPED);
  if (!sealed) return null;
  try {
    return JSON.parse(decrypt(sealed, env().encryptionKeys, TYPED)) as TypedLogin;
  } catch {
    return null;
  }
}
