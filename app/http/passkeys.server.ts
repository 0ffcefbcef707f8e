/** What pages with passkeys share: the cookie of a challenge, and whether passkeys work at this address. */
import type { RouterContextProvider } from "react-router";
import { passkeySupport } from "#app/domains/accounts/passkey-support.ts";
import { listPasskeys } from "#app/domains/accounts/passkeys.server.ts";
import { env } from "#app/env.server.ts";
import { actorCtxOf } from "./context.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/** The random token of a WebAuthn challenge: it binds the challenge to this browser. */
const NAME = "nadi_passkey";
const LIFE = 5 * 60;

export const passkeyTokenOf = (request: Request) => readCookie(request.headers.get("cookie"), NAME);
export const passkeyCookie = (token: string) => writeCookie(NAME, token, LIFE);
export const clearPasskeyCookie = () => writeCookie(NAME, "", 0);

/** Whether passkeys work at the address of this request, and if not, why. */
export const passkeySupportAt = (request: Request) => passkeySupport(env().appUrl, new URL(request.url));
export const havePasskeys = (request: Request) => passkeySupportAt(request).state === "yes";

/** What a page shows of the acting user's passkeys. */
export async function readOwnPasskeys(context: Readonly<RouterContextProvider>, request: Request) {
  return { passkeys: await listPasskeys(actorCtxOf(context)), support: passkeySupportAt(request) };
}
