/** Handles a request: each step may answer it, in this order. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { languageOfHead } from "#app/http/language.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { answer } from "./answer.ts";
import "./code-alarm.ts";
import { Exchange, type Step } from "./exchange.ts";
import { startInTurn } from "./in-turn.ts";
import { endUnanswered } from "./last-resort.ts";
import { countRequest } from "./metrics.ts";
import { loggedPath } from "./route-rules.ts";
import { applyCors } from "./steps/api.ts";
import { serveFile } from "./steps/files.ts";
import { passGates } from "./steps/gates.ts";
import { renderResponse } from "./steps/render.ts";
import { sendRendered } from "./steps/send.ts";
import { serveVisitor } from "./steps/visitors.ts";
import { serveWatch } from "./steps/watch.ts";

const STEPS: readonly Step[] = [serveWatch, passGates, applyCors, serveFile, serveVisitor, renderResponse, sendRendered];

/** The request listener, in production and development. */
export function listener(req: IncomingMessage, res: ServerResponse): void {
  const started = performance.now();
  const exchange = new Exchange(req, res);
  const { requestId, head } = exchange;
  res.once("close", () => {
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const status = res.headersSent ? res.statusCode : 0;
    countRequest(head.method, status, ms);
    log.info({ requestId, method: head.method, path: loggedPath(head.url), area: exchange.area, status, ms }, "request");
  });
  startInTurn(req, res, () => {
    // Not before its turn: the last of hundreds on one connection would be ended although it is answered.
    endUnanswered(exchange);
    void withLanguage(languageOfHead(head), () => answer(exchange, STEPS));
  });
}
