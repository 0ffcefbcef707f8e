/** Two workers on one port (`WEB_CONCURRENCY`): requests and polls reach either, and one that dies takes nothing along. */
import { readFileSync } from "node:fs";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer, workerPids } from "../setup/server.ts";

let server: TestServer;
let patient: LoggedIn;
beforeAll(async () => {
  server = await startServer({ own: true, env: { WEB_CONCURRENCY: "2" } });
  patient = await loginAs(server, DEMO.patient);
});
afterAll(() => server?.stop());

const notify = (id: string) =>
  server.sql`select pg_notify('nadi_events', ${JSON.stringify({ userId: patient.userId, event: "receiveNotification", data: { _id: id } })})`;
/**
 * Opens eight sockets that poll, each poll on a connection of its own, which the primary gives to the workers in turn. Sends an
 * event until each has it: a new worker accepts sockets a moment before it listens to the database. Returns the ids of their workers.
 */
async function deliverToPollers(id: string): Promise<Set<string>> {
  const sockets = Array.from({ length: 8 }, () =>
    io(server.url, {
      path: "/socket.io",
      transports: ["polling"],
      forceNew: true,
      extraHeaders: { cookie: `nadi_session=${patient.token}`, origin: server.url, connection: "close" },
    }),
  );
  const received = new Set<Socket>();
  for (const socket of sockets)
    socket.on("receiveNotification", (event: { _id: string }) => {
      if (event._id === id) received.add(socket);
    });
  await vi.waitFor(() => expect(sockets.every(({ connected }) => connected)).toBe(true), { timeout: 20_000 });
  await vi.waitFor(
    async () => {
      await notify(id);
      expect(received.size).toBe(sockets.length);
    },
    { timeout: 20_000, interval: 200 },
  );
  const workers = new Set(sockets.map(({ io }) => (io.engine as unknown as { id: string }).id.split("-")[0]!));
  for (const socket of sockets) socket.disconnect();
  return workers;
}

test("polls reach the worker of their connection, also after a worker was replaced", async () => {
  const before = workerPids(server.pid);
  expect(await deliverToPollers("first")).toEqual(new Set(["1", "2"]));
  process.kill(before[0]!, "SIGKILL");
  const replaced = () => workerPids(server.pid).filter((pid) => !before.includes(pid)).length === 1;
  await vi.waitFor(() => expect(replaced()).toBe(true), { timeout: 20_000 });
  // The new worker is one of them as soon as it accepts connections.
  await vi.waitFor(async () => expect(await deliverToPollers("second")).toEqual(new Set(["2", "3"])), { timeout: 20_000 });
});

test("a session and its end are the same on both workers", async () => {
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

test("metrics are those of both workers, each series with its worker", async () => {
  const visit = () => fetch(`${server.url}/choose-role`, { headers: { connection: "close" } });
  const metrics = async () => (await fetch(`${server.url}/metrics`, { headers: { connection: "close" } })).text();
  await vi.waitFor(
    async () => {
      await Promise.all(Array.from({ length: 4 }, visit));
      const text = await metrics();
      const served = [...text.matchAll(/^http_requests_total\{method="GET",status="200",worker="(\d+)"\} \d+$/gm)].map(
        ([, worker]) => worker,
      );
      expect(served).toHaveLength(2);
      expect(new Set(served).size).toBe(2);
      expect(text.match(/^# TYPE http_requests_total counter$/gm)).toHaveLength(1);
    },
    { timeout: 20_000 },
  );
});

test("workers start with limits of memory", () => {
  for (const pid of workerPids(server.pid)) {
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")).toContain("--max-semi-space-size=8");
    expect(readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")).toContain("MALLOC_ARENA_MAX=2");
  }
});
