/** Ends requests whose body arrives too slowly, because each uses a connection and memory. node:http waits five minutes. */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import { networksOf } from "#app/domains/platform/limits/network.ts";
import { clientAddress, hasBody } from "#app/http/request-head.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { BUFFERED } from "./body.ts";
import { bodyLimit } from "./gates.ts";
import { sendRefusal } from "./refusal-page.ts";
import { rulesOf } from "./route-rules.ts";

/** Minimum average bytes per second of an upload after the first `ms`: less than the slowest mobile network. */
const MIN_RATE = 4 * 1024;
/** Milliseconds for the client to read the response before the connection is destroyed. */
const LINGER = 1000;

/** Milliseconds in which a body must make progress once the process stops. */
const STALLED = 2000;

/** Bodies of one IPv4 address or IPv6 /64 that may arrive slowly at a time, and milliseconds after which a body counts as slow. */
const [MOST_SLOW, SLOW_AFTER] = [256, 1000];

/**
 * Refuses a body with 408 after `ms` milliseconds. On upload pages the time grows with the bytes received: a photo on a slow
 * connection may take minutes. Refuses a slow body with 503 when its address has too many.
 * @returns `stop`: from then on also refuses bodies that make no progress with 503, until the function that it returns is called
 */
export function endSlowBodies(server: HttpServer, ms: number): { stop(): () => void } {
  const slow = new Map<string, number>();
  /** The requests whose body arrives, with the bytes that had arrived when `refuseStalled` last looked. */
  const arriving = new Map<IncomingMessage, { read: number; refuse(): void }>();
  const watch = (req: IncomingMessage, res: ServerResponse) => {
    const head = { method: req.method ?? "", url: req.url ?? "", headers: req.headers };
    if (!hasBody(head)) return;
    const { socket } = req;
    const before = socket.bytesRead;
    const started = performance.now();
    const large = bodyLimit(head, rulesOf(head)) > BUFFERED;
    const [address] = networksOf(clientAddress(socket.remoteAddress, head.headers["x-forwarded-for"], env().trustProxy));
    let counted = false;
    const end = (status: 408 | 503, reason: string) => {
      log.info({ status, reason }, "refused");
      sendRefusal(req, res, status, { connection: "close" }).catch(() => undefined);
      setTimeout(() => socket.destroy(), Math.min(LINGER, ms)).unref();
    };
    const count = setTimeout(() => {
      if (req.complete || socket.destroyed) return;
      const open = (slow.get(address) ?? 0) + 1;
      if (open > MOST_SLOW) return end(503, "too many slow bodies");
      counted = true;
      slow.set(address, open);
    }, SLOW_AFTER).unref();
    arriving.set(req, { read: Number.NEGATIVE_INFINITY, refuse: () => end(503, "the process stops") });
    let timer: NodeJS.Timeout;
    const check = () => {
      if (req.complete || socket.destroyed) return;
      const allowed = ms + (large ? ((socket.bytesRead - before) / MIN_RATE) * 1000 : 0);
      const left = started + allowed - performance.now();
      if (left > 0) {
        timer = setTimeout(check, Math.min(left + 1, ms)).unref();
        return;
      }
      end(408, "slow body");
    };
    timer = setTimeout(check, ms).unref();
    const done = () => {
      arriving.delete(req);
      clearTimeout(timer);
      clearTimeout(count);
      if (!counted) return;
      counted = false;
      const open = (slow.get(address) ?? 0) - 1;
      if (open > 0) slow.set(address, open);
      else slow.delete(address);
    };
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
  const refuseStalled = () => {
    for (const [req, body] of arriving) {
      const { bytesRead } = req.socket;
      if (bytesRead - body.read < (MIN_RATE * STALLED) / 1000) body.refuse();
      body.read = bytesRead;
    }
  };
  return {
    stop() {
      refuseStalled(); // notes what has arrived
      const timer = setInterval(refuseStalled, STALLED);
      return () => clearInterval(timer);
    },
  };
}
