import type { Server as HttpServer } from "node:http";
import type { Socket } from "node:net";

/**
 * Ends the connections that carry no request. node:http's own `closeIdleConnections` leaves those alone that have never
 * sent one, and browsers open such ones ahead.
 */
export function trackConnections(server: HttpServer): { closeIdle(): void } {
  const requests = new Map<Socket, number>();
  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0);
    socket.once("close", () => requests.delete(socket));
  });
  server.on("request", ({ socket }, res) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    res.once("close", () => {
      if (requests.has(socket)) requests.set(socket, (requests.get(socket) ?? 1) - 1);
    });
  });
  return {
    closeIdle() {
      for (const [socket, open] of requests) if (open === 0) socket.destroySoon();
    },
  };
}
