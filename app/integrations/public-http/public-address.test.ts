import { describe, expect, it } from "vitest";
import { isPublicAddress, readPublicUrl } from "./public-address.ts";

describe("isPublicAddress", () => {
  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "192.0.3.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4009::200e"])(
    "accepts %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2620:4f:8000::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "example.com",
    "127.1",
  ])("refuses %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("readPublicUrl", () => {
  it.each([
    ["https://example.com/nadi", "https://example.com/nadi"],
    ["https://hooks.example.co.in:8443/a?b=c#d", "https://hooks.example.co.in:8443/a?b=c"],
    ["https://example.com:443/", "https://example.com/"],
    ["  https://8.8.8.8/x ", "https://8.8.8.8/x"],
    ["https://[2606:4700::1111]/", "https://[2606:4700::1111]/"],
    ["https://उदाहरण.भारत/", "https://xn--p1b6ci4b4b3a.xn--h2brj9c/"],
  ])("accepts %s", (typed, href) => {
    expect(readPublicUrl(typed)?.href).toBe(href);
  });
  it.each([
    "",
    "example.com",
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "https://user:pass@example.com/",
    "https://user@example.com/",
    "https://example.com:22/",
    "https://example.com:5432/",
    "https://localhost/",
    "https://localhost./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://intranet/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://017700000001/",
    "https://0177.0.0.01/",
    "https://①②⑦.0.0.1/",
    "https://0/",
    "https://169.254.169.254/latest/meta-data/",
    "https://192.168.0.1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[2002:7f00:1::]/",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
  ])("refuses %s", (typed) => {
    expect(readPublicUrl(typed)).toBeNull();
  });
  it("accepts the test origin as it is, and no other port or scheme of it", () => {
    const origin = "http://127.0.0.1:4545";
    expect(readPublicUrl("http://127.0.0.1:4545/hook", origin)?.href).toBe("http://127.0.0.1:4545/hook");
    for (const other of ["http://127.0.0.1:4546/", "https://127.0.0.1:4545/", "http://localhost:4545/", "http://u:p@127.0.0.1:4545/"])
      expect(readPublicUrl(other, origin)).toBeNull();
  });
});
