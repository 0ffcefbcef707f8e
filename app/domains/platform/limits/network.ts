import { isIP } from "node:net";

/**
 * Returns the networks that limits count for an address, narrowest first: a complete IPv4 address, or the /64 (one household or
 * phone) and the /48 (one site) of an IPv6 address. IPv4 inside IPv6 counts as IPv4.
 */
export function networksOf(address: string): [string, ...string[]] {
  const groups = groupsOf(address);
  if (!groups) return [address];
  const v4 = embeddedIPv4(groups);
  if (v4) return [v4];
  const prefix = (count: number) =>
    groups
      .slice(0, count)
      .map((group) => group.toString(16))
      .join(":");
  return [`${prefix(4)}::/64`, `${prefix(3)}::/48`];
}

/** Returns true when two addresses belong to one household or phone: the same IPv4 address or the same IPv6 /64. */
export const sameNetwork = (a: string | null, b: string | null) => a !== null && b !== null && networksOf(a)[0] === networksOf(b)[0];

/** Returns the eight groups of an IPv6 address; null for anything else. */
function groupsOf(address: string): number[] | null {
  if (isIP(address) !== 6) return null;
  const bare = address.split("%", 1)[0] ?? "";
  const text = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(":"),
  );
  const [head = "", tail] = text.split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

/** Returns the IPv4 address inside ::ffff:0:0/96 (mapped) or 64:ff9b::/96 (NAT64). */
function embeddedIPv4(groups: number[]): string | null {
  const prefix = groups.slice(0, 6).join();
  if (prefix !== "0,0,0,0,0,65535" && prefix !== "100,65435,0,0,0,0") return null;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
