/// <reference types="vite/client" />
/** The server process: start, readiness and graceful shutdown. */
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { pool } from "#app/db/pool.server.ts";
import { standby } from "#app/db/standby.server.ts";
import { startWorkers, type Workers } from "#app/jobs/worker.server.ts";
import { minutes, seconds } from "#app/lib/durations.ts";
import { forgetStart } from "#app/lib/of-start.ts";
import { flushBackground } from "#app/queue/background.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { trackConnections } from "./connections.ts";
import { silence } from "./database-silence.ts";
import { beginDraining, isDraining, isReady } from "./health.ts";
import { listener } from "./listener.ts";
import { endSlowBodies } from "./slow-bodies.ts";
import { attachRealtime, stopRealtime } from "./sockets.ts";
import { announce, startHeartbeat } from "./supervised.ts";

export { forgetStart, listener };

const development = globalThis as typeof globalThis & { __nadiWorkers?: Promise<unknown> };
/** Development: sockets on Vite's server, and job workers once for each process, with the code of its start. */
export function attachDevelopment(server: HttpServer): void {
  attachRealtime(server, { shared: true });
  development.__nadiWorkers ??= startWorkers().catch((error: unknown) => log.error({ err: error }, "jobs are not worked on"));
}

/** A start failure with a known reason: the message is shown without a stack. */
class StartError extends Error {
  override readonly name = "StartError";
}

const DEMO_ACCOUNTS = `
demo accounts (password demo1234)
  patient   9000000001, or any other 10-digit number; codes are at /dev/outbox
  doctor    doctor@demo.test    (+91 9000000101)
  reviewer  reviewer@demo.test  (+91 9000000102)
  admin     admin@demo.test     (+91 9000000103)
  owner     owner@demo.test     (+91 9000000104)
  reception reception@demo.test (+91 9000000105)
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

/** Longer than the two seconds after which a proxy checks /readyz again. */
const LINGER = seconds(3);

/** Starts the server. `stopped` resolves after `stop` or a signal, when the last response is sent. */
export async function start(): Promise<{ stopped: Promise<void>; stop(reason: string): void }> {
  const { port, host, demo, bodyMs, appUrl } = env();
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
  // The checks run before "100 Continue", so that a large upload can be refused before it is sent.
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
  // After socket.io, which removes its own requests from earlier listeners.
  const bodies = endSlowBodies(server, bodyMs);
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
  // On many machines `localhost` is ::1 first.
  const sixth = createSocketServer((socket) => void server.emit("connection", socket));
  if (host === "127.0.0.1") await listen(sixth, actual, "::1").catch(() => undefined);

  const address = `http://localhost:${actual}`;
  // Logins work at the address of APP_URL: cookies and the origin check belong to it.
  const isOwnAddress = appUrl.origin === `http://localhost:${port}`;
  const toOpen = isOwnAddress ? address : `${appUrl.origin} (port ${actual})`;
  let workers: Promise<Workers | null> | undefined;
  const begin = async () => {
    if (isDraining()) return;
    // Pages work without the job workers: emails wait in the queue.
    workers = startWorkers().catch((error: unknown) => {
      log.error({ err: error }, "jobs are not worked on");
      return null;
    });
    await workers;
    if (!demo) await warnOfOwner();
    announce("ready", `ready at ${toOpen}${demo ? `\n${DEMO_ACCOUNTS}` : ""}`);
  };
  // Before the readiness message: its reader may send a signal at once.
  let stop: (signal: string) => void = () => {};
  const stopped = new Promise<void>((done) => {
    let stopping = false;
    stop = (signal) => {
      // npm sends Ctrl-C a second time: a repeated signal does not force the exit.
      if (stopping) return;
      stopping = true;
      log.info({ signal }, "draining");
      drain({ server, sixth, connections, bodies, workers }).then(done);
    };
    for (const one of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(one, stop);
  });
  startHeartbeat();
  standby();
  silence();
  if (await isReady()) await begin();
  else {
    announce("listening", `listening at ${address}, but the database does not answer: pages report it until it does`);
    void untilReady().then((ready) => (ready ? begin() : undefined));
  }
  return { stopped, stop };
}

/** Warns when the process owns the tables: if compromised it could change the audit log (docs/operations.md, Two roles). */
async function warnOfOwner(): Promise<void> {
  const [rights] = await pool().sql`select has_table_privilege('audit_log', 'UPDATE') as owner`;
  if (rights?.owner) log.warn("this process may change the audit log: create the application role with `npm run roles`");
}

/** Waits for the database. Returns false when the process is stopped first. */
async function untilReady(): Promise<boolean> {
  while (!isDraining()) {
    await new Promise((ok) => setTimeout(ok, seconds(1)).unref());
    if (await isReady()) return true;
  }
  return false;
}

type Running = {
  server: HttpServer;
  sixth: { close(): unknown };
  connections: ReturnType<typeof trackConnections>;
  bodies: ReturnType<typeof endSlowBodies>;
  workers: Promise<Workers | null> | undefined;
};

async function drain({ server, sixth, connections, bodies, workers }: Running): Promise<void> {
  beginDraining();
  void workers?.then((jobs) => jobs?.rest());
  const arrived = bodies.stop();
  // Serves requests until the proxy has seen /readyz fail (deploy/Caddyfile).
  if (!env().demo && env().trustProxy > 0) await new Promise((ok) => setTimeout(ok, LINGER));
  const closed = new Promise<void>((ok) => server.close(() => ok()));
  sixth.close();
  await stopRealtime(server);
  connections.closeIdle();
  const idle = setInterval(() => connections.closeIdle(), 100);
  // Longer than any deadline.
  const hard = setTimeout(() => server.closeAllConnections(), seconds(20));
  await closed;
  arrived();
  clearInterval(idle);
  clearTimeout(hard);
  await (await workers)?.stop();
  await flushBackground();
  await standby()?.stop();
  await silence().stop();
  await pool().end();
  log.info("stopped");
}
