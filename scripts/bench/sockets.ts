/** `npm run bench -- --sockets`: memory and CPU of open pages in one process, and the delay of notifications to all. */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { io, type Socket } from "socket.io-client";
import { connect } from "#app/db/client.server.ts";
import { cloneTemplate, urlOf } from "../../tests/setup/database.ts";
import { median, print } from "./table.ts";
import { openSessions, serve } from "./world.ts";

const SOCKETS = 5_000;
const AT_ONCE = 50;

type Client = { userId: string; socket: Socket; received: Promise<number> };

/** Opens sockets of 5,000 users, notifies all in one transaction, and prints the figures. */
export async function measureSockets(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "nadi-bench-"));
  const address = await cloneTemplate("reference");
  const { sql, end } = connect(address, { max: 2 });
  const people = await sql<{ id: string }[]>`
    insert into users (role, phone) select 'patient', '+918' || lpad(n::text, 9, '0') from generate_series(1, ${SOCKETS}::int) n returning id`;
  const cookies = await openSessions(
    sql,
    people.map(({ id }) => id),
  );
  const root = resolve(import.meta.dirname, "../..");
  const server = await serve(["server.ts"], root, "/healthz", { DATABASE_URL: urlOf(address), DATA_DIR: folder, DEMO: "1" });
  const open: Client[] = [];
  try {
    const began = performance.now();
    const before = server.resident();
    for (let from = 0; from < SOCKETS; from += AT_ONCE)
      open.push(
        ...(await Promise.all(people.slice(from, from + AT_ONCE).map(({ id }, i) => dial(server.port, id, cookies[from + i] ?? "")))),
      );
    const connected = performance.now() - began;
    const idle = server.resident();

    const cpu = server.used();
    const sent = performance.now();
    await sql`
      select pg_notify('nadi_events', json_build_object('userId', id, 'event', 'receiveNotification',
        'data', json_build_object('_id', id, 'title', 'Appointment accepted', 'message', 'A message of the usual length, with a name and a date in it.', 'type', 'success', 'read', false))::text)
      from users where phone like '+918%'`;
    const times = (await Promise.all(open.map(({ received }) => received))).map((at) => at - sent).sort((a, b) => a - b);
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
    console.log(
      `\n${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${cpus()[0]?.model.trim()} · Node ${process.version} · load ${loadavg()[0]?.toFixed(1)}`,
    );
    print(
      ["", ""],
      [
        ["sockets", String(open.length)],
        ["connected in, s", (connected / 1000).toFixed(1)],
        ["memory of the server before, MB", before.toFixed(0)],
        ["memory with all of them, MB", idle.toFixed(0)],
        ["a socket, kB", (((idle - before) * 1024) / open.length).toFixed(1)],
        ["delivery of one each, p50 ms", String(Math.round(median(times)))],
        ["p99 ms", at(0.99)],
        ["the last, ms", at(1)],
        ["server's processor time for all, ms", String(server.used() - cpu)],
      ],
    );
  } finally {
    for (const { socket } of open) socket.disconnect();
    await server.stop();
    await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function dial(port: number, userId: string, cookie: string): Promise<Client> {
  const socket = io(`http://localhost:${port}`, {
    path: "/socket.io",
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
    timeout: 60_000,
    extraHeaders: { cookie, origin: `http://localhost:${port}` },
  });
  const received = new Promise<number>((ok) => socket.once("receiveNotification", () => ok(performance.now())));
  return new Promise((ok, no) => {
    socket.once("connect", () => ok({ userId, socket, received }));
    socket.once("connect_error", no);
  });
}
