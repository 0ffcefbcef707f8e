import { describe, expect, test } from "vitest";
import type { Head, Site } from "#app/http/request-head.ts";
import { rulesFinder } from "./find-rules.ts";
import { bodyLimit, checkAddress, checkUnsafe } from "./gates.ts";

const site: Site = { origins: ["https://nadi.example", "http://localhost:3000", "http://[::1]:3000"], trustProxy: 0 };
const head = (over: Partial<Head> & { headers?: Head["headers"] } = {}): Head => ({
  method: "GET",
  url: "/",
  ...over,
  headers: { host: "localhost:3000", ...over.headers },
});
const route = (id: string, path: string, handle: object) => [id, { id, path, parentId: "root", module: { handle } }] as const;
const { rulesOf } = rulesFinder(
  Object.fromEntries([
    ["root", { id: "root", path: "", module: {} }],
    route("patient:/patient/appointments/patient-detail", "patient/appointments/patient-detail", { uploadMb: 64 }),
    route("program:/webhooks/message/:provider", "webhooks/message/:provider", { signed: true }),
    route("visitor:/*", "*", {}),
  ]) as unknown as Parameters<typeof rulesFinder>[0],
  {},
);
const status = (refused: { status: number } | null) => refused?.status ?? "passes";

describe("address", () => {
  test.each([
    ["an ordinary page", head(), "passes"],
    ["the public name", head({ headers: { host: "nadi.example" } }), "passes"],
    ["the public name with its default port", head({ headers: { host: "nadi.example:443" } }), "passes"],
    ["capitals in Host", head({ headers: { host: "NADI.example" } }), "passes"],
    ["an IPv6 name", head({ headers: { host: "[::1]:3000" } }), "passes"],
    ["a forged Host", head({ headers: { host: "evil.example" } }), 421],
    ["our name on another port", head({ headers: { host: "localhost:3001" } }), 421],
    ["our name as a prefix", head({ headers: { host: "nadi.example.evil.example" } }), 421],
    ["a forged X-Forwarded-Host", head({ headers: { host: "evil.example", "x-forwarded-host": "nadi.example" } }), 421],
    ["no Host", head({ headers: { host: undefined } }), 400],
    ["TRACE", head({ method: "TRACE" }), 405],
    ["a made-up method", head({ method: "PROPFIND" }), 405],
    ["OPTIONS", head({ method: "OPTIONS" }), "passes"],
    ["an absolute address", head({ url: "http://evil.example/" }), 400],
    ["an asterisk", head({ method: "OPTIONS", url: "*" }), 400],
    ["8 KB", head({ url: `/${"a".repeat(8191)}` }), "passes"],
    ["more than 8 KB", head({ url: `/${"a".repeat(8192)}` }), 414],
    ["a half escape", head({ url: "/a%" }), 400],
    ["a wrong escape", head({ url: "/a%zz" }), 400],
    ["a path that is no UTF-8", head({ url: "/%ff" }), 400],
    ["an overlong slash", head({ url: "/%c0%af" }), 400],
    ["NUL in the path", head({ url: "/a%00b" }), 400],
    ["NUL in the query", head({ url: "/?q=%00" }), 400],
    ["a half escape in the query", head({ url: "/?q=50%" }), 400],
    ["a backslash", head({ url: "/\\evil.example" }), 400],
    ["a percent sign, escaped", head({ url: "/?q=50%25" }), "passes"],
    ["Telugu", head({ url: "/?q=%E0%B0%A8%E0%B0%BE%E0%B0%A1%E0%B0%BF" }), "passes"],
  ] as const)("%s", (_, h, expected) => expect(status(checkAddress(h, site))).toBe(expected));
});

