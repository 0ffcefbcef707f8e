/** The operator's commands of docs/operations.md, as they are typed. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inDatabase } from "../../scripts/databases.ts";
import { askCode, pressContinue, proveDoctorPhone, tryCode } from "../factories/logins.ts";
import { newPhone } from "../factories/people.ts";
import { asApplication, PREFIX, serverAddress, urlOf } from "../setup/database.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
const home = mkdtempSync(join(tmpdir(), PREFIX));
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await server?.stop();
});

/** Runs a command as npm does, on the database of the server. */
async function run(script: string, args: string[] = [], input = "") {
  const [name] = await server.sql<{ name: string }[]>`select current_database() as name`;
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: urlOf(asApplication(inDatabase(serverAddress(), name!.name))),
      DATABASE_OWNER_URL: urlOf(inDatabase(serverAddress(), name!.name)),
      DATA_DIR: server.dataDir,
      DEMO: "1",
    },
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((ok) => child.on("close", ok));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}
const audited = (action: string) =>
  server.sql`select actor_id, actor_role, subject_type, person_id, details, request_id from audit_log where action = ${action} order by id`;

describe("npm run admin", () => {
  const who = ["first@nadi.test", "98765 01234", "Asha Rao"] as const;
  const mobile = "+919876501234";
  const logIn = async (password: string) => {
    server.clock.advance(120_000); // codes to one phone have a minimum interval
    const browser = new Browser(server.url);
    await proveDoctorPhone(server, browser, { email: who[0], password, mobile });
    await pressContinue(browser);
    return { browser, adminStatus: (await browser.get("/admin")).status };
  };

  it("creates an account that logs in to the admin pages, and replaces a lost password and ends its sessions", async () => {
    const made = await run("admin", [...who], "a long enough password\n");
    expect(made).toEqual({
      status: 0,
      stderr: "",
      stdout: "first@nadi.test may log in at /dual-doctor, with this password and a code to the phone.\n",
    });
    const { browser, adminStatus } = await logIn("a long enough password");
    expect(adminStatus).toBe(200);
    const log = await browser.get("/admin/audit?action=make-admin");
    expect(log.text).toContain("Created an administrator account");
    expect(log.text).toContain("Asha Rao");
    expect(await audited("make-admin")).toMatchObject([{ actor_role: "system", subject_type: "user", request_id: "npm run admin" }]);

    expect(await run("admin", [...who, "--new-password"], "the second long password\n")).toMatchObject({ status: 0, stderr: "" });
    expect((await browser.get("/admin")).status).toBe(303);
    expect((await logIn("a long enough password")).adminStatus).toBe(303);
    expect((await logIn("the second long password")).adminStatus).toBe(200);
  });

  it("refuses invalid arguments in one line", async () => {
    const usage = 'usage: npm run admin -- <email> <phone> "<name>" [--new-password]\n';
    const results = await Promise.all([
      run("admin", [who[0], who[1], "Asha", "Rao"]),
      run("admin", ["no-address", who[1], who[2]]),
      run("admin", [who[0], "12345", who[2]]),
      run("admin", [...who], "short\n"),
      run("admin", ["doctor@demo.test", "9876501237", "Doctor"], "a long enough password"),
    ]);
    expect(results.map(({ status, stdout, stderr }) => [status, stdout, stderr])).toEqual([
      [2, "", usage],
      [1, "", "no-address is not an email address.\n"],
      [1, "", "12345 is not a phone number with ten digits.\n"],
      [1, "", "The password needs 12 to 200 characters.\n"],
      [1, "", expect.stringContaining("belongs to another account")],
    ]);
  });
});

describe("npm run end-sessions", () => {
  it("ends every session of every user, also unfinished logins, and closes open pages at once", async () => {
    const [patient, admin] = [await loginAs(server, DEMO.patient), await loginAs(server, DEMO.admin)];
    const half = new Browser(server.url);
    const code = await askCode(server, half, newPhone());
    const socket = io(server.url, {
      path: "/socket.io",
      transports: ["websocket"],
      reconnection: false,
      extraHeaders: { cookie: `nadi_session=${patient.token}`, origin: server.url },
    });
    await new Promise((ok, no) => socket.on("connect", () => ok(null)).on("connect_error", no));
    const closed = new Promise<string>((ok) => socket.on("disconnect", ok));
    expect(await run("end-sessions", ["everybody"])).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/^\d+ logins/) });
    expect(await closed).toBe("io server disconnect");
    expect((await patient.get("/patient/calendar")).status).toBe(303);
    expect((await admin.get("/admin")).status).toBe(303);
    expect((await tryCode(half, code)).status).toBe(400);
    expect(await audited("end-all-sessions")).toMatchObject([{ actor_role: "system", request_id: "npm run end-sessions" }]);
    expect((await (await loginAs(server, DEMO.patient)).get("/patient/calendar")).status).toBe(200);
  });
  it("requires the confirmation to be typed", async () => {
    const patient = await loginAs(server, DEMO.patient);
    expect(await run("end-sessions", ["all"])).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("usage: ") });
    expect((await patient.get("/patient/calendar")).status).toBe(200);
  });
});

