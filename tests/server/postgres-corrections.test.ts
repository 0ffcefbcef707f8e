/** Connections that close while they are used, and that have many queries at once: the corrections of postgres.js. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type postgres from "postgres";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { CORRECTED_FILES, withCorrections } from "../../vite/postgres-corrections.ts";
import { proxyDatabase } from "../mocks/database-proxy.ts";
import { cloneTemplate } from "../setup/database.ts";

const SOURCE = join(import.meta.dirname, "../../node_modules/postgres/src");
const folder = mkdtempSync(join(tmpdir(), "nadi-postgres-"));
cpSync(SOURCE, folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
for (const file of CORRECTED_FILES) writeFileSync(join(folder, file), withCorrections(readFileSync(join(SOURCE, file), "utf8"), file));
const { default: corrected } = (await import(pathToFileURL(join(folder, "index.js")).href)) as { default: typeof postgres };

const database = await cloneTemplate("reference");
const proxy = await proxyDatabase(database);
afterAll(async () => {
  await proxy.stop();
  await dropDatabase(database);
  rmSync(folder, { recursive: true, force: true });
});
const { port, hostname } = new URL("url" in proxy.address ? proxy.address.url : "");
/** A pool of one connection, whose socket the test closes. @param isSent tells which data is sent */
function pool(isSent: (data: Buffer) => boolean = () => true) {
  const sockets: Socket[] = [];
  const socket = () =>
    new Promise<Socket>((ok) => {
      const made = connect(Number(port), hostname, () => ok(made));
      sockets.push(made);
      const write = made.write.bind(made) as (data: Buffer, ...rest: unknown[]) => boolean;
      made.write = (data: unknown, ...rest: unknown[]) => !isSent(data as Buffer) || write(data as Buffer, ...rest);
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

it("survives the end of a pool while a new connection reads the types of the database", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const { sql } = pool((data) => {
    if (!data.includes("pg_catalog.pg_type")) return true;
    void sql.end({ timeout: 0 });
    return false;
  });
  const asked = sql`select 1`.then(
    () => "answered",
    (error: { code: string }) => error.code,
  );
  expect(await asked).toBe("CONNECTION_DESTROYED");
  await new Promise((ok) => setImmediate(ok));
  expect(unhandled).toEqual([]);
  await sql.end();
});

/** Runs more transactions and queries at once than the pool has room for. Returns how many of them had their connection for themselves. */
async function transactAtOnce(pipeline: number): Promise<{ alone: number; notices: unknown[] }> {
  const notices: unknown[] = [];
  const settings = { max: 3, onnotice: (notice: unknown) => notices.push(notice), max_pipeline: pipeline } as unknown as postgres.Options<
    Record<string, never>
  >;
  const sql = corrected("url" in proxy.address ? proxy.address.url : "", settings);
  const queries: Promise<unknown>[] = [];
  const transactions: Promise<string | null>[] = [];
  for (let n = 0; n < 36; n++)
    if (n % 3 < 2) queries.push(sql`select ${"x".repeat(2_000)}::text as padding`.execute());
    else
      transactions.push(
        sql.begin(async (tx) => {
          const [first] = await tx`select pg_current_xact_id()::text as id`;
          await new Promise((ok) => setImmediate(ok));
          const [second] = await tx`select pg_current_xact_id()::text as id`;
          return first!.id === second!.id ? (first!.id as string) : null;
        }),
      );
  const ids = await Promise.all(transactions);
  await Promise.all(queries);
  // A query that had got into an open transaction would have its id.
  const [outside] = await sql`select pg_current_xact_id_if_assigned()::text as id`;
  await sql.end();
  return { alone: outside!.id === null ? new Set(ids.filter(Boolean)).size : 0, notices };
}

it("gives each transaction a connection of its own when the pipelines are full", async () => {
  expect(await transactAtOnce(2)).toEqual({ alone: 12, notices: [] });
});

it("fails the build when postgres.js changes a corrected part", () => {
  for (const file of CORRECTED_FILES) expect(() => withCorrections("export {}", file)).toThrow("postgres.js has changed");
});
