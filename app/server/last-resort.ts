/** The last resort: ends a response that no step has sent, and one that its client does not read. */
import { hasBody } from "#app/http/request-head.ts";
import { seconds } from "#app/lib/durations.ts";
import { log } from "#app/runtime/log.server.ts";
import { LONGEST_WAIT } from "./address-turns.ts";
import type { Exchange } from "./exchange.ts";
import { deadlineOf } from "./gates.ts";
import { sendRefusal } from "./refusal-page.ts";

/** Milliseconds after the deadline of the route, which render.ts enforces, and the longest wait for a turn (SOS does not wait). */
const GRACE = seconds(5);
/** Milliseconds in which a client must read something of a response. */
const STALLED = seconds(60);

/**
 * Answers with 503 when a request has no response a while after its wait and its deadline, which is a fault of ours. Closes the connection of a
 * client that does not read its response. slow-bodies.ts ends requests whose body does not arrive.
 * @param grace milliseconds after the deadline
 */
export function endUnanswered(exchange: Exchange, grace = GRACE): void {
  const { req, res, head, requestId } = exchange;
  const { socket } = req;
  const arrives = hasBody(head);
  let complete = performance.now();
  let written = -1;
  const check = () => {
    const now = performance.now();
    if (arrives && !req.complete) complete = now;
    const wait = exchange.rules.urgent ? 0 : LONGEST_WAIT;
    const left = complete + wait + deadlineOf(head, exchange.rules) + grace - now;
    if (left > 0) return later(left);
    if (res.headersSent) {
      if (socket.bytesWritten === written) return void socket.destroy();
      written = socket.bytesWritten;
      return later(STALLED);
    }
    log.error({ requestId }, "not answered");
    sendRefusal(req, res, 503, { connection: "close" }).catch(() => socket.destroy());
    later(grace);
  };
  let timer: NodeJS.Timeout;
  const later = (ms: number) => {
    timer = setTimeout(check, Math.ceil(ms)).unref();
  };
  later(seconds(10) + grace);
  res.once("close", () => clearTimeout(timer));
}
