import { log } from "#app/runtime/log.server.ts";
import { BodyTooLarge } from "./body.ts";
import type { Exchange, Step } from "./exchange.ts";
import { sendRefusal } from "./refusal-page.ts";
import { refuse } from "./steps/gates.ts";

/** Runs the steps. Whatever one of them throws ends in a response and a line of the log, unless the client has gone. */
export async function answer(exchange: Exchange, steps: readonly Step[]): Promise<void> {
  const { req, res, requestId } = exchange;
  try {
    for (const step of steps) if (await step(exchange)) return;
  } catch (error) {
    // Not `req.destroyed`: Node destroys every request whose body has been read.
    if (res.destroyed) return;
    const tooLarge = error instanceof BodyTooLarge;
    if (!tooLarge) log.error({ requestId, err: error }, "request failed");
    try {
      // A response that has begun cannot become another one.
      if (res.headersSent) res.destroy();
      else if (tooLarge) await refuse(exchange, { status: 413, reason: "too large" });
      else await sendRefusal(req, res, 500);
    } catch (again) {
      log.error({ requestId, err: again }, "refusal failed");
      res.destroy();
    }
  }
}
