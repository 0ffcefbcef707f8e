/** Two workers on one port (`WEB_CONCURRENCY`): requests and polls reach either, and one that dies takes nothing along. */
import { readdirSync, readFileSync } from "node:fs";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let patient: LoggedIn;
beforeAll(async () => {
  server = await startServer({ env: { WEB_CONCURRENCY: "2" } });
  patient = await loginAs(server, DEMO.patient);
});
afterAll(() => server?.stop());

/** Returns sockets that poll, each poll on a connection of its own, which the primary gives to the workers in turn. */
function pollers(count: number): { sockets: Socket[]; received: (id: string) => number } {
  const ids = new Map<string, Set<Socket>>();
  const sockets = Array.from({ length: count }, () =>
    io(server.url, {
      path: "/socket.io",
      transports: ["polling"],
      forceNew: true,
      reconnectionDelay: 100,
      reconnectionDelayMax: 200,
      extraHeaders: { cookie: `nadi_session=${patient.token}`, origin: server.url, connection: "close" },
    }),
  );
  for (const socket of sockets)
    socket.on("receiveNotification", ({ _id }: { _id: string }) => ids.set(_id, (ids.get(_id) ?? new Set()).add(socket)));
  return { sockets, received: (id) => ids.get(id)?.size ?? 0 };
}
const notify = (id: string) =>
  server.sql`select pg_notify('nadi_events', ${JSON.stringify({ userId: patient.userId, event: "receiveNotification", data: { _id: id } })})`;
/** Sends again until all have it: a new worker accepts sockets a moment before it listens to the database. */
const notifyUntil = (id: string, check: () => void) =>
  vi.waitFor(
    async () => {
      await notify(id);
      check();
    },
    { timeout: 20_000, interval: 200 },
  );
const workerPids = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
const workersOf = (sockets: Socket[]) => new Set(sockets.map(({ io }) => (io.engine as unknown as { id: string }).id.split("-")[0]));

test("polling reaches its worker on every connection, also after a worker dies", async () => {
  const { sockets, received } = pollers(8);
  const allConnected = () => vi.waitFor(() => expect(sockets.every(({ connected }) => connected)).toBe(true), { timeout: 20_000 });
  await allConnected();
  // Otherwise the test would not pass anything on.
  expect(workersOf(sockets).size).toBe(2);
  await notifyUntil("first", () => expect(received("first")).toBe(8));

  const ended = Promise.race(sockets.map((socket) => new Promise((ok) => socket.once("disconnect", ok))));
  process.kill(workerPids(server.pid)[0]!, "SIGKILL");
  await ended;
  await allConnected();
  await notifyUntil("second", () => expect(received("second")).toBe(8));
  for (const socket of sockets) socket.disconnect();
});

test("a session and its end hold on both workers", async () => {
  const other = await loginAs(server, { role: "patient", phone: "+919811200077" });
  const status = () =>
    fetch(`${server.url}/patient/settings`, {
      redirect: "manual",
      headers: { cookie: `nadi_session=${other.token}`, connection: "close" },
    });
  const statuses = async () => new Set(await Promise.all(Array.from({ length: 8 }, async () => (await status()).status)));
  expect(await statuses()).toEqual(new Set([200]));
  await other.post("/logout", {});
  expect(await statuses()).toEqual(new Set([303]));
});
