/// <reference types="vite/client" />
/** The process: opens the port, tells that it is ready, and stops without cutting anybody off. */
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { pool } from "#app/db/pool.server.ts";
import { env } from "#app/env.server.ts";
import { flushBackground } from "#app/jobs/background.server.ts";
import { startWorkers } from "#app/jobs/worker.server.ts";
import { minutes, seconds } from "#app/lib/durations.ts";
import { log } from "#app/log.server.ts";
import { attachRealtime, stopRealtime } from "#app/realtime/server.ts";
import { trackConnections } from "./connections.ts";
import { beginDraining, isDraining, isReady } from "./health.ts";
import { listener } from "./listener.ts";
import { endSlowBodies } from "./slow-bodies.ts";
import { announce, startHeartbeat } from "./supervised.ts";

export { listener };

const development = globalThis as typeof globalThis & { __nadiWorkers?: Promise<unknown> };
/** Development: Vite's own server carries the sockets; the queues are worked on once a process, by the code of its start. */
export function attachDevelopment(server: HttpServer): void {
  attachRealtime(server, { shared: true });
  development.__nadiWorkers ??= startWorkers().catch((error: unknown) => log.error({ err: error }, "jobs are not worked on"));
}

/** A start that failed for a reason that can be told in one line. */
class StartError extends Error {
  override readonly name = "StartError";
}

const DEMO_ACCOUNTS = `
demo accounts (password demo1234)
  patient   9000000001, or any other 10-digit number; codes are at /dev/outbox
  doctor    doctor@demo.test    (+91 9000000101)
  reviewer  reviewer@demo.test  (+91 9000000102)
  admin     admin@demo.test     (+91 9000000103)
`;

function listen(
  server: {
    listen(port: number, host: string, done: () => void): unknown;
    once(event: "error", on: (e: NodeJS.ErrnoException) => void): unknown;
  },
  port: number,
  host: string,
) {
  return new Promise<void>((ok, no) => {
    server.once("error", no);
    server.listen(port, host, ok);
  });
}

/** Longer than a proxy takes to ask /readyz again. */
const LINGER = seconds(5);

/** Serves until a signal asks for the end; `stopped` settles when the last answer is out. */
export async function start(): Promise<{ stopped: Promise<void> }> {
  const { port, host, demo, bodyMs } = env();
  const server = createServer(
    {
      requestTimeout: minutes(5),
      headersTimeout: seconds(20),
      connectionsCheckingInterval: seconds(5),
      keepAliveTimeout: seconds(30),
      maxHeaderSize: 16 * 1024,
    },
    listener,
  );
  // The gates come first, so that a large upload can be refused before it is sent.
  server.on("checkContinue", listener);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const status =
      error.code === "HPE_HEADER_OVERFLOW"
        ? "431 Request Header Fields Too Large"
        : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
          ? "408 Request Timeout"
          : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  attachRealtime(server);
  // After the sockets, which take their own requests away from listeners that were there before.
  endSlowBodies(server, bodyMs);
  const connections = trackConnections(server);

  await listen(server, port, host).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE")
      throw new StartError(
        `Port ${port} is already in use: another server is running there. Stop it, or choose another with PORT=${port + 1} npm start.`,
      );
    if (error.code === "EACCES")
      throw new StartError(`Port ${port} may not be opened by this user. Choose another with PORT=3000 npm start.`);
    throw error;
  });
  const bound = server.address();
  const actual = typeof bound === "object" && bound ? bound.port : port;
  // `localhost` is ::1 first on many machines.
  const sixth = createSocketServer((socket) => void server.emit("connection", socket));
  if (host === "127.0.0.1") await listen(sixth, actual, "::1").catch(() => undefined);

  const address = `http://localhost:${actual}`;
  let workers: ReturnType<typeof startWorkers> | undefined;
  const begin = async () => {
    if (isDraining()) return;
    // Pages work without the queues; a letter waits until a process that works on them is started.
    workers = startWorkers().catch((error: unknown) => {
      log.error({ err: error }, "jobs are not worked on");
      return async () => {};
    });
    await workers;
    if (!demo) await warnOfOwner();
    announce("ready", `ready at ${address}${demo ? `\n${DEMO_ACCOUNTS}` : ""}`);
  };
  // Before anybody is told that it runs: who is told may end it at once.
  const stopped = new Promise<void>((done) => {
    let stopping = false;
    const stop = (signal: string) => {
      // npm forwards Ctrl-C a second time: a repeat is never read as "force".
      if (stopping) return;
      stopping = true;
      log.info({ signal }, "draining");
      drain(server, sixth, connections, async () => (await workers)?.()).then(done);
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(signal));
  });
  startHeartbeat();
  if (await isReady()) await begin();
  else {
    announce("listening", `listening at ${address}, but the database does not answer: pages say so until it does`);
    void untilReady().then((ready) => (ready ? begin() : undefined));
  }
  return { stopped };
}

/** A compromised process could change the audit log, where it runs as the owner of the tables (docs/operations.md, Two roles). */
async function warnOfOwner(): Promise<void> {
  const [rights] = await pool().sql`select has_table_privilege('audit_log', 'UPDATE') as owner`;
  if (rights?.owner) log.warn("this process may change the audit log: create the application role with `npm run roles`");
}

/** Waits for the database; false when the process is asked to end first. */
async function untilReady(): Promise<boolean> {
  while (!isDraining()) {
    await new Promise((ok) => setTimeout(ok, seconds(1)).unref());
    if (await isReady()) return true;
  }
  return false;
}

async function drain(
  server: HttpServer,
  sixth: { close(): unknown },
  connections: { closeIdle(): void },
  stopWorkers: () => Promise<void>,
): Promise<void> {
  beginDraining();
  // The proxy learns from /readyz that nobody new is to come here; whoever it sends until then is served (deploy/Caddyfile).
  if (!env().demo && env().trustProxy > 0) await new Promise((ok) => setTimeout(ok, LINGER));
  const closed = new Promise<void>((ok) => server.close(() => ok()));
  sixth.close();
  await stopRealtime(server);
  connections.closeIdle();
  const idle = setInterval(() => connections.closeIdle(), 100);
  // Longer than any request may take.
  const hard = setTimeout(() => server.closeAllConnections(), seconds(20));
  await closed;
  clearInterval(idle);
  clearTimeout(hard);
  await stopWorkers();
  await flushBackground();
  await pool().end();
  log.info("stopped");
}
