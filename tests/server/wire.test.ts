import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Browser, raw } from "../setup/http.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let patient: LoggedIn;
beforeAll(async () => {
  server = await startServer();
  patient = await loginAs(server, DEMO.patient);
});
afterAll(() => server?.stop());

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const asset = async () =>
  /href="(\/assets\/visitors-[^"]+\.css)"/.exec((await new Browser(server.url).get("/choose-role")).text)?.[1] ?? "";

describe("headers", () => {
  const always = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "geolocation=(self), microphone=(), camera=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
  const cases: [string, number, () => Promise<{ status: number; headers: Headers | Record<string, unknown> }>][] = [
    ["a page", 200, () => new Browser(server.url).get("/choose-role")],
    ["a page for a logged in user", 200, () => patient.get("/patient-dashboard")],
    ["a redirect", 303, () => new Browser(server.url).get("/patient/calendar")],
    ["a page that does not exist", 404, () => new Browser(server.url).get("/nowhere")],
    ["a file", 200, async () => new Browser(server.url).get(await asset())],
    ["a file that does not exist", 404, () => new Browser(server.url).get("/assets/nothing.js")],
    ["a malformed address", 400, () => raw(server.url, { path: "/%" })],
    [
      "a post of another origin",
      403,
      () => raw(server.url, { method: "POST", path: "/dual-patient", headers: { ...FORM, origin: "https://evil.example" }, body: "a=b" }),
    ],
    ["an unknown method", 405, () => raw(server.url, { method: "TRACE" })],
    [
      "a large post",
      413,
      () =>
        raw(server.url, {
          method: "POST",
          path: "/dual-patient",
          headers: { ...FORM, "content-length": "300000" },
          body: Buffer.alloc(300_000, "a"),
        }),
    ],
    [
      "a wrong type",
      415,
      () => raw(server.url, { method: "POST", path: "/dual-patient", headers: { "content-type": "text/plain" }, body: "a=b" }),
    ],
    ["a forged Host", 421, () => raw(server.url, { headers: { host: "evil.example" } })],
    ["health", 200, () => new Browser(server.url).get("/healthz")],
    ["a socket without a session", 400, () => raw(server.url, { path: "/socket.io/?EIO=4&transport=nothing" })],
  ];
  test.each(cases)("%s (%i)", async (_, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    const value = (name: string) => (answer.headers instanceof Headers ? answer.headers.get(name) : answer.headers[name]);
    for (const [name, expected] of Object.entries(always)) expect(value(name), name).toBe(expected);
    expect(value("cache-control"), "cache-control").toBeTruthy();
    expect(value("strict-transport-security")).toBeFalsy();
  });

  test("the policy allows only our own scripts, by nonce", async () => {
    const { headers, text } = await patient.get("/patient-dashboard");
    const policy = headers.get("content-security-policy") ?? "";
    const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policy)?.[1];
    expect(nonce).toBeTruthy();
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      `connect-src 'self' ws://localhost:${server.port}`,
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain("script-src 'unsafe");
    for (const tag of text.match(/<script[^>]*>/g) ?? []) expect(tag).toContain(`nonce="${nonce}"`);
    expect((await patient.get("/patient-dashboard")).headers.get("content-security-policy")).not.toBe(policy);
  });
  test("every error page has a policy too", async () => {
    for (const path of ["/nowhere", "/assets/nothing.js"])
      expect((await new Browser(server.url).get(path)).headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await raw(server.url, { path: "/%" })).headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });
  test("a response with a session is never stored", async () => {
    expect((await patient.get("/patient-dashboard")).headers.get("cache-control")).toBe("no-store");
    expect((await patient.get("/nowhere")).headers.get("cache-control")).toBe("no-store");
  });
  test("HSTS and Secure cookies where the public address is https", async () => {
    const secure = await startServer({ seed: false, env: { APP_URL: "https://nadi.example", TRUST_PROXY: "1" } });
    try {
      const answer = await raw(secure.url, { path: "/choose-role", headers: { host: "nadi.example" } });
      expect(answer.status).toBe(200);
      expect(answer.headers["strict-transport-security"]).toContain("max-age=");
      expect(answer.headers["content-security-policy"]).not.toContain("ws://");
    } finally {
      await secure.stop();
    }
  });
});

