/** The public directory over HTTP: hospitals, their doctors, lists and what search engines are told. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { Browser } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let browser: Browser;
let hospital = { id: "", name: "" };
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
  server = await startServer();
  browser = new Browser(server.url);
  [hospital] = (await server.sql`select id, name from hospitals where status = 'active' order by name limit 1`) as unknown as [
    typeof hospital,
  ];
});
afterAll(() => server?.stop());

describe("a hospital's page", () => {
  it("opens for anybody", async () => {
    const page = await browser.get(`/hospital/${hospital.id}`);
    expect(page.status).toBe(200);
    expect(readable(page.text)).toContain(hospital.name);
  });
  it("is not found for wrong ids, nor for one that is not confirmed", async () => {
    const [pending] = await server.sql`
      insert into hospitals (name, category, address, city, state, status) values ('Secret', 'Hospital', 'x', 'y', 'z', 'pending') returning id`;
    for (const id of [UNKNOWN, pending!.id, "1", "nonsense", "%27%20or%201=1", "x".repeat(2000)]) {
      const page = await browser.get(`/hospital/${id}`);
      expect(page.status, id).toBe(404);
      expect(readable(page.text), id).toContain("Hospital not found");
    }
  });
  it("of one that was merged leads to the other", async () => {
    const [merged] = await server.sql`
      insert into hospitals (name, category, address, city, state, status, merged_into)
      values ('Old', 'Hospital', 'x', 'y', 'z', 'merged', ${hospital.id}) returning id`;
    const page = await browser.get(`/hospital/${merged!.id}`);
    expect([page.status, page.location]).toEqual([301, `/hospital/${hospital.id}`]);
  });
});
