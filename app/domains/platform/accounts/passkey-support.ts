/** Passkeys belong to a domain name: the host of APP_URL is the relying party id (docs/decisions/042). */
export type PasskeySupport = { state: "yes" } | { state: "ip-address" } | { state: "other-address"; address: string };

/** A passkey in its owner's list. */
export type OwnPasskey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

const isIpAddress = (hostname: string) => /^\d+(\.\d+){3}$/.test(hostname) || hostname.startsWith("[");

/** Returns whether a page at this URL can use passkeys, and if not, why. */
export function passkeySupport(appUrl: URL, here: URL): PasskeySupport {
  if (isIpAddress(appUrl.hostname)) return { state: "ip-address" };
  if (here.host !== appUrl.host) return { state: "other-address", address: appUrl.origin };
  return { state: "yes" };
}
