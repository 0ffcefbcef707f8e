import { describe, expect, it } from "vitest";
import { passkeySupport } from "./passkey-support.ts";

const at = (appUrl: string, here = appUrl) => passkeySupport(new URL(appUrl), new URL(here));

describe("passkeySupport", () => {
  it.each(["https://nadi.example", "http://localhost:3000", "https://a.b.example:8443"])("allows passkeys at %s", (url) =>
    expect(at(url)).toEqual({ state: "yes" }),
  );
  it.each(["http://127.0.0.1:3000", "https://10.0.0.7", "http://[::1]:3000", "https://[2001:db8::1]"])("refuses the IP address %s", (url) =>
    expect(at(url)).toEqual({ state: "ip-address" }),
  );
  it("names the right address to a visitor of another one", () =>
    expect(at("http://localhost:3000", "http://127.0.0.1:3000/dual-doctor")).toEqual({
      state: "other-address",
      address: "http://localhost:3000",
    }));
});
