/** Ends requests whose body arrives too slowly, because each uses a connection and memory. node:http waits five minutes. */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import { hasBody } from "#app/http/request-head.ts";
import { log } from "#app/runtime/log.server.ts";
import { BUFFERED } from "./body.ts";
import { bodyLimit } from "./gates.ts";
import { sendRefusal } from "./refusal-page.ts";
import { rulesOf } from "./route-rules.ts";

/** Minimum average bytes per second of an upload after the first `ms`: less than the slowest mobile network. */
const MIN_RATE = 4 * 1024;
/** Milliseconds for the client to read the response before the connection is destroyed. */
const LINGER = 1000;

/**
 * Refuses a body with 408 after `ms` milliseconds. On upload pages the time grows with the bytes received: a photo on a slow
 * connection may take minutes.
 */
export function endSlowBodies(server: HttpServer, ms: number): void {
  const watch = (req: IncomingMessage, res: ServerResponse) => {
    const head = { method: req.method ?? "", url: req.url ?? "", headers: req.headers };
    if (!hasBody(head)) return;
    const { socket } = req;
    const before = socket.bytesRead;
    const started = performance.now();
    const large = bodyLimit(head, rulesOf(head)) > BUFFERED;
    let timer: NodeJS.Timeout;
    const check = () => {
      if (req.complete || socket.destroyed) return;
      const allowed = ms + (large ? ((socket.bytesRead - before) / MIN_RATE) * 1000 : 0);
      const left = started + allowed - performance.now();
      if (left > 0) {
        timer = setTimeout(check, Math.min(left + 1, ms)).unref();
        return;
      }
      log.info({ status: 408, reason: "slow body" }, "refused");
      sendRefusal(req, res, 408, { connection: "close" });
      setTimeout(() => socket.destroy(), Math.min(LINGER, ms)).unref();
    };
    timer = setTimeout(check, ms).unref();
    const done = () => clearTimeout(timer);
    req.once("end", done);
    socket.once("close", done);
    req.once("close", () => {
      socket.off("close", done);
      // The response may be sent before the whole body has arrived.
      if (req.complete) done();
    });
  };
  server.on("request", watch);
  server.on("checkContinue", watch);
}
