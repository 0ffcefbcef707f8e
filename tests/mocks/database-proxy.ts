/** A proxy between a server and its database: a test can disconnect, freeze and restore the database. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { RELAY_NAME } from "#app/realtime/relay.server.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";

export type DatabaseProxy = {
  address: DatabaseAddress;
  /** Breaks connections and refuses new ones. */
  disconnect(): Promise<void>;
  /** Accepts connections and never responds. */
  freeze(): void;
  giveBack(): Promise<void>;
  /** Breaks connections and leads new ones to another server, as after a failover. */
  switchTo(other: DatabaseAddress): void;
  stop(): Promise<void>;
};

/**
 * @param onStatement called for each statement that the server runs, except those of the relay and of the job queue, which repeat all
 *   the time, and the driver's own for each new connection: how many connections open depends on the machine
 */
export async function proxyDatabase(to: DatabaseAddress, onStatement?: () => void): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  let target = to;
  const dial = () => {
    if (!("url" in target)) return connect(join(target.host, `.s.PGSQL.${target.port}`));
    const url = new URL(target.url);
    return connect(Number(url.port || 5432), url.hostname);
  };
  const accept = (front: Socket) => {
    const back = dial();
    for (const socket of [front, back]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        front.destroy();
        back.destroy();
      });
    }
    if (onStatement) front.on("data", statementReader(onStatement));
    front.on("data", (chunk) => frozen || back.write(chunk));
    back.on("data", (chunk) => frozen || front.write(chunk));
  };
  let server: Server | undefined;
  let port = 0;
  const listen = () =>
    new Promise<void>((ok) => {
      server = createServer(accept).listen(port, "127.0.0.1", () => {
        port = (server!.address() as { port: number }).port;
        ok();
      });
    });
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const disconnect = () =>
    new Promise<void>((ok) => {
      server?.close(() => ok());
      breakAll();
    });
  await listen();
  const name = "url" in to ? new URL(to.url).pathname.slice(1) : to.database;
  const user = "url" in to ? new URL(to.url).username : to.username;
  const password = "url" in to ? new URL(to.url).password : "";
  return {
    address: { url: `postgres://${user}${password ? `:${password}` : ""}@127.0.0.1:${port}/${name}` },
    disconnect,
    freeze() {
      frozen = true;
    },
    async giveBack() {
      if (frozen) breakAll();
      frozen = false;
      if (!server?.listening) await listen();
    },
    switchTo(other) {
      target = other;
      breakAll();
    },
    stop: disconnect,
  };
}

/** Names of connections that ask in the background. */
const BACKGROUND = [RELAY_NAME, "pgboss"];

/** Returns a reader of a client's bytes that counts Bind (a prepared statement) and Query (a simple one) of PostgreSQL's protocol. */
function statementReader(onStatement: () => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  // The first message has no type. We use no TLS, so it is the startup message.
  let isStarted = false;
  let isBackground = false;
  let isOfDriver = false;
  return (chunk) => {
    rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    for (;;) {
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      if (!isStarted) isBackground = BACKGROUND.some((name) => rest.subarray(0, end).includes(name));
      else {
        const type = String.fromCharCode(rest[0]!);
        // A Bind runs the statement of the Parse before it, or one that was prepared earlier.
        if (/[PQ]/.test(type)) isOfDriver = /pg_is_in_recovery|typarray/.test(rest.subarray(0, end).toString("latin1"));
        if (/[BQ]/.test(type)) {
          if (!isBackground && !isOfDriver) onStatement();
          isOfDriver = false;
        }
      }
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}
