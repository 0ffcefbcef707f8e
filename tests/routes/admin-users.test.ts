/** Users and the audit log on the admin pages over HTTP. */
import { describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { makeAdmin } from "../factories/cases.ts";
import { makePatient, typed } from "../factories/people.ts";
import { admin, approved, at, page, server } from "../setup/admin.ts";
import { loginAs } from "../setup/people.ts";

describe("users", () => {
  it("are found, disabled with a reason, and enabled again", async () => {
    const patient = await makePatient(server.db, { name: "Findable Patient" });
    const browser = await loginAs(server, { role: "patient", phone: patient.phone });
    expect(await page("/admin/users?q=findable")).toContain("Findable Patient");
    expect((await admin.get("/admin/users?q=findable")).text).not.toContain(typed(patient.phone));
    const path = `/admin/users/${patient.id}`;
    expect(await page(path)).toContain("Active sessions");
    expect((await admin.post(path, { intent: "disable", reason: "" })).status).toBe(400);
    expect((await admin.post(path, { intent: "disable", reason: "Asked for it." })).status).toBe(303);
    expect((await browser.get("/patient/calendar")).location).toMatch(/^\/dual-patient/);
    expect((await admin.post(path, { intent: "disable", reason: "Twice." })).status).toBe(409);
    expect((await admin.post(path, { intent: "enable" })).status).toBe(303);
  });
  it("are logged out everywhere", async () => {
    const patient = await makePatient(server.db);
    const [one, two] = [
      await loginAs(server, { role: "patient", phone: patient.phone }),
      await loginAs(server, { role: "patient", phone: patient.phone }),
    ];
    const answer = await admin.post(`/admin/users/${patient.id}`, { intent: "end-sessions" });
    expect(readable((await admin.follow(answer)).text)).toContain("Sessions ended: 2.");
    for (const browser of [one, two]) expect((await browser.get("/patient/calendar")).location).toMatch(/^\/dual-patient/);
  });
  it("an administrator cannot disable their own account, and one administrator always remains", async () => {
    const self = await admin.post(`/admin/users/${admin.userId}`, { intent: "disable", reason: "Enough." });
    expect([self.status, (await admin.get("/admin")).status]).toEqual([403, 200]);
    const [one, two] = [await makeAdmin(server.db), await makeAdmin(server.db)];
    const [a, b] = [await loginAs(server, one), await loginAs(server, two)];
    const answers = await Promise.all([
      a.post(`/admin/users/${two.userId}`, { intent: "disable", reason: "x" }),
      b.post(`/admin/users/${one.userId}`, { intent: "disable", reason: "x" }),
    ]);
    expect(answers.filter((answer) => answer.status === 303 && answer.location?.startsWith("/admin/users"))).toHaveLength(1);
    expect(
      (await server.sql`select count(*)::int n from users where id in (${one.userId}, ${two.userId}) and status = 'active'`)[0]?.n,
    ).toBe(1);
  });
});

describe("the log", () => {
  it("filters and pages, and shows who did what to whom in words", async () => {
    const it = await approved({ name: "Dr. In The Log" });
    for (let i = 0; i < 3; i++) await admin.get(at(it));
    const text = await page(`/admin/audit?person=${encodeURIComponent("In The Log")}&action=read-case`);
    expect(text.match(/Viewed an application/g)!.length).toBeGreaterThanOrEqual(3);
    expect(text).toContain("Dr. In The Log");
    const empty = await page("/admin/audit?person=no-such-name");
    expect(empty).toContain("No entries found");
    for (let i = 0; i < 51; i++)
      await server.sql`insert into audit_log (action, actor_role, subject_type, subject_id) values ('proof-page', 'system', 'proof', ${String(i)})`;
    const first = await admin.get("/admin/audit?action=proof-page");
    const older = /href="(\/admin\/audit\?[^"]*before=\d+[^"]*)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&");
    expect(first.text.match(/<time /g)).toHaveLength(50);
    expect((await admin.get(older!)).text.match(/<time /g)).toHaveLength(1);
    for (const odd of ["?before=x&from=never&to=2026-02-31", "?person=%25_", `?actor=${"x".repeat(2000)}`, "?before=99999999999999999999"])
      expect((await admin.get(`/admin/audit${odd}`)).status, odd).toBe(200);
  });
});

describe("the log after an incident", () => {
  it("lists every read of one user's data, shows the name in place of the id, and logs its export", async () => {
    const it = await approved({ name: "Dr. Read By Many" });
    await admin.get(at(it));
    await server.sql`insert into audit_log (action, actor_role, subject_type, subject_id, person_id, details)
      values ('edit-profile', 'doctor', 'user', ${it.id}, ${it.id}, '{"fields": ["a", "b"]}')`;
    const narrow = `?person=${it.id}&action=readings`;
    const text = await page(`/admin/audit${narrow}`);
    expect(text).toContain("Whose records Dr. Read By Many Action All views of records");
    expect(text).toContain("Viewed an application");
    expect(text).not.toContain("Edited the profile Doctor");
    expect(await page(`/admin/users/${it.id}`)).toContain("Who viewed this user's data");
    const csv = await admin.get(`/admin/audit.csv${narrow}`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = csv.text.trim().split("\r\n");
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,.*,Administrator,Viewed an application,/);
    expect(lines.every((line, i) => i === 0 || /Viewed/.test(line))).toBe(true);
    const [logged] = await server.sql`select details from audit_log where action = 'export-log' and actor_id = ${admin.userId}`;
    expect(logged?.details).toEqual({ rows: lines.length - 1 });
  });
});
