/** The supervisor of `node server.ts`: a worker that crashes or stops answering is replaced, and none outlives its primary. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, startServer, type TestServer, workerPids } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  // node:cluster gives each worker the next port after this one. Nothing listens there until a test sends SIGUSR1.
  const inspector = `--inspect-port=${await freePort()}`;
  server = await startServer({ own: true, seed: false, env: { WORKER_STUCK_SECONDS: "2", NODE_OPTIONS: inspector } });
});
afterAll(() => server?.stop());

const worker = () => workerPids(server.pid)[0] ?? 0;
const isAlive = (pid: number) => {
  try {
    // A zombie has ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};
const answers = () =>
  fetch(`${server.url}/patient/emergency-contact`, { signal: AbortSignal.timeout(1_000), headers: { connection: "close" } })
    .then(({ status }) => status)
    .catch(() => 0);
const replacements = async () =>
  Object.fromEntries(
    [...(await (await fetch(`${server.url}/metrics`)).text()).matchAll(/^worker_replacements_total\{reason="(\w+)"\} (\d+)$/gm)].map(
      ([, reason, count]) => [reason!, Number(count)],
    ),
  );
/** Waits until another worker than this one answers pages. */
async function untilReplaced(before: number) {
  await expect.poll(() => isAlive(before), { timeout: 30_000 }).toBe(false);
  await expect.poll(answers, { timeout: 30_000 }).toBe(200);
  expect(worker()).not.toBe(before);
}

test("a killed worker is replaced", async () => {
  const before = worker();
  process.kill(before, "SIGKILL");
  await untilReplaced(before);
  await expect.poll(replacements).toEqual({ died: 1, stuck: 0 });
});

test("a worker with a blocked event loop is killed and replaced", async () => {
  const before = worker();
  // The inspector of Node listens on this machine when the user of the process sends SIGUSR1.
  process.kill(before, "SIGUSR1");
  const inspector = await expect
    .poll(() => /Debugger listening on (ws:\S+)/.exec(server.output())?.[1], { timeout: 20_000 })
    .toBeTruthy()
    .then(() => /Debugger listening on (ws:\S+)/.exec(server.output())![1]!);
  const socket = new WebSocket(inspector);
  await new Promise((ok) => socket.addEventListener("open", ok));
  socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression: "for (;;);" } }));
  await untilReplaced(before);
  socket.close();
  await expect.poll(replacements).toEqual({ died: 1, stuck: 1 });
  await expect.poll(server.logs).toContainEqual(expect.objectContaining({ level: "error", msg: "worker replaced", reason: "stuck" }));
});

test("a stopped worker is killed and replaced", async () => {
  const before = worker();
  process.kill(before, "SIGSTOP");
  await untilReplaced(before);
  await expect.poll(replacements).toEqual({ died: 1, stuck: 2 });
});

test("reports ready once, and shuts down in order", async () => {
  expect(server.output().match(/^ready at /gm)).toHaveLength(1);
  const last = worker();
  expect(await server.stop("SIGINT")).toEqual({ code: 0, signal: null });
  expect(isAlive(last)).toBe(false);
});

test("a worker ends with its primary and frees the port", async () => {
  const other = await startServer({ own: true, seed: false });
  const [own = 0] = workerPids(other.pid);
  expect(isAlive(own)).toBe(true);
  other.child.kill("SIGKILL");
  await expect.poll(() => isAlive(own), { timeout: 20_000 }).toBe(false);
  // Its threads close their sockets a moment after its exit.
  const knock = () =>
    new Promise<string | undefined>((ok) => {
      const socket = connect(other.port, "127.0.0.1");
      socket.once("error", ({ code }: NodeJS.ErrnoException) => ok(code));
      socket.once("connect", () => {
        socket.destroy();
        ok("connected");
      });
    });
  await expect.poll(knock, { timeout: 20_000 }).toBe("ECONNREFUSED");
  await other.stop();
});

test("a crashing worker waits at most two seconds to start, and a shutdown does not wait for that", async () => {
  const other = await startServer({ own: true, seed: false });
  for (let i = 0; i < 6; i++) {
    await expect.poll(() => workerPids(other.pid).length, { timeout: 20_000 }).toBe(1);
    process.kill(workerPids(other.pid)[0]!, "SIGKILL");
    await expect.poll(() => other.logs().filter(({ msg }) => msg === "worker replaced").length, { timeout: 20_000 }).toBe(i + 1);
  }
  const pauses = other.logs().flatMap(({ msg, pauseMs }) => (msg === "worker replaced" ? [pauseMs] : []));
  expect(pauses).toEqual([0, 250, 500, 1_000, 2_000, 2_000]);
  expect(await other.stop()).toEqual({ code: 0, signal: null });
});

test("a connection to a worker that is killed before it accepts it ends at once", async () => {
  const other = await startServer({ own: true, seed: false });
  const [own = 0] = workerPids(other.pid);
  process.kill(own, "SIGSTOP");
  const socket = connect(other.port, "127.0.0.1");
  const ended = new Promise<string>((ok) => {
    socket.once("error", () => ok("ended"));
    socket.once("close", () => ok("ended"));
    socket.once("data", () => ok("answered"));
  });
  await new Promise<void>((ok) => socket.once("connect", ok));
  socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
  process.kill(own, "SIGKILL");
  // Handed over by the primary it would wait for ever: the handle is lost with the worker.
  expect(await ended).toMatch(/ended|answered/);
  socket.destroy();
  await other.stop();
}, 60_000);
