/** A failover of the database: the address leads to a standby, which is promoted a moment later (docs/decisions/101). */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { book, bookedId } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { type DatabaseProxy, proxyDatabase } from "../mocks/database-proxy.ts";
import { cloneTemplate, PREFIX } from "../setup/database.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { startStandby, type TestStandby } from "../setup/standby.ts";

// Test databases have no write-ahead log for standbys: this file has a cluster of its own.
const folder = mkdtempSync(join(tmpdir(), `${PREFIX}failover_`));
const { DATABASE_URL: _, TEST_DATABASE_URL: __, ...rest } = process.env;
const before = process.env;
process.env = { ...rest, DATA_DIR: folder };
const cluster = (command: string) => spawnSync(process.execPath, ["scripts/db.mjs", command], { encoding: "utf8", timeout: 60_000 });
const SLOW = { timeout: 30_000 };
const DAY = dayFromNow(4);

let database: Awaited<ReturnType<typeof cloneTemplate>>;
let standby: TestStandby;
let proxy: DatabaseProxy;
let server: TestServer;
let doctor: TestDoctor;
let patient: LoggedIn;
beforeAll(async () => {
  expect(cluster("start").status).toBe(0);
  database = await cloneTemplate("reference");
  standby = await startStandby(database);
  proxy = await proxyDatabase(database);
  server = await startServer({ database: proxy.address });
  doctor = await makeDoctor(server.db, { slots: ["10:00", "10:30", "11:00"].map((time) => ({ date: DAY, time })) });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
}, 120_000);
afterAll(async () => {
  await server?.stop();
  await proxy?.stop();
  await standby?.end();
  cluster("destroy");
  rmSync(folder, { recursive: true, force: true });
  process.env = before;
}, 60_000);

const bookAt = (time: string) => book(patient, doctor.id, { date: DAY, time });

test("refuses a standby where the primary is asked for", async () => {
  const asked = connect(standby.of(database), { max: 1, primary: true });
  await expect(asked.sql`select 1`).rejects.toMatchObject({ code: expect.stringMatching(/^CONNECTION_/) });
  await asked.end();
  const any = connect(standby.of(database), { max: 1 });
  expect(await any.sql`select pg_is_in_recovery() as standby`).toEqual([{ standby: true }]);
  await any.end();
});

test("is not ready while its address leads to a standby, and books once it is promoted", async () => {
  expect(bookedId(await bookAt("10:00"))).not.toBeNull();
  await standby.caughtUp();
  proxy.switchTo(standby.of(database));
  expect((await bookAt("10:30")).status).toBe(503);
  expect((await patient.get("/patient/calendar")).status).toBe(503);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  await standby.sql`select pg_promote()`;
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, SLOW).toBe(200);
  await expect.poll(async () => bookedId(await bookAt("10:30")), SLOW).not.toBeNull();
  expect(server.logs().filter(({ status }) => status === 500)).toEqual([]);
  const after = connect(standby.of(database), { max: 1 });
  expect(await after.sql`select time::text from appointments order by time`).toEqual([{ time: "10:00:00" }, { time: "10:30:00" }]);
  await after.end();
});