describe("npm run archive-log", () => {
  it("moves old rows to a file and leaves the trigger enabled", async () => {
    const { sql } = server;
    await sql`insert into audit_log (at, actor_role, action, subject_type, subject_id, details)
      select '2020-05-01'::timestamptz + n * interval '1 hour', 'system', 'old-thing', 'user', n, ${JSON.stringify({ "a\nb": 'ని "x"' })}::text::jsonb from generate_series(1, 12000) n`;
    const old = await sql<{ line: string }[]>`
      select to_jsonb(a)::text as line from audit_log a where at < '2021-01-01 00:00+05:30' order by id`;
    const [{ recent } = { recent: "" }] = await sql<{ recent: string }[]>`
      select md5(string_agg(a::text, ',' order by id)) as recent from audit_log a where at >= '2021-01-01 00:00+05:30'`;
    const path = join(home, "log.jsonl.gz");
    expect(old.length).toBeGreaterThan(5_000);
    expect(old.length).toBeLessThan(12_000);
    expect(await run("archive-log", [path, "2021-01-01"])).toMatchObject({ status: 0, stderr: "" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(gunzipSync(readFileSync(path)).toString()).toBe(`${old.map(({ line }) => line).join("\n")}\n`);
    expect(await sql`select from audit_log where at < '2021-01-01 00:00+05:30'`).toHaveLength(0);
    expect(await sql`select md5(string_agg(a::text, ',' order by id)) as recent from audit_log a where action <> 'archive-log'`).toEqual([
      { recent },
    ]);
    await expect(sql`delete from audit_log`).rejects.toThrow("append-only");
    expect(await audited("archive-log")).toMatchObject([
      { actor_role: "system", subject_type: "log", details: { until: "2020-12-31", rows: old.length, file: "log.jsonl.gz" } },
    ]);
    expect(await run("archive-log", [join(home, "again.jsonl.gz"), "2021-01-01"])).toMatchObject({
      status: 0,
      stdout: "Nothing in the log is older than 2021-01-01.\n",
    });
    expect(existsSync(join(home, "again.jsonl.gz"))).toBe(false);
    expect(await audited("archive-log")).toHaveLength(1);
  });
  it("refuses the last year, an invalid date, an existing file and a missing folder, and removes nothing", async () => {
    const { sql } = server;
    await sql`insert into audit_log (at, actor_role, action, subject_type, subject_id) values ('2021-05-01', 'system', 'old-thing', 'user', '1')`;
    const count = () => sql`select count(*)::int as n from audit_log where at < '2022-01-01'`;
    const before = await count();
    const taken = join(home, "taken");
    writeFileSync(taken, "mine");
    const soon = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10);
    const asked = [
      [[join(home, "x"), soon], "The log of the last year stays where it is.\n"],
      [[join(home, "x"), "yesterday"], "yesterday is not a day like 2024-01-01.\n"],
      [[taken, "2022-01-01"], `${taken} exists already.\n`],
      [[join(home, "no/where"), "2022-01-01"], expect.stringContaining("ENOENT")],
    ] as const;
    const results = await Promise.all(asked.map(([args]) => run("archive-log", [...args])));
    for (const [i, one] of results.entries()) expect(one).toEqual({ status: 1, stdout: "", stderr: asked[i]![1] });
    expect(readFileSync(taken, "utf8")).toBe("mine");
    expect(await count()).toEqual(before);
  });
});

describe("npm run verify-log", () => {
  it("verifies the log with archived rows, and names the first changed row", async () => {
    const { sql } = server;
    expect(await run("verify-log")).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(
        /^The audit log is as it was written: \d+ rows under \d+ seals, [1-9]\d* archived, \d+ not sealed yet\./,
      ),
    });
    const [row] = await sql<{ id: string }[]>`
      select a.id from audit_log a where not exists (select from audit_unsealed u where u.audit_id = a.id) order by id offset 5 limit 1`;
    await sql.begin(async (tx) => {
      await tx`alter table audit_log disable trigger user`;
      await tx`update audit_log set action = 'something-else' where id = ${row!.id}`;
      await tx`alter table audit_log enable trigger user`;
    });
    expect(await run("verify-log")).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(
        new RegExp(`^The audit log is not as it was written\\. Row ${row!.id} was changed \\(seal \\d+\\)\\.\n$`),
      ),
    });
  });
});
