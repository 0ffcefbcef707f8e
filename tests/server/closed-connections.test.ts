/** Connections of the database close while they are used: the corrections of postgres.js, and the server with them. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type postgres from "postgres";
import { afterAll, expect, it, vi } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { familyOf } from "../../scripts/processes.ts";
import { CORRECTED_FILES, withClosedSockets } from "../../vite/postgres-closed-sockets.ts";
import { newPhone } from "../factories/people.ts";
import { proxyDatabase } from "../mocks/database-proxy.ts";
import { cloneTemplate } from "../setup/database.ts";
import { loginAs } from "../setup/people.ts";
import { startServer } from "../setup/server.ts";

const SOURCE = join(import.meta.dirname, "../../node_modules/postgres/src");
const folder = mkdtempSync(join(tmpdir(), "nadi-postgres-"));
cpSync(SOURCE, folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
for (const file of CORRECTED_FILES) writeFileSync(join(folder, file), withClosedSockets(readFileSync(join(SOURCE, file), "utf8"), file));
const { default: corrected } = (await import(pathToFileURL(join(folder, "index.js")).href)) as { default: typeof postgres };

const database = await cloneTemplate("reference");
const proxy = await proxyDatabase(database);
afterAll(async () => {
  await proxy.stop();
  await dropDatabase(database);
  rmSync(folder, { recursive: true, force: true });
});
const { port, hostname } = new URL("url" in proxy.address ? proxy.address.url : "");
/** A pool of one connection, whose socket the test closes. */
function pool() {
  const sockets: Socket[] = [];
  const socket = () =>
    new Promise<Socket>((ok) => {
      const made = connect(Number(port), hostname, () => ok(made));
      sockets.push(made);
    });
  const options = { max: 1, onnotice() {}, backoff: 0, socket } as unknown as postgres.Options<Record<string, never>>;
  return { sql: corrected("url" in proxy.address ? proxy.address.url : "", options), sockets };
}

it("refuses the next query of a transaction whose connection closed, and runs none of it elsewhere", async () => {
  const { sql, sockets } = pool();
  await sql`create table closed (n int)`;
  let second: unknown;
  let reported = () => {};
  const tried = new Promise<void>((ok) => {
    reported = ok;
  });
  const transaction = sql.begin(async (tx) => {
    await tx`insert into closed values (1)`;
    const gone = new Promise((ok) => sockets.at(-1)!.once("close", ok));
    sockets.at(-1)!.destroy();
    await gone;
    await new Promise((ok) => setImmediate(ok));
    await tx`insert into closed values (2)`.catch((error: unknown) => {
      second = error;
    });
    // Another query has opened a new connection meanwhile.
    expect(await sql`select n from closed`).toEqual([]);
    await tx`insert into closed values (3)`.catch(() => undefined);
    reported();
  });
  await expect(transaction).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await tried;
  expect(second).toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(await sql`select n from closed`).toEqual([]);
  await sql.end();
});

it("uses a new connection after one that closed before its query was written", async () => {
  const { sql, sockets } = pool();
  await sql`select 1`;
  // The query is queued for writing in one turn of the event loop, whose end closes the socket. Its timer is due in the next one.
  await new Promise((ok) => setImmediate(ok));
  const asked = sql`select 2 as n`.then(
    () => "answered",
    (error: { code: string }) => error.code,
  );
  await Promise.resolve();
  sockets.at(-1)!.destroy();
  expect(await asked).toBe("CONNECTION_CLOSED");
  expect(await sql`select 3 as n`).toEqual([{ n: 3 }]);
  await sql.end();
});

it("fails the build when postgres.js changes a corrected part", () => {
  for (const file of CORRECTED_FILES) expect(() => withClosedSockets("export {}", file)).toThrow("postgres.js has changed");
});

it("the process survives connections that break under load, again and again", async () => {
  const server = await startServer({ database: proxy.address, asGiven: true });
  try {
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    const before = familyOf(server.pid);
    let over = false;
    const statuses = new Set<number>();
    const load = Array.from({ length: 12 }, async () => {
      while (!over) statuses.add((await patient.get("/patient-dashboard")).status);
    });
    for (let i = 0; i < 10; i++) {
      await vi.waitFor(async () => expect((await patient.get("/patient-dashboard")).status).toBe(200), { timeout: 15_000, interval: 50 });
      await proxy.disconnect();
      await proxy.giveBack();
    }
    over = true;
    await Promise.all(load);
    expect(familyOf(server.pid)).toEqual(before);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  } finally {
    await server.stop();
  }
}, 90_000);
