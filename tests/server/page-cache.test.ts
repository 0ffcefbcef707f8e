import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser, raw } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const LIST = "/doctorspages/Cards-data";
const hits = async () =>
  Number(/page_cache_total\{result="hit"\} (\d+)/.exec((await raw(server.url, { path: "/metrics" })).text)?.[1] ?? 0);

test("caches a visitor's page without React, and answers 304", async () => {
  const visitor = new Browser(server.url);
  const first = await visitor.get(LIST);
  expect(first.status).toBe(200);
  expect(first.text).not.toContain("<script nonce");
  const before = await hits();
  const again = await new Browser(server.url).get(LIST);
  expect(await hits()).toBe(before + 1);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("cache-control")).toBe("private, no-cache");
  const etag = again.headers.get("etag") ?? "";
  expect((await raw(server.url, { path: LIST, headers: { "if-none-match": etag } })).status).toBe(304);
  // A browser that has the stylesheet cached gets another page.
  expect((await visitor.get(LIST)).text).not.toContain("<style id=");
});

test("never serves or caches a page for a logged-in user", async () => {
  const patient = await loginAs(server, DEMO.patient);
  const page = await patient.get(LIST);
  expect(page.text).toContain("<script nonce");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect((await new Browser(server.url).get(LIST)).text).not.toContain("<script nonce");
});

test("renders a page with a toast for that visitor only", async () => {
  const withToast = new Browser(server.url);
  withToast.cookies.set("toast", encodeURIComponent(JSON.stringify({ type: "success", message: "Only for you" })));
  expect((await withToast.get(LIST)).text).toContain("Only for you");
  expect((await new Browser(server.url).get(LIST)).text).not.toContain("Only for you");
});

test("NOTIFY drops a changed page in every process", async () => {
  const [doctor] = await server.sql<
    { id: string; full_name: string }[]
  >`select id, full_name from doctors where registration_status = 'verified' order by full_name limit 1`;
  await new Browser(server.url).get(LIST);
  await server.sql.begin(async (tx) => {
    await tx`update doctors set full_name = 'Dr. Aadya Quite New' where id = ${doctor!.id}`;
    await tx`select pg_notify('nadi_pages', '')`;
  });
  await expect.poll(async () => (await new Browser(server.url).get(LIST)).text.includes("Quite New"), { timeout: 10_000 }).toBe(true);
});

test("does not cache an error", async () => {
  const before = await hits();
  for (let i = 0; i < 3; i++)
    expect((await new Browser(server.url).get("/details/doctor/00000000-0000-4000-8000-000000000000")).status).toBe(404);
  expect(await hits()).toBe(before);
});
