import { expect, it } from "vitest";
import type { Site } from "#app/http/request-head.ts";
import { crossSite } from "./csrf.ts";

// Pages and forms: gates.test.ts.
const APP = "https://partner.example";
const site: Site = { origins: ["https://nadi.example"], trustProxy: 0, apiOrigins: [APP] };
const ask = (url: string, headers: Record<string, string>, over: Partial<Site> = {}, method = "POST") =>
  crossSite({ method, url, headers }, { ...site, ...over }, true);

it("a listed origin may call the API, from its own pages, and nothing else", () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const call = (url: string, headers: Record<string, string>, over = {}) => ask(url, headers, over, method);
    expect(call("/api/appointments", { origin: APP, "sec-fetch-site": "cross-site" })).toBeNull();
    expect(call("/logout", { origin: APP })).toBe("other origin");
    expect(call("/api/appointments", { origin: "https://evil.example" })).toBe("other origin");
    expect(call("/api/appointments", { origin: APP }, { apiOrigins: [] })).toBe("other origin");
    expect(call("/api/appointments", { origin: APP }, { apiOrigins: undefined })).toBe("other origin");
    expect(call("/api/appointments", { "sec-fetch-site": "cross-site" })).toBe("cross-site");
    // A phone app sends neither.
    expect(call("/api/appointments", {})).toBeNull();
  }
});
it("a path that only contains that of the API is a page", () => {
  for (const url of ["/doctor/api/x", "/apis", "/api2/x"]) expect(ask(url, { origin: APP })).toBe("other origin");
  for (const url of ["/api", "/api1", "/api?x", "/api1/x"]) expect(ask(url, { origin: APP })).toBeNull();
});
it("a form without Origin needs one of our pages as its Referer", () => {
  const form = (referer?: string) => ask("/logout", referer === undefined ? {} : { referer });
  expect(form("https://nadi.example/patient/profile")).toBeNull();
  for (const referer of [undefined, "", "nonsense", "https://evil.example/https://nadi.example/"])
    expect(form(referer)).toBe("session without origin");
  expect(crossSite({ method: "POST", url: "/dual-patient", headers: {} }, site, false)).toBeNull();
});
