/** Connections of the database close while they are used: the corrections of postgres.js. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type postgres from "postgres";
import { afterAll, expect, it } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { CORRECTED_FILES, withClosedSockets } from "../../vite/postgres-closed-sockets.ts";
import { proxyDatabase } from "../mocks/database-proxy.ts";
import { cloneTemplate } from "../setup/database.ts";

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
