/** Bounds how many requests of one connection run at once: HTTP/1.1 lets a client send thousands without waiting for a response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Browsers send one request at a time on a connection, proxies too. */
const RUNNING = 8;

type Line = { running: number; waiting: (() => void)[] };
const lines = new WeakMap<Socket, Line>();

/**
 * Starts a request, or lets it wait until less than `RUNNING` requests of its connection run. While some wait, the connection is not
 * read. Each of them starts in a turn of its own of the event loop, so that requests of other connections run between them.
 */
export function startInTurn(req: IncomingMessage, res: ServerResponse, start: () => void): void {
  const { socket } = req;
  const line = lines.get(socket) ?? { running: 0, waiting: [] };
  lines.set(socket, line);
  const begin = () => {
    if (res.destroyed) return;
    line.running += 1;
    res.once("close", () => {
      line.running -= 1;
      startNext(socket, line);
    });
    start();
  };
  if (line.running < RUNNING && line.waiting.length === 0) begin();
  else {
    line.waiting.push(begin);
    socket.pause();
  }
}

function startNext(socket: Socket, line: Line): void {
  const next = line.waiting.shift();
  if (next) setImmediate(next);
  else if (socket.isPaused()) socket.resume();
}