describe("responses", () => {
  test("HEAD is GET without a body", async () => {
    const get = await raw(server.url, { path: "/choose-role" });
    const head = await raw(server.url, { method: "HEAD", path: "/choose-role" });
    expect(head.status).toBe(200);
    expect(head.body.length).toBe(0);
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    expect((await raw(server.url, { method: "HEAD", path: await asset() })).status).toBe(200);
    expect((await raw(server.url, { method: "HEAD", path: "/nowhere" })).status).toBe(404);
  });
  test.each([
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["gzip;q=0.9, br;q=0.2", "gzip"],
    ["identity", undefined],
    ["br;q=0, *;q=0", undefined],
    ["*", "br"],
  ])("Accept-Encoding: %s → %s", async (accept, expected) => {
    for (const path of ["/choose-role", "/dual-patient"]) {
      const plain = await raw(server.url, { path });
      const { headers, body } = await raw(server.url, { path, headers: { "accept-encoding": accept } });
      expect(headers["content-encoding"]).toBe(expected);
      expect(String(headers.vary).toLowerCase()).toContain("accept-encoding");
      const text = (expected === "br" ? brotliDecompressSync(body) : expected === "gzip" ? gunzipSync(body) : body).toString();
      expect(text).toContain("</html>");
      if (expected) expect(body.length).toBeLessThan(plain.body.length / 2);
    }
  });
  test("files are compressed in advance and immutable", async () => {
    const path = await asset();
    const { headers, body } = await raw(server.url, { path, headers: { "accept-encoding": "br" } });
    expect(headers["content-encoding"]).toBe("br");
    expect(headers["cache-control"]).toBe("public,max-age=31536000,immutable");
    expect(brotliDecompressSync(body).length).toBeGreaterThan(body.length);
    expect((await raw(server.url, { path, headers: { "accept-encoding": "br", "if-none-match": String(headers.etag) } })).status).toBe(304);
    expect((await raw(server.url, { method: "POST", path, headers: { ...FORM, origin: server.url }, body: "a=b" })).status).toBe(405);
  });
  test("a read-only page answers other methods with 405 and Allow", async () => {
    const { status, headers } = await raw(server.url, {
      method: "POST",
      path: "/choose-role",
      headers: { ...FORM, origin: server.url },
      body: "a=b",
    });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });
  test.each([
    "/assets/../../package.json",
    "/assets/..%2f..%2fpackage.json",
    "/.vite/manifest.json",
    "/assets/%2e%2e/%2e%2e/server/index.js",
  ])("%s is not served", async (path) => {
    const answer = await raw(server.url, { path });
    expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('"dependencies"');
  });
  test("the browser's files contain no server code", () => {
    const files = readdirSync("build/client/assets").filter((name) => name.endsWith(".js"));
    expect(files.length).toBeGreaterThan(5);
    for (const name of files)
      expect(readFileSync(`build/client/assets/${name}`, "utf8"), name).not.toMatch(/drizzle|node:crypto|process\.env\.|SESSION_SECRET/);
  });
  test("the stylesheet is inlined in the first page and linked afterwards", async () => {
    const browser = new Browser(server.url);
    const first = await browser.get("/dual-patient");
    const href = await asset();
    expect(first.text).toContain("<style");
    expect(first.text).toMatch(new RegExp(`<link rel="prefetch"[^>]*${href}`));
    // HTML allows `as` for preload only.
    expect(first.text).not.toMatch(/<link rel="prefetch"[^>]* as=/);
    expect(browser.cookies.get("css")).toMatch(/^[0-9a-f]{8}(\.[0-9a-f]{8})*$/);
    const hashesOf = (page: typeof first) => page.headers.get("content-security-policy")?.match(/'sha256-/g)?.length ?? 0;
    expect(hashesOf(first)).toBe(first.text.match(/<style id=/g)?.length);
    const next = await browser.get("/dual-patient");
    expect(hashesOf(next)).toBe(0);
    expect(next.text).not.toContain("<style id=");
    expect(next.text).toMatch(/<link[^>]*rel="stylesheet"/);
    expect(next.setCookies.join()).not.toContain("css=");
    browser.cookies.set("css", "00000000");
    expect((await browser.get("/dual-patient")).text).toContain("<style");
  });
  test("Save-Data and lite=1 return a page with the script of SOS only", async () => {
    for (const headers of [{ "save-data": "on" }, { cookie: "lite=1" }] as Record<string, string>[]) {
      const page = await raw(server.url, { path: "/dual-patient", headers });
      const [script, ...others] = [...page.text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text]) => text ?? "");
      expect(others).toEqual([]);
      const hash = createHash("sha256").update(script!).digest("base64");
      expect(page.headers["content-security-policy"]).toContain(`script-src 'sha256-${hash}';`);
    }
  });
  test("the log describes each request without private data", async () => {
    await raw(server.url, { path: "/choose-role?phone=9876543210" });
    await new Browser(server.url).post("/dual-patient?secret=1", { intent: "send", phoneNumber: "9876543211" });
    const last = () => server.logs().findLast((line) => line.msg === "request");
    await vi.waitFor(() => expect(last()).toMatchObject({ method: "POST", path: "/dual-patient" }), { timeout: 15_000 });
    expect(last()?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.output()).not.toMatch(/987654321\d|secret=1/);
  });
});

