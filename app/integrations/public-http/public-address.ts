/**
 * Which addresses the product may call for a user: only public unicast addresses. The lists are the IANA registries of special-purpose
 * addresses. IPv6 is refused outside 2000::/3, which excludes mapped, NAT64, unique local and link-local addresses.
 */
import { BlockList, isIP } from "node:net";

const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Inside 2000::/3: protocol assignments with Teredo and ORCHID, documentation, 6to4, AS112. */
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

function listOf(ranges: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, prefix] = range.split("/") as [string, string];
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
const specialIpv4 = listOf(SPECIAL_IPV4, "ipv4");
const specialIpv6 = listOf(SPECIAL_IPV6, "ipv6");
const globalIpv6 = listOf(["2000::/3"], "ipv6");

/** Returns true for a public unicast address in its canonical form, as DNS and WHATWG URLs return it. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialIpv4.check(address, "ipv4");
  if (family === 6) return !address.includes("%") && globalIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6");
  return false;
}

/** Ports that a receiver may use. A list keeps other services of a host out of reach. */
const PORTS = new Set(["", "8443"]);

/**
 * Reads the address of a receiver; null when it must not be called: https on port 443 or 8443, no user or password, no private address. A name
 * is checked again when it is resolved (post-public.server.ts).
 * @param testOrigin an origin that is accepted as it is, also with http
 */
export function readPublicUrl(typed: string, testOrigin?: string): URL | null {
  if (!URL.canParse(typed.trim())) return null;
  const url = new URL(typed.trim());
  url.hash = "";
  if (url.username || url.password) return null;
  if (testOrigin && url.origin === testOrigin) return url;
  if (url.protocol !== "https:" || !PORTS.has(url.port)) return null;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(host)) return isPublicAddress(host) ? url : null;
  // A name without a dot, and names of local networks, are never public.
  return /^(?=.{4,253}$)([a-z0-9_-]+\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(host) &&
    !/(^|\.)(localhost|local|internal|test|invalid|home\.arpa)$/.test(host)
    ? url
    : null;
}
