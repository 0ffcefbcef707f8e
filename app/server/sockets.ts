/** socket.io on the same port. The relay brings the events of every commit to every process. */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import { Server, type Socket } from "socket.io";
import { z } from "zod";
import { db } from "#app/db/pool.server.ts";
import { standby } from "#app/db/standby.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { findLiveSessions, findSession } from "#app/domains/platform/accounts/queries.server.ts";
import { dropSnapshots } from "#app/domains/waiting-room/token-page/snapshot.server.ts";
import type { Session } from "#app/http/context.ts";
import { clientAddress, originOf } from "#app/http/request-head.ts";
import { readSession, sessionToken } from "#app/http/session.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { hashToken, isUuid } from "#app/lib/ids.server.ts";
import { CHANNELS, onOwn } from "#app/realtime/channels.server.ts";
import { type ClientEvents, EVENT_NAMES, type ServerEvents } from "#app/realtime/events.ts";
import { receive } from "#app/realtime/receive.server.ts";
import { startRelay } from "#app/realtime/relay.server.ts";
import { readClock } from "#app/runtime/clock.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { type Connection, flooded, limitPackets, pendingAt, stopPending } from "./flood.ts";
import { DATA_POLICY, securityHeaders } from "./headers.ts";
import { inTurns } from "./in-turns.ts";
import { sockets } from "./metrics.ts";
import { dropPages } from "./page-cache.ts";
import { sharePolls } from "./polls.ts";

type SocketData = { session: Session };
type RealtimeServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
type RealtimeSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

const MAX_SOCKETS_PER_USER = 10;
/** Unauthenticated connections of one address. Authenticated ones are limited by user: mobile carriers share addresses. */
const MAX_PENDING = 500;
/** How often the sessions of open sockets are checked: logout, expiry, a disabled account. */
const RECHECK = seconds(15);
const RECHECKED_AT_ONCE = 1000;
/** Queues that one page watches: three parts of a day of 40 doctors. */
const MAX_WATCHED = 120;

/** Why a socket was refused. The message is sent to the page. */
class Refusal extends Error {}

type Slot = { io: RealtimeServer; by: object; stop: () => Promise<void> };
const KEY = Symbol.for("nadi.realtime");
// A new identity for each evaluation of this module: Vite evaluates it again after edits.
const generation = {};

/** Attaches socket.io to an HTTP server, once. In development a newer evaluation of this module takes over its handlers. */
export function attachRealtime(server: HttpServer, { shared = false } = {}): RealtimeServer {
  const holder = server as HttpServer & { [KEY]?: Slot };
  let slot = holder[KEY];
  if (slot?.by === generation) return slot.io;
  if (slot) {
    void slot.stop();
    slot.io.removeAllListeners();
    slot.io.local.disconnectSockets(true); // clients reconnect to the new handlers
  }
  const io: RealtimeServer =
    slot?.io ??
    new Server(server, {
      path: "/socket.io",
      serveClient: false,
      maxHttpBufferSize: 16 * 1024,
      // Vite's own websocket shares the http server in development.
      destroyUpgrade: !shared,
      allowRequest: (req, decide) => handshakeInTurn(req, () => decide(null, mayConnect(req))),
    });
  let stopPolls = () => {};
  if (!slot) {
    if (!shared) stopPolls = sharePolls(server, io.engine as unknown as Parameters<typeof sharePolls>[1]);
    io.engine.use((_req: IncomingMessage, res: ServerResponse, next: () => void) => {
      for (const [name, value] of Object.entries({
        ...securityHeaders(),
        "content-security-policy": DATA_POLICY,
        "cache-control": "no-store",
      }))
        res.setHeader(name, value);
      next();
    });
    io.engine.on("connection", (connection: Connection & { request: IncomingMessage }) =>
      limitPackets(connection, addressOf(connection.request)),
    );
    io.use((socket, next) => {
      admit(io, socket).then(
        () => next(),
        (error: unknown) => {
          // The message reaches the browser: send only our own.
          if (!(error instanceof Refusal)) log.warn({ err: error }, "socket not admitted");
          next(error instanceof Refusal ? error : new Refusal("unavailable"));
        },
      );
    });
  }
  io.on("connection", onConnection);
  const recheck = setInterval(
    () => void recheckSessions(io).catch((error: unknown) => log.warn({ err: error }, "sessions of sockets not rechecked")),
    RECHECK,
  );
  recheck.unref();
  const receiving = receiveEvents(io);
  const relay = startRelay(env().database, env().redisUrl);
  slot = {
    io,
    by: generation,
    async stop() {
      clearInterval(recheck);
      stopPolls();
      await relay.stop();
      await receiving.stop();
    },
  };
  holder[KEY] = slot;
  return io;
}

