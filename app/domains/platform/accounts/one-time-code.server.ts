/**
 * Creates, verifies and stores one-time codes with remix-auth-totp. Used as its README shows it allows account takeover
 * (docs/decisions/003): therefore its `_totp` jar is stored in our row, encrypted. The browser gets a random id, and no `_totp`
 * cookie is ever read from it or sent to it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { Authenticator } from "remix-auth";
import { TOTPStrategy } from "remix-auth-totp";
import type { OtpPurpose } from "#app/db/schema/index.ts";
import { decrypt, encrypt, hmac } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";

/** Spec 001 §9 and spec 000 §9, in seconds. */
export const CODE_LIFE: Record<OtpPurpose, number> = {
  "patient-login": 120,
  "doctor-login": 300,
  "doctor-register": 300,
  "password-reset": 600,
  "confirm-identity": 300,
};
/** Passes the code out of the strategy, which gives its callbacks a copy of our request. */
const made = new AsyncLocalStorage<{ code: string | null }>();

const known = new Map<string, Authenticator<void>>();
/** One strategy and one derived key per purpose, for each session secret in use. */
function strategies(secret: string): Authenticator<void> {
  const there = known.get(secret);
  if (there) return there;
  const authenticator = new Authenticator<void>();
  for (const [purpose, period] of Object.entries(CODE_LIFE))
    authenticator.use(
      new TOTPStrategy<void>(
        {
          secret: hmac("totp", secret, purpose),
          emailFieldKey: "phone",
          emailSentRedirect: "/sent",
          successRedirect: "/ok",
          failureRedirect: "/fail",
          totpGeneration: { period, digits: 6, charSet: "0123456789", algorithm: "SHA-256" },
          validateEmail: async (phone) => /^\+91\d{10}$/.test(phone),
          sendTOTP: async ({ code }) => {
            const note = made.getStore();
            if (note) note.code = code;
          },
        },
        async () => {},
      ),
      purpose,
    );
  known.set(secret, authenticator);
  return authenticator;
}

/** Calls a strategy with an internal request and catches the Response it throws. */
export async function callStrategy(
  secret: string,
  purpose: OtpPurpose,
  form: Record<string, string>,
  jar?: string,
): Promise<{ place: string | null; jar: string; code: string | null }> {
  const note = { code: null };
  const request = new Request("http://internal.invalid/otp", {
    method: "POST",
    headers: jar ? { cookie: jar } : {},
    body: new URLSearchParams(form),
  });
  try {
    await made.run(note, () => strategies(secret).authenticate(purpose, request));
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    const own = thrown.headers
      .getSetCookie()
      .filter((c) => c.startsWith("_totp="))
      .at(-1);
    return { place: thrown.headers.get("location"), jar: own?.split(";")[0] ?? "", code: note.code };
  }
  throw new Error("the strategy did not answer");
}

export const codeMac = (secret: string, purpose: OtpPurpose, idHash: string, code: string) =>
  hmac(`${idHash}|${code}`, secret, `otp-code|${purpose}`);
export const sealed = (value: string, idHash: string, column: string) =>
  encrypt(value, env().encryptionKeys, `otp_challenges|${column}|${idHash}`);
export const opened = (value: string, idHash: string, column: string) =>
  decrypt(value, env().encryptionKeys, `otp_challenges|${column}|${idHash}`);

export const sealPayload = (idHash: string, payload: unknown) => sealed(JSON.stringify(payload), idHash, "payload");
export const openPayload = (row: { idHash: string; payload: string | null }): unknown =>
  row.payload === null ? null : JSON.parse(opened(row.payload, row.idHash, "payload"));