describe("gates", () => {
  const post = (headers: Record<string, string>, body = "phone=1") =>
    raw(server.url, { method: "POST", path: "/dual-patient", headers: { ...FORM, ...headers }, body });
  test("refuses another origin, and a session without one", async () => {
    const cookie = `nadi_session=${patient.token}`;
    expect((await post({ origin: "https://evil.example", cookie })).status).toBe(403);
    expect((await post({ origin: "null", cookie })).status).toBe(403);
    expect((await post({ cookie })).status).toBe(403);
    expect((await post({ cookie, "sec-fetch-site": "cross-site", origin: server.url })).status).toBe(403);
    expect((await post({ cookie, origin: server.url })).status).not.toBe(403);
    expect((await post({ cookie, "sec-fetch-site": "same-origin" })).status).not.toBe(403);
    // The data URL that client-side navigation posts to.
    expect((await raw(server.url, { method: "POST", path: "/logout.data", headers: { ...FORM, cookie }, body: "" })).status).toBe(403);
    expect((await patient.get("/patient-dashboard")).status).toBe(200);
  });
  test("accepts the three names of this machine, also mixed", async () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      expect((await raw(server.url, { path: "/choose-role", headers: { host: `${host}:${server.port}` } })).status).toBe(200);
      expect((await post({ origin: `http://${host}:${server.port}` })).status).toBe(400); // the phone is invalid, the post passed the check
    }
    expect((await raw(server.url, { headers: { host: `localhost:${server.port + 1}` } })).status).toBe(421);
  });
  test("listens on [::1] too", async () => {
    const answer = await raw(`http://localhost:${server.port}`, { path: "/healthz" });
    expect(answer.status).toBe(200);
  });
  test("refuses a body that is too large, declared or chunked, with a readable response", async () => {
    const big = Buffer.alloc(3_000_000, "a");
    const declared = await raw(server.url, { method: "POST", path: "/dual-patient", headers: { ...FORM, origin: server.url }, body: big });
    expect(declared.status).toBe(413);
    expect(declared.text).toContain("413");
    const chunked = await raw(server.url, {
      method: "POST",
      path: "/dual-patient",
      headers: { ...FORM, origin: server.url },
      chunks: Array.from({ length: 30 }, () => big.subarray(0, 100_000)),
    });
    expect(chunked.status).toBe(413);
    const form = new FormData();
    form.set("file", new Blob([big]), "a.jpg");
    expect((await patient.postFiles("/logout", form)).status).toBe(413);
    // A client that waits for 100 Continue never sends its body.
    const asking = await raw(server.url, {
      method: "POST",
      path: "/dual-patient",
      headers: { ...FORM, origin: server.url, expect: "100-continue", "content-length": "3000000" },
    });
    expect(asking.status).toBe(413);
    expect((await raw(server.url, { path: "/healthz" })).status).toBe(200);
  });
  test("accepts a body below the limit in pieces", async () => {
    const answer = await raw(server.url, {
      method: "POST",
      path: "/dual-patient",
      headers: { ...FORM, origin: server.url },
      chunks: ["pho", "ne=12", "&x=", "a".repeat(200_000)],
    });
    expect(answer.status).toBe(400); // an invalid phone, reported by the page
    expect(answer.text).toContain("</html>");
  });
  test.each(["Multipart/Form-Data; boundary=x", "MULTIPART/FORM-DATA; boundary=x", "text/plain", "application/xml", ""])(
    "content type %s",
    async (type) => {
      const answer = await raw(server.url, {
        method: "POST",
        path: "/dual-patient",
        headers: { origin: server.url, ...(type ? { "content-type": type } : {}) },
        body: "a=b",
      });
      expect(answer.status).toBe(415);
    },
  );
  test("a malformed body is a client error", async () => {
    const answer = await raw(server.url, {
      method: "POST",
      path: "/dual-patient",
      headers: { origin: server.url, "content-type": "multipart/form-data; boundary=x" },
      body: "nonsense",
    });
    expect(answer.status).toBe(400);
  });
  test.each(["/%", "/%zz", "/%ff", "/a%00b", "/?q=%00", "/?q=%", "//evil.example/%", "/doctorspages/%E0%A4%A"])(
    "malformed %s",
    async (path) => {
      expect((await raw(server.url, { path })).status).toBe(400);
    },
  );
  test("//evil.example is a path of this site, not a redirect", async () => {
    const answer = await raw(server.url, { path: "//evil.example/x" });
    expect(answer.status).toBe(404);
    expect(answer.headers.location).toBeUndefined();
  });
  test("refuses a long address", async () => expect((await raw(server.url, { path: `/${"a".repeat(9000)}` })).status).toBe(414));
});

describe("monitoring", () => {
  test("health and readiness, under every name", async () => {
    for (const path of ["/healthz", "/readyz"])
      expect((await raw(server.url, { path, headers: { host: "10.1.2.3:3000" } })).status).toBe(200);
  });
  test("metrics are for this machine or the token", async () => {
    const ours = await raw(server.url, { path: "/metrics" });
    expect(ours.status).toBe(200);
    expect(ours.text).toContain("http_requests_total");
    for (const headers of [
      { "x-forwarded-for": "203.0.113.9" },
      { forwarded: "for=203.0.113.9" },
      { host: "rebound.example:80" },
    ] as Record<string, string>[])
      expect((await raw(server.url, { path: "/metrics", headers })).status).toBe(403);

    const guarded = await startServer({ seed: false, env: { METRICS_TOKEN: "figures-please", TRUST_PROXY: "1" } });
    try {
      const ask = (authorization: string) =>
        raw(guarded.url, { path: "/metrics", headers: { authorization, "x-forwarded-for": "203.0.113.9" } });
      expect((await ask("Bearer figures-please")).status).toBe(200);
      expect((await ask("Bearer figures")).status).toBe(403);
    } finally {
      await guarded.stop();
    }
  });
});
