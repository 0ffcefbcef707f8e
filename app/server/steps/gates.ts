import { hasBody } from "#app/http/request-head.ts";
import { log } from "#app/runtime/log.server.ts";
import { drain } from "../body.ts";
import type { Exchange, Step } from "../exchange.ts";
import { checkAddress, checkUnsafe, type Refused } from "../gates.ts";
import { sendRefusal } from "../refusal-page.ts";

/** Refuses requests that fail a check of gates.ts. */
export const passGates: Step = (exchange) => {
  const { head, site, hasSession } = exchange;
  const refused = checkAddress(head, site) ?? checkUnsafe(head, site, hasSession, hasBody(head) ? exchange.rules : {});
  if (refused) refuse(exchange, refused);
  return refused !== null;
};

/** Refuses a request before its body is read. Drains the body, so that a browser shows the response. */
export function refuse({ req, res, requestId }: Exchange, { status, reason }: Refused): void {
  log.info({ requestId, status, reason }, "refused");
  // A client that waits for "100 Continue" has sent no body: its next bytes would be taken for the body, so close.
  const waiting = req.headers.expect !== undefined;
  if (!waiting && !req.complete) drain(req);
  sendRefusal(req, res, status, waiting ? { connection: "close" } : {});
}
