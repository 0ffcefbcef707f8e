import { describe, expect, test } from "vitest";
import { clientAddress, isApi, isLocal, isUnsafe, originOf } from "./request-head.ts";

test("uses the last X-Forwarded-Host behind a proxy", () => {
  const site = { origins: ["https://nadi.example"], trustProxy: 0 };
  const h = { method: "GET", url: "/", headers: { host: "10.0.0.7:3000", "x-forwarded-host": "evil.example, nadi.example" } };
  expect(originOf(h, { ...site, trustProxy: 1 })).toBe("https://nadi.example");
  expect(originOf(h, site)).toBeNull();
});

test("ignores spaces around it, and has no origin without a Host", () => {
  const site = { origins: ["https://nadi.example", "http://localhost:3000"], trustProxy: 1 };
  const of = (headers: Record<string, string>) => originOf({ method: "GET", url: "/", headers }, site);
  expect(of({ "x-forwarded-host": " nadi.example " })).toBe("https://nadi.example");
  expect(of({ host: "NADI.example:443" })).toBe("https://nadi.example");
  expect(of({ host: "nadi.example:80" })).toBeNull();
  expect(of({ host: "localhost:3000", "x-forwarded-host": "" })).toBe("http://localhost:3000");
  expect(
    originOf({ method: "GET", url: "/", headers: { host: "plain.example:80" } }, { origins: ["http://plain.example"], trustProxy: 0 }),
  ).toBe("http://plain.example");
  expect(of({})).toBeNull();
  expect(of({ host: "" })).toBeNull();
});

test("forms and calls change something, reading does not", () => {
  expect(["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD", "OPTIONS", ""].filter(isUnsafe)).toEqual(["POST", "PUT", "PATCH", "DELETE"]);
});

test("the API begins with its path", () => {
  expect(["/api", "/api/", "/api?x=1", "/api1", "/api1/x", "/api1?x"].filter(isApi)).toHaveLength(6);
  expect(["/apis", "/api2", "/x/api/y", "/doctor/api", ""].filter(isApi)).toEqual([]);
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
    ["one proxy, an empty header", "127.0.0.1", "", 1, "127.0.0.1"],
    ["empty entries", "10.0.0.2", " , 203.0.113.5 , ", 1, "203.0.113.5"],
    ["longer parts with a port", "127.0.0.1", "203.113.113.155:4711", 1, "203.113.113.155"],
    ["a port and more", "127.0.0.1", "203.0.113.5:4711x", 1, "127.0.0.1"],
    ["words before an address", "127.0.0.1", "x203.0.113.5:4711", 1, "127.0.0.1"],
    ["IPv6 in brackets", "127.0.0.1", "[2001:db8::1]", 1, "2001:db8::1"],
    ["words around brackets", "127.0.0.1", "x[2001:db8::1]", 1, "127.0.0.1"],
    ["brackets and more", "127.0.0.1", "[2001:db8::1]x", 1, "127.0.0.1"],
    ["brackets around the end of an address", "127.0.0.1", "2001:[db8::1]", 1, "127.0.0.1"],
    ["brackets around its beginning", "127.0.0.1", "[2001:db8::]1", 1, "127.0.0.1"],
    ["IPv4 in IPv6 with a port, without brackets", "127.0.0.1", "::ffff:203.0.113.5:4711", 1, "127.0.0.1"],
    ["another IPv6 that ends like IPv4", "127.0.0.1", "1::ffff:2.3.4.5", 1, "1::ffff:2.3.4.5"],
    ["rubbish from both", "nonsense", "<script>", 1, "unknown"],
    ["a socket that has gone", undefined, undefined, 0, "unknown"],
    ["a socket that has gone: the header is not believed", undefined, "6.6.6.6", 0, "unknown"],
    ["one proxy, a socket that has gone", undefined, "6.6.6.6, 203.0.113.5", 1, "203.0.113.5"],
  ] as const)("%s", (_, remote, forwarded, proxies, expected) => expect(clientAddress(remote, forwarded, proxies)).toBe(expected));

  test.each([
    ["127.0.0.1", true],
    ["127.8.9.1", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["10.0.0.1", false],
    ["10.127.0.1", false],
    ["::1:2", false],
    ["2001:db8::1", false],
    ["", false],
    [undefined, false],
  ])("%s is local: %s", (address, expected) => expect(isLocal(address)).toBe(expected));
});
