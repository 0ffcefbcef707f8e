import { describe, expect, test } from "vitest";
import { clientAddress, isLocal, originOf } from "./request-head.ts";

test("uses the last X-Forwarded-Host behind a proxy", () => {
  const site = { origins: ["https://nadi.example"], trustProxy: 0 };
  const h = { method: "GET", url: "/", headers: { host: "10.0.0.7:3000", "x-forwarded-host": "evil.example, nadi.example" } };
  expect(originOf(h, { ...site, trustProxy: 1 })).toBe("https://nadi.example");
  expect(originOf(h, site)).toBeNull();
});

describe("client address", () => {
  test.each([
    ["no proxy: the header is not believed", "203.0.113.5", "1.1.1.1", 0, "203.0.113.5"],
    ["one proxy: the last entry", "127.0.0.1", "6.6.6.6, 203.0.113.5", 1, "203.0.113.5"],
    ["two proxies", "127.0.0.1", "6.6.6.6, 203.0.113.5, 10.0.0.1", 2, "203.0.113.5"],
    ["fewer entries than proxies", "10.0.0.2", "203.0.113.5", 3, "203.0.113.5"],
    ["one proxy, no header", "127.0.0.1", undefined, 1, "127.0.0.1"],
    ["IPv4 in IPv6", "::ffff:203.0.113.5", undefined, 0, "203.0.113.5"],
    ["with a port", "127.0.0.1", "203.0.113.5:4711", 1, "203.0.113.5"],
    ["IPv6 with a port", "127.0.0.1", "[2001:db8::1]:4711", 1, "2001:db8::1"],
    ["rubbish", "127.0.0.1", "<script>", 1, "127.0.0.1"],
    ["an address out of range", "127.0.0.1", "999.999.999.999", 1, "127.0.0.1"],
    ["an IPv6 zone", "127.0.0.1", "fe80::1%eth0", 1, "127.0.0.1"],
    ["a socket that has gone", undefined, undefined, 0, "unknown"],
  ] as const)("%s", (_, remote, forwarded, proxies, expected) => expect(clientAddress(remote, forwarded, proxies)).toBe(expected));

  test.each([
    ["127.0.0.1", true],
    ["127.8.9.1", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["10.0.0.1", false],
    [undefined, false],
  ])("%s is local: %s", (address, expected) => expect(isLocal(address)).toBe(expected));
});
