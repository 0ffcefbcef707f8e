/** Visitors' pages behind a CDN: headers, and purges after changes, with a real receiver. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addSlots, dayFromNow } from "../factories/people.ts";
import { makeClinic } from "../factories/queues.ts";
import { type Browser, raw } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { type Receiver, startReceiver } from "../setup/receiver.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let [server, receiver]: [TestServer, Receiver] = [] as never;
let clinic: Awaited<ReturnType<typeof makeClinic>>;
let [owner, doctor]: [Browser, Browser] = [] as never;
let cached: string[] = [];
const LANGUAGES = ["en", "hi", "te"];
const SHARED = /^public, max-age=0, s-maxage=\d+, stale-while-revalidate=60$/;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({
    seed: false,
    env: { CDN_PURGE_URL: `${receiver.origin}/purge`, CDN_PURGE_TOKEN: "token-of-the-test" },
  });
  clinic = await makeClinic(server.db);
  await addSlots(server.db, clinic.doctor.id, [{ date: dayFromNow(2), time: "10:00" }]);
  const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
  owner = await loginAs(server, { role: "staff", email: await emailOf(clinic.place.owner.userId) });
  doctor = await loginAs(server, { role: "doctor", email: clinic.doctor.email });
  const slugs = await server.sql<{ slug: string }[]>`
    select slug from short_names where is_current and hospital_id = ${clinic.place.id}`;
  cached = [
    "/",
    "/choose-role",
    "/patient/help",
    "/patient/terms",
    "/accessibility",
    "/patient/contact-us",
    "/doctorspages/Cards-data",
    "/hospitalpages/Cards-data",
    `/details/doctor/${clinic.doctor.id}`,
    `/hospital/${clinic.place.id}`,
    `/hospital/${clinic.place.id}/doctors`,
    `/h/${slugs[0]!.slug}`,
  ];
});
afterAll(async () => {
  await server?.stop();
  await receiver?.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = 204;
});

describe("headers", () => {
  it("allow a CDN to cache a page for requests without cookies, in each language", async () => {
    let shared = 0;
    for (const path of cached)
      for (const lang of LANGUAGES) {
        const { status, headers } = await raw(server.url, { path: `${path}?lang=${lang}` });
        if (status !== 200) throw new Error(`${path} was answered ${status}`);
        expect(headers["cache-control"], path).toMatch(SHARED);
        expect(headers["set-cookie"], path).toBeUndefined();
        expect(headers["x-request-id"], path).toBeUndefined();
        expect(headers["surrogate-key"], path).toContain("directory");
        expect(headers["cache-tag"], path).toBe(String(headers["surrogate-key"]).replaceAll(" ", ","));
        expect(headers.vary, path).not.toMatch(/accept-language/i);
        shared++;
      }
    expect(shared).toBe(cached.length * LANGUAGES.length);
  });
  it("vary by the browser's language when the address has none", async () => {
    const page = await raw(server.url, { path: "/patient/help", headers: { "accept-language": "te" } });
    expect(page.status).toBe(200);
    expect(page.headers.vary).toMatch(/accept-language/i);
    expect(page.text).toContain('lang="te"');
  });
  it("keep pages of requests with any cookie or credentials private", async () => {
    const given: Record<string, string>[] = [
      { cookie: "lang=te" },
      { cookie: "css=app.1" },
      { cookie: "other=1" },
      { authorization: "Bearer x" },
    ];
    for (const headers of given) {
      const page = await raw(server.url, { path: "/doctorspages/Cards-data", headers });
      expect(page.headers["cache-control"], JSON.stringify(headers)).not.toContain("public");
      expect(page.headers["surrogate-key"]).toBeUndefined();
    }
  });
  it("never allow pages of a user to be cached", async () => {
    for (const user of [owner, doctor])
      for (const path of cached)
        for (const lang of LANGUAGES) {
          const page = await user.get(`${path}?lang=${lang}`);
          expect(page.headers.get("cache-control"), path).not.toMatch(/public|s-maxage/);
          expect(page.headers.get("surrogate-key"), path).toBeNull();
        }
  });
  it("never allow other pages, redirects and errors to be cached", async () => {
    for (const path of ["/dual-patient", "/dual-doctor", "/dashboard", "/desk/queue", "/details/doctor/none", "/none", "/api/v1/me"]) {
      const page = await raw(server.url, { path });
      expect(page.headers["cache-control"] ?? "", path).not.toMatch(/s-maxage/);
    }
  });
  it("name the doctor or the hospital of a page", async () => {
    expect((await raw(server.url, { path: `/details/doctor/${clinic.doctor.id}` })).headers["surrogate-key"]).toBe(
      `directory doctor-${clinic.doctor.id}`,
    );
    expect((await raw(server.url, { path: `/hospital/${clinic.place.id}` })).headers["surrogate-key"]).toBe(
      `directory lists hospital-${clinic.place.id}`,
    );
  });
  it("stay as they are without a CDN", async () => {
    const other = await startServer({ seed: false });
    try {
      const page = await raw(other.url, { path: "/patient/help" });
      expect(page.headers["cache-control"]).toBe("private, no-cache");
      expect(page.headers["surrogate-key"]).toBeUndefined();
    } finally {
      await other.stop();
    }
  });
});

describe("purges", () => {
  const keysReceived = () => receiver.received.map(({ headers }) => String(headers["surrogate-key"]));
  const received = (keys: string, atLeast: number) =>
    expect.poll(() => keysReceived().filter((one) => one === keys).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(atLeast);
  const rename = (slug: string) => owner.post(`/clinic/${clinic.place.id}/web`, { intent: "name", slug, origins: "" });

  it("drop every page of the directory when a place changes, and again a little later", async () => {
    expect((await rename("changed-by-owner")).status).toBeLessThan(400);
    await received("directory", 2);
    const [purge] = receiver.received;
    expect(purge).toMatchObject({ path: "/purge", body: '{"tags":["directory"]}', headers: { authorization: "Bearer token-of-the-test" } });
  });
  it("are delayed and not lost while the receiver fails", async () => {
    receiver.answer = 503;
    expect((await rename("changed-again")).status).toBeLessThan(400);
    await received("directory", 1);
    const waiting = await server.sql<{ n: number }[]>`
      select count(*)::int as n from pgboss.job where name = 'purge-cdn' and state in ('created', 'retry', 'active')`;
    expect(waiting[0]!.n).toBeGreaterThan(0);
    receiver.answer = 204;
    receiver.received.length = 0;
    // The retry is due now instead of in 20 seconds.
    await expect
      .poll(
        async () => {
          await server.sql`update pgboss.job set start_after = now() where name = 'purge-cdn' and state = 'retry'`;
          const [left] = await server.sql<{ n: number }[]>`
            select count(*)::int as n from pgboss.job where name = 'purge-cdn' and state in ('created', 'retry', 'active')`;
          return left!.n;
        },
        { timeout: 60_000 },
      )
      .toBe(0);
    expect(keysReceived().length).toBeGreaterThan(0);
  });
});
