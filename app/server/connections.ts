import type { Server as HttpServer } from "node:http";
import type { Socket } from "node:net";

/** Milliseconds in which a new connection may still send its first request. */
const YOUNG = 500;

/**
 * Closes idle connections. `closeIdleConnections` of node:http skips those that have never sent a request, which browsers
 * open in advance.
 */
export function trackConnections(server: HttpServer): { closeIdle(): void } {
  /** `openUntil`: for a connection without any request. */
  const connections = new Map<Socket, { requests: number; openUntil: number }>();
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { requests: 0, openUntil: performance.now() + YOUNG });
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", ({ socket }, res) => {
    const connection = connections.get(socket);
    if (!connection) return;
    connection.requests += 1;
    connection.openUntil = 0;
    res.once("close", () => {
      connection.requests -= 1;
    });
  });
  return {
    closeIdle() {
      const now = performance.now();
      for (const [socket, { requests, openUntil }] of connections) if (requests === 0 && openUntil < now) socket.destroySoon();
    },
  };
}
