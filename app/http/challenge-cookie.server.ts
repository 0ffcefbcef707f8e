import { env } from "#app/env.server.ts";
import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/** The random id of a one-time-code challenge: all the browser ever holds of it. One cookie for each door. */
export type Door = "patient" | "doctor" | "confirm";
const nameOf = (door: Door) => `nadi_otp_${door}`;
/** Outlives the code, so that a late person is told that it ran out. */
const LIFE = 30 * 60;

export const challengeIdOf = (request: Request, door: Door) => readCookie(request.headers.get("cookie"), nameOf(door));
export const challengeCookie = (door: Door, id: string) => writeCookie(nameOf(door), id, LIFE);
export const clearChallengeCookie = (door: Door) => writeCookie(nameOf(door), "", 0);

/** What a doctor typed, sealed: it comes back into the fields after Edit Details and after a refused login. Never the password. */
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