describe("changes", () => {
  const form = { "content-type": "application/x-www-form-urlencoded", "content-length": "3" };
  const post = (headers: Head["headers"], url = "/dual-patient") => head({ method: "POST", url, headers: { ...form, ...headers } });
  const ours = "http://localhost:3000";
  test.each([
    ["own origin", post({ origin: ours }), true, "passes"],
    ["own origin, same-origin", post({ origin: ours, "sec-fetch-site": "same-origin" }), true, "passes"],
    ["same-origin without Origin", post({ "sec-fetch-site": "same-origin" }), true, "passes"],
    ["typed in (none)", post({ "sec-fetch-site": "none" }), true, "passes"],
    ["cross-site", post({ origin: ours, "sec-fetch-site": "cross-site" }), true, 403],
    ["same-site", post({ "sec-fetch-site": "same-site" }), false, 403],
    ["another origin", post({ origin: "https://evil.example" }), true, 403],
    ["another origin without a session", post({ origin: "https://evil.example" }), false, 403],
    ["another origin that claims same-origin", post({ origin: "https://evil.example", "sec-fetch-site": "same-origin" }), true, 403],
    ["origin null", post({ origin: "null" }), false, 403],
    ["our origin on another port", post({ origin: "http://localhost:3001" }), true, 403],
    ["our origin with http for https", post({ origin: "http://nadi.example" }), true, 403],
    ["neither, with a session", post({}), true, 403],
    ["neither, without a session", post({}), false, "passes"],
    ["neither, with a session and a Referer of ours", post({ referer: `${ours}/patient/profile?x=1` }), true, "passes"],
    ["neither, with a session and a Referer of another site", post({ referer: "https://evil.example/" }), true, 403],
    ["neither, with a session and a Referer that begins like ours", post({ referer: `${ours}.evil.example/` }), true, 403],
    ["neither, with a session and a Referer that is no address", post({ referer: "about" }), true, 403],
    ["an Origin of another site and a Referer of ours", post({ origin: "https://evil.example", referer: `${ours}/` }), true, 403],
    ["cross-site and a Referer of ours", post({ "sec-fetch-site": "cross-site", referer: `${ours}/` }), true, 403],
    [
      "GET from a page of another site",
      head({ headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } }),
      true,
      "passes",
    ],
    ["DELETE is a change too", head({ method: "DELETE" }), true, 403],
    ["no body, no type", head({ method: "POST", headers: { origin: ours, "content-length": "0" } }), true, "passes"],
    ["a body without a type", head({ method: "POST", headers: { origin: ours, "content-length": "3" } }), true, 415],
    ["Multipart/Form-Data", post({ origin: ours, "content-type": "Multipart/Form-Data; boundary=x" }), true, 415],
    ["text/plain", post({ origin: ours, "content-type": "text/plain" }), true, 415],
    [
      "text/plain that a route verifies",
      { ...post({ "content-type": 'text/plain; charset="UTF-8"' }), url: "/webhooks/message/kannel" },
      false,
      "passes",
    ],
    ["a type that only begins like ours", post({ origin: ours, "content-type": "application/jsonp" }), true, 415],
    ["JSON with a charset", post({ origin: ours, "content-type": "application/json; charset=utf-8" }), true, "passes"],
    ["chunked without a type", head({ method: "POST", headers: { origin: ours, "transfer-encoding": "chunked" } }), true, 415],
    ["256 KB", post({ origin: ours, "content-length": "262144" }), true, "passes"],
    ["more than 256 KB", post({ origin: ours, "content-length": "262145" }), true, 413],
    [
      "64 MB of files on an upload page",
      post(
        { origin: ours, "content-type": "multipart/form-data; boundary=x", "content-length": "67108864" },
        "/patient/appointments/patient-detail?doctorId=1",
      ),
      true,
      "passes",
    ],
    [
      "and on the page's .data URL",
      post(
        { origin: ours, "content-type": "multipart/form-data; boundary=x", "content-length": "67108864" },
        "/patient/appointments/patient-detail.data",
      ),
      true,
      "passes",
    ],
    [
      "more than 64 MB",
      post(
        { origin: ours, "content-type": "multipart/form-data; boundary=x", "content-length": "67108865" },
        "/patient/appointments/patient-detail",
      ),
      true,
      413,
    ],
    [
      "files on another page",
      post({ origin: ours, "content-type": "multipart/form-data; boundary=x", "content-length": "300000" }, "/logout"),
      true,
      413,
    ],
    [
      "a large form on an upload page",
      post({ origin: ours, "content-length": "300000" }, "/patient/appointments/patient-detail"),
      true,
      413,
    ],
    ["a large body on a GET", head({ headers: { "content-length": "300000" } }), false, 413],
  ] as const)("%s", (_, h, session, expected) => expect(status(checkUnsafe(h, site, session, rulesOf(h)))).toBe(expected));

  test("limits a chunked body by its page", () => {
    const limitOf = (h: Head) => bodyLimit(h, rulesOf(h));
    const multipart = { "content-type": "multipart/form-data; boundary=x" };
    expect(limitOf(head({ url: "/patient/appointments/patient-detail", headers: multipart }))).toBe(64 * 1024 * 1024);
    expect(limitOf(head({ url: "/patient/appointments/patient-detail/x", headers: multipart }))).toBe(256 * 1024);
  });
});
