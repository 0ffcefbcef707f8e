import type { Server as HttpServer } from "node:http";
import type { Socket } from "node:net";

/** A connection this young, in milliseconds, may have its first request on the way: a proxy opens one for each. */
const YOUNG = 500;

/**
 * Ends the connections that carry no request. node:http's own `closeIdleConnections` leaves those alone that have never
 * sent one, and browsers open such ones ahead.
 */
export function trackConnections(server: HttpServer): { closeIdle(): void } {
  /** `keepUntil`: for one that has never sent anything. */
  const connections = new Map<Socket, { requests: number; keepUntil: number }>();
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { requests: 0, keepUntil: performance.now() + YOUNG });
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", ({ socket }, res) => {
    const connection = connections.get(socket);
    if (!connection) return;
    connection.requests += 1;
    connection.keepUntil = 0;
    res.once("close", () => {
      connection.requests -= 1;
    });
  });
  return {
    closeIdle() {
      const now = performance.now();
      for (const [socket, { requests, keepUntil }] of connections) if (requests === 0 && keepUntil < now) socket.destroySoon();
    },
  };
}
