/** Two server processes with one database, file store and clock, behind a proxy, as in production. */
import { createServer, request } from "node:http";
import { connect } from "node:net";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { dropDatabase } from "../../scripts/databases.ts";
import { cloneTemplate } from "./database.ts";
import { freePort, startServer, type TestServer } from "./server.ts";

/** Behaves like one server. */
export type Pair = TestServer & { processes: readonly [TestServer, TestServer]; database: DatabaseAddress };

/**
 * Distributes requests and websockets in turn. Like deploy/Caddyfile it skips a process that refuses the connection, and
 * retries a GET whose connection breaks before the response.
 */
async function roundRobin(port: number, backends: readonly number[]) {
  let turn = 0;
  const server = createServer((req, res) => {
    const first = turn++;
    const pass = (tried: number) => {
      const forwarded = [req.headers["x-forwarded-for"], req.socket.remoteAddress].filter(Boolean).join(", ");
      const out = request(
        {
          host: "127.0.0.1",
          port: backends[(first + tried) % backends.length],
          method: req.method,
          path: req.url,
          headers: { ...req.headers, "x-forwarded-for": forwarded },
          agent: false,
        },
        (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          answer.pipe(res);
          answer.on("error", () => res.destroy());
        },
      );
      out.on("error", (error: NodeJS.ErrnoException) => {
        const again = error.code === "ECONNREFUSED" || (error.code === "ECONNRESET" && req.method === "GET" && !res.headersSent);
        if (again && !res.destroyed && tried + 1 < backends.length) return pass(tried + 1);
        if (res.headersSent) res.destroy();
        else res.writeHead(502).end();
      });
      // The body is read only after a connection exists.
      out.on("socket", (socket) => socket.once("connect", () => req.pipe(out)));
      res.on("close", () => out.destroy());
    };
    pass(0);
  });
  server.on("upgrade", (req, front, head) => {
    const back = connect(backends[turn++ % backends.length]!, "127.0.0.1", () => {
      const lines = [`${req.method} ${req.url} HTTP/1.1`];
      for (let i = 0; i < req.rawHeaders.length; i += 2) lines.push(`${req.rawHeaders[i]}: ${req.rawHeaders[i + 1]}`);
      back.write(`${lines.join("\r\n")}\r\nx-forwarded-for: 127.0.0.1\r\n\r\n`);
      back.write(head);
      back.pipe(front).pipe(back);
    });
    for (const socket of [front, back])
      socket.on("error", () => {
        front.destroy();
        back.destroy();
      });
  });
  await new Promise<void>((ok) => server.listen(port, "127.0.0.1", ok));
  return () =>
    new Promise<void>((ok) => {
      server.close(() => ok());
      server.closeAllConnections();
    });
}

/**
 * @param options.env variables of both processes
 * @param options.ownFolders gives each its own DATA_DIR: they share the database and, with `env`, a bucket
 */
export async function startPair(options: { env?: Record<string, string | undefined>; ownFolders?: boolean } = {}): Promise<Pair> {
  const database: DatabaseAddress = await cloneTemplate("demo");
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...options.env, APP_URL: url, TRUST_PROXY: "1" };
  const first = await startServer({ database, env, demoFiles: true });
  const second = await startServer({ database, env, ...(options.ownFolders ? {} : { dataDir: first.dataDir }) });
  const close = await roundRobin(port, [first.port, second.port]);
  return {
    ...first,
    url,
    port,
    processes: [first, second],
    database,
    logs: () => [...first.logs(), ...second.logs()],
    output: () => first.output() + second.output(),
    async stop(signal) {
      await close();
      const [end] = await Promise.all([first.stop(signal), second.stop(signal)]);
      await dropDatabase(database);
      return end;
    },
  };
}
