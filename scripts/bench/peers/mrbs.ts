/**
 * Starts MRBS (Meeting Room Booking System, PHP) as a peer: its rooms are doctors, its entries appointments. Runs a copy of an archive that somebody
 * unpacked, with its own tables in a database of their own, and only pages and forms that a browser uses.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "#app/db/client.server.ts";
import { newDatabaseName, serverAddress } from "../../../tests/setup/database.ts";
import { freePort } from "../../../tests/setup/server.ts";
import { createDatabase, dropDatabase, inDatabase } from "../../databases.ts";
import { familyOf } from "../../processes.ts";
import { Clients, type Reply } from "../../prove/product/clients.ts";

const WORKERS = 4;
const HALF_HOUR = 1_800;
/** A day opens at 7:00 and has 24 half hours. */
const [OPENS, TIMES] = [7 * 3_600, 24];

type Rooms = string[];
export type Mrbs = {
  port: number;
  list: string;
  /** Books the n-th time: a doctor, a day and a half hour. */
  book(n: number): Promise<boolean>;
  stop(): Promise<void>;
};

/** Says what is missing; null: MRBS can be started from this folder. */
export function whatIsMissing(folder: string | undefined): string | null {
  if (!folder) return "the folder of an unpacked archive of MRBS (mrbs.sourceforge.io, or its repository): --peers FOLDER";
  if (!existsSync(join(folder, "web/edit_entry_handler.php")) || !existsSync(join(folder, "tables.pg.sql"))) return `MRBS in ${folder}`;
  const modules = spawnSync("php", ["-m"], { encoding: "utf8" }).stdout ?? "";
  const missing = ["pdo_pgsql", "mbstring", "intl"].filter((name) => !modules.split("\n").includes(name));
  return missing.length ? `PHP with ${missing.join(", ")}: apt-get install php-cli php-pgsql php-mbstring php-intl` : null;
}

/** @param doctors how many rooms @throws when MRBS does not start or refuses a form */
export async function startMrbs(folder: string, doctors: number): Promise<Mrbs> {
  const own = mkdtempSync(join(tmpdir(), "nadi-mrbs-"));
  cpSync(folder, own, { recursive: true });
  const address = inDatabase(serverAddress(), newDatabaseName());
  await createDatabase(address);
  const { sql, end } = connect(address, { max: 1 });
  await sql.unsafe(readFileSync(join(own, "tables.pg.sql"), "utf8"));
  await end();
  writeFileSync(join(own, "web/config.inc.php"), configOf(address));
  const port = await freePort();
  const php = spawn("php", ["-d", "opcache.enable_cli=1", "-d", "display_errors=0", "-S", `127.0.0.1:${port}`, "-t", join(own, "web")], {
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: String(WORKERS) },
    stdio: "ignore",
  });
  const clients = new Clients(port, 64, { keepAlive: false });
  const stop = async () => {
    clients.close();
    const ended = once(php, "exit");
    // The first process does not end its workers.
    for (const pid of familyOf(php.pid!)) process.kill(pid);
    await ended;
    await dropDatabase(address);
    rmSync(own, { recursive: true, force: true });
  };
  try {
    for (let i = 0; i < 50 && (await clients.get("/index.php")).status !== 200; i++) await new Promise((again) => setTimeout(again, 100));
    const { cookie, token } = await visit(port);
    const add = async (fields: Record<string, string>) => {
      const { status, location } = await clients.post("/add.php", cookie, { csrf_token: token, ...fields });
      if (status !== 302 || location.includes("error")) throw new Error(`MRBS did not add ${fields.name}: ${status} ${location}`);
    };
    await add({ type: "area", name: "Doctors" });
    for (let n = 1; n <= doctors; n++)
      await add({ type: "room", area: "1", name: `Doctor ${n}`, description: "Cardiologist", capacity: "1" });
    const list = "/index.php?view=day&area=1";
    const rooms = [...new Set([...(await clients.get(list)).body.matchAll(/room=(\d+)/g)].map(([, id]) => id!))];
    if (rooms.length !== doctors) throw new Error(`MRBS shows ${rooms.length} of ${doctors} rooms`);
    const post = (n: number) => clients.post("/edit_entry_handler.php", cookie, { csrf_token: token, ...entryOf(rooms, n) });
    return { port, list, book: async (n) => isBooked(await post(n)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a browser has after its first page: cookies and the token of forms. */
async function visit(port: number): Promise<{ cookie: string; token: string }> {
  const page = await fetch(`http://127.0.0.1:${port}/index.php`);
  const token = /name="csrf_token" (?:content|value)="([^"]+)"/.exec(await page.text())?.[1];
  if (!token) throw new Error("MRBS shows no form");
  return {
    cookie: page.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; "),
    token,
  };
}

const isBooked = ({ status }: Reply) => status === 302;

/** The fields of its form for the n-th time. */
function entryOf(rooms: Rooms, n: number): Record<string, string> {
  const [room, later] = [rooms[n % rooms.length]!, Math.floor(n / rooms.length)];
  const day = new Date(Date.now() + (2 + Math.floor(later / TIMES)) * 86_400_000).toISOString().slice(0, 10);
  const from = OPENS + (later % TIMES) * HALF_HOUR;
  return {
    ...{ rep_id: "0", edit_series: "0", rep_type: "0", returl: "", type: "E", create_by: "127.0.0.1", name: "Patient", description: "" },
    ...{ start_date: day, start_seconds: String(from), end_date: day, end_seconds: String(from + HALF_HOUR), "rooms[]": room },
  };
}

function configOf(address: ReturnType<typeof serverAddress>): string {
  const { host, port, user, database } = partsOf(address);
  return `<?php
declare(strict_types=1);
namespace MRBS;
require_once 'lib/autoload.inc';
$timezone = "Asia/Kolkata";
$dbsys = "pgsql"; $db_host = "${host}"; $db_port = ${port}; $db_database = "${database}"; $db_login = "${user}"; $db_password = "";
$auth["type"] = "none"; $auth["session"] = "ip"; unset($auth["admin"]); $auth["admin"][] = "127.0.0.1";
`;
}

function partsOf(address: ReturnType<typeof serverAddress>) {
  if (!("url" in address)) return { host: address.host, port: address.port, user: address.username, database: address.database };
  const url = new URL(address.url);
  return { host: url.hostname, port: Number(url.port || 5432), user: url.username, database: url.pathname.slice(1) };
}
