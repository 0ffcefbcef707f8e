/** The administrator's lists: how many there are, where a page behind the end leads, search over all statuses, sorting. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { readable } from "../factories/booking.ts";
import { makeAdmin, makeHospital } from "../factories/cases.ts";
import { makeDoctor } from "../factories/people.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let admin: LoggedIn;
beforeAll(async () => {
  server = await startServer({ seed: false });
  admin = await loginAs(server, await makeAdmin(server.db));
  for (let i = 0; i < 22; i++) await makeDoctor(server.db, { name: `Dr. Row ${String(i).padStart(2, "0")}` });
  await makeDoctor(server.db, { name: "Dr. Row Suspended", status: "suspended" });
  for (const status of ["active", "pending", "refused"] as const) await makeHospital(server.db, { name: `Listed House ${status}`, status });
});
afterAll(() => server?.stop());

const page = async (path: string) => readable((await admin.get(path)).text);

describe("doctors", () => {
  it("says which rows of how many are shown", async () => {
    expect(await page("/admin/doctors?status=verified")).toContain("1–20 of 22");
    expect(await page("/admin/doctors?status=verified&page=2")).toContain("21–22 of 22");
    expect(await page("/admin/users?show=doctor")).toContain("1–20 of 23");
  });
  it("leads a page behind the end to the last page", async () => {
    expect((await admin.get("/admin/doctors?status=verified&page=99")).location).toBe("/admin/doctors?status=verified&page=2");
    expect((await admin.get("/admin/users?show=admin&page=7")).location).toBe("/admin/users?show=admin");
    expect((await admin.get("/admin/hospitals?status=refused&page=3")).location).toBe("/admin/hospitals?status=refused");
  });
  it("searches all statuses unless one is chosen", async () => {
    const found = await page("/admin/doctors?q=Dr.+Row+Sus");
    expect(found).toContain("Dr. Row Suspended");
    expect(found).toContain("1–1 of 1");
    expect(await page("/admin/doctors?q=Dr.+Row+Sus&status=verified")).not.toContain("Dr. Row Suspended");
    const houses = await page("/admin/hospitals?q=Listed+House");
    for (const status of ["active", "pending", "refused"]) expect(houses).toContain(`Listed House ${status}`);
  });
  it("sorts by name", async () => {
    const names = [...(await admin.get("/admin/doctors?status=verified&sort=name")).text.matchAll(/>(Dr\. Row \d\d)</g)].map(
      ([, name]) => name,
    );
    expect(names).toHaveLength(20);
    expect(names).toEqual([...names].sort());
  });
});

it("names the browser and the system of a session", async () => {
  const doctor = await makeDoctor(server.db);
  const agent = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";
  await server.sql`insert into sessions (token_hash, user_id, expires_at, user_agent)
    values (${hashToken(randomToken())}, ${doctor.id}, now() + interval '1 day', ${agent})`;
  const text = await page(`/admin/users/${doctor.id}`);
  expect(text).toContain("Chrome on Android");
  expect(text).not.toContain("AppleWebKit");
});
