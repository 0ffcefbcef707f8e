/** Shared by pages with passkeys: the challenge cookie, and whether passkeys work at this URL. */
import type { RouterContextProvider } from "react-router";
import { passkeySupport } from "#app/domains/platform/accounts/passkey-support.ts";
import { listPasskeys } from "#app/domains/platform/accounts/passkeys.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { actorCtxOf } from "./context.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/** Cookie with the random token that binds a WebAuthn challenge to this browser. */
const NAME = "nadi_passkey";
const LIFE = 5 * 60;

export const passkeyTokenOf = (request: Request) => readCookie(request.headers.get("cookie"), NAME);
export const passkeyCookie = (token: string) => writeCookie(NAME, token, LIFE);
export const clearPasskeyCookie = () => writeCookie(NAME, "", 0);

/** Returns whether passkeys work at the URL of this request, and the reason if not. */
export const passkeySupportAt = (request: Request) => passkeySupport(env().appUrl, new URL(request.url));
export const havePasskeys = (request: Request) => passkeySupportAt(request).state === "yes";

/** Returns the user's passkeys for a page. */
export async function readOwnPasskeys(context: Readonly<RouterContextProvider>, request: Request) {
  return { passkeys: await listPasskeys(actorCtxOf(context)), support: passkeySupportAt(request) };
}
