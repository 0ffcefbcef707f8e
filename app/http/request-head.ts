/** Reads from the head of a request its sender and target. Pure functions. */
import type { IncomingHttpHeaders } from "node:http";
import { isIP, isIPv4 } from "node:net";

export type Head = { method: string; url: string; headers: IncomingHttpHeaders };
/** The settings of this server that checks of a request depend on. */
export type Site = {
  /** Public origins of this server: `https://nadi.example`. */
  origins: readonly string[];
  /** Number of proxies. Behind proxies Host may be internal; the last X-Forwarded-Host is the public one. */
  trustProxy: number;
  /** Origins whose pages may call /api (CORS). */
  apiOrigins?: readonly string[];
};

const UNSAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);
export const isUnsafe = (method: string) => UNSAFE.has(method);

/** True for the JSON API. It ignores cookies, so it is not open to CSRF. */
export const isApi = (url: string) => /^\/api1?([/?]|$)/.test(url);

export const hasBody = ({ headers }: Head) => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Returns our origin that the request is addressed to; null when its Host is unknown. */
export function originOf(head: Head, site: Site): string | null {
  const forwarded =
    site.trustProxy > 0
      ? String(head.headers["x-forwarded-host"] ?? "")
          .split(",")
          .at(-1)!
          .trim()
      : "";
  const host = (forwarded || head.headers.host)?.toLowerCase();
  // Browsers omit the default port; other clients may include it.
  return site.origins.find((origin) => host === new URL(origin).host || host === `${new URL(origin).hostname}:${portOf(origin)}`) ?? null;
}
const portOf = (origin: string) => new URL(origin).port || (origin.startsWith("https:") ? "443" : "80");

/** Returns the client's IP address: the last `trustProxy` entries of X-Forwarded-For are written by our proxies. */
export function clientAddress(remote: string | undefined, forwarded: string | string[] | undefined, trustProxy: number): string {
  const entries = String(forwarded ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  // The sender is the last one also when its socket has closed: otherwise an entry that the client wrote would take its place.
  const chain = [...entries, remote ?? ""];
  const claimed = chain[Math.max(0, chain.length - 1 - trustProxy)]!;
  return plainAddress(claimed) ?? plainAddress(remote ?? "") ?? "unknown";
}

/** Returns an address without port, IPv4 without its IPv6 prefix; null when it is not an IP address. */
function plainAddress(text: string): string | null {
  const bare = text.replace(/^\[([^\]]+)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  const v4 = bare.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv4(v4) ? v4 : isIP(bare) && !bare.includes("%") ? bare : null;
}

/** True for loopback addresses. */
export const isLocal = (address: string | undefined) => address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address);
