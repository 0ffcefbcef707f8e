/** Ends requests whose body arrives too slowly: each holds a connection and memory. node:http itself waits for five minutes. */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import { log } from "#app/log.server.ts";
import { BUFFERED } from "./body.ts";
import { bodyLimit, hasBody } from "./gates.ts";
import { sendRefusal } from "./refusal-page.ts";

/** Bytes a second that an upload must have on average after the first `ms`: less than the slowest mobile network gives. */
const MIN_RATE = 4 * 1024;
/** How long the client has to read the answer, in milliseconds, before its connection is destroyed. */
const LINGER = 1000;

/**
 * A body ends with 408 after `ms` milliseconds. On pages that take files the time grows with what has arrived: a photo over a
 * slow line may take minutes, one byte a second may not.
 */
export function endSlowBodies(server: HttpServer, ms: number): void {
  const watch = (req: IncomingMessage, res: ServerResponse) => {
    const head = { method: req.method ?? "", url: req.url ?? "", headers: req.headers };
    if (!hasBody(head)) return;
    const { socket } = req;
    const before = socket.bytesRead;
    const started = performance.now();
    const large = bodyLimit(head) > BUFFERED;
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
      // An answer that was sent before the body was complete leaves the rest on its way.
      if (req.complete) done();
    });
  };
  server.on("request", watch);
  server.on("checkContinue", watch);
}