/** Disconnects every socket and stops listening. */
export async function stopRealtime(server: HttpServer): Promise<void> {
  const slot = (server as HttpServer & { [KEY]?: Slot })[KEY];
  if (!slot) return;
  slot.io.local.disconnectSockets(true);
  slot.io.engine.close();
  await slot.stop();
}

const addressOf = ({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">) =>
  clientAddress(socket.remoteAddress, headers["x-forwarded-for"], env().trustProxy);

/**
 * Origin check: a page of another origin must not connect with the user's cookie. Browsers send Origin with every websocket, so
 * one with the cookie and without Origin is refused. Same-origin polling has no Origin; other origins cannot read its answers.
 */
function mayConnect(req: Pick<IncomingMessage, "headers" | "method" | "url" | "socket">): boolean {
  const { origins, trustProxy } = env();
  const { origin } = req.headers;
  const site = req.headers["sec-fetch-site"];
  if (originOf({ method: req.method ?? "", url: req.url ?? "", headers: req.headers }, { origins, trustProxy }) === null) return false;
  if (origin !== undefined && !origins.includes(origin)) return false;
  if (origin === undefined && req.headers.upgrade !== undefined && sessionToken(req.headers.cookie) !== null) return false;
  if (pendingAt(addressOf(req)) >= MAX_PENDING) return false;
  return site === undefined || site === "same-origin" || site === "none";
}

/** After an outage every open page connects within seconds: the handshakes wait for each other, and pages run between them. */
function handshakeInTurn({ socket }: Pick<IncomingMessage, "socket">, handshake: () => void): void {
  // While it waits, the connection has no other listener for errors, and an error without one ends the process.
  const ignore = () => {};
  socket.on("error", ignore);
  inTurns(() => {
    socket.off("error", ignore);
    if (!socket.destroyed) handshake();
  });
}

const context = (): Ctx => ({ db: db(), actor: null, now: readClock(), integrations: integrations(), requestId: "socket", ip: "" });

/** Authenticates a socket by bearer token (phone apps) or session cookie. A wrong token does not fall back to the cookie. @throws Refusal */
async function admit(io: RealtimeServer, socket: RealtimeSocket): Promise<void> {
  const token: unknown = socket.handshake.auth.token;
  const session =
    token === undefined
      ? await readSession(context(), socket.handshake.headers.cookie)
      : typeof token === "string" && token.length <= 100
        ? await findSession(context(), hashToken(token))
        : null;
  if (!session) throw new Refusal("unauthenticated");
  if (flooded(session.userId)) throw new Refusal("too many events");
  const room = io.sockets.adapter.rooms.get(roomOf(session.userId));
  if (room && room.size >= MAX_SOCKETS_PER_USER) throw new Refusal("too many connections");
  socket.data.session = session;
  // Joins before "connection", so that no event is missed between the two.
  await socket.join(roomOf(session.userId));
  stopPending(socket.conn, session.userId);
}

const roomOf = (userId: string) => `user:${userId}`;
const QUEUE = "queue:";

function onConnection(socket: RealtimeSocket): void {
  sockets.inc();
  socket.on("disconnect", () => sockets.dec());
  const { userId } = socket.data.session;
  socket.on(
    "join",
    guarded("join", (asked: unknown, done?: unknown) => {
      const success = asked === userId;
      if (typeof done === "function") done({ success });
    }),
  );
  socket.on(
    "watchQueue",
    guarded("watchQueue", async (asked: unknown) => {
      // A page that was open across a deployment asks for one queue, without a list.
      const [first, ...others] = ([asked].flat() as string[]).filter(isUuid).slice(0, MAX_WATCHED);
      if (!first) return;
      for (const room of socket.rooms) if (room.startsWith(QUEUE)) await socket.leave(room);
      await socket.join([first, ...others].map((id) => QUEUE + id));
      // The page reads again: a change since it was loaded, or since the connection was lost, was not sent to it.
      socket.emit("queueChanged", { _id: first });
    }),
  );
}

/** Wraps a handler so that malformed input cannot end the process. */
function guarded<A extends unknown[]>(event: string, handler: (...args: A) => void | Promise<void>): (...args: A) => void {
  return (...args) => {
    const failed = (error: unknown) => log.warn({ event, err: error }, "socket handler failed");
    try {
      handler(...args)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

async function recheckSessions(io: RealtimeServer): Promise<void> {
  const ctx = context();
  const byToken = Map.groupBy(io.sockets.sockets.values(), (socket) => socket.data.session.tokenHash);
  const hashes = [...byToken.keys()];
  for (let i = 0; i < hashes.length; i += RECHECKED_AT_ONCE) {
    const some = hashes.slice(i, i + RECHECKED_AT_ONCE);
    const live = await findLiveSessions(ctx, some);
    for (const hash of some) if (!live.has(hash)) for (const socket of byToken.get(hash) ?? []) socket.disconnect(true);
  }
}

const LiveEvent = z.object({ userId: z.string(), event: z.enum(EVENT_NAMES), data: z.record(z.string(), z.unknown()) });
const Ended = z.union([z.object({ tokenHash: z.string() }), z.object({ userId: z.string() }), z.object({ everybody: z.literal(true) })]);

/** Pages are rendered again, from data that has the change. */
function publicDataChanged(): void {
  standby()?.awaitLatest();
  dropPages();
}

/** Acts on the live events of all processes. */
function receiveEvents(io: RealtimeServer): { stop: () => Promise<void> } {
  let received = false;
  const parsed = <S extends z.ZodType>(schema: S, act: (value: z.output<S>) => void) => {
    return (payload: string) => act(schema.parse(JSON.parse(payload)));
  };
  onOwn("pages", publicDataChanged);
  onOwn("queues", dropSnapshots);
  const receivers = [
    // Events sent during an outage are lost: cached pages may be stale.
    receive(CHANNELS.pages, { event: publicDataChanged, connected: publicDataChanged, lost: publicDataChanged }),
    receive(CHANNELS.events, {
      event: parsed(LiveEvent, ({ userId, event, data }) => void io.local.to(roomOf(userId)).emit(event, data as never)),
      connected() {
        if (received) io.local.emit("missed");
        received = true;
      },
    }),
    receive(CHANNELS.queues, {
      event(sessionId) {
        dropSnapshots(sessionId);
        io.local.to(QUEUE + sessionId).emit("queueChanged", { _id: sessionId });
      },
      connected: () => dropSnapshots(),
      lost: () => dropSnapshots(),
    }),
    receive(CHANNELS.sessions, {
      event: parsed(Ended, (ended) => {
        for (const socket of io.sockets.sockets.values()) {
          const { tokenHash, userId } = socket.data.session;
          if ("everybody" in ended || ("tokenHash" in ended ? ended.tokenHash === tokenHash : ended.userId === userId))
            socket.disconnect(true);
        }
      }),
    }),
  ];
  return {
    async stop() {
      await Promise.all(receivers.map((receiver) => receiver.stop()));
    },
  };
}
