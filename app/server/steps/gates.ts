import { db } from "#app/db/pool.server.ts";
import { recordRefused } from "#app/domains/money/messages/record-refused.server.ts";
import { hasBody, isUnsafe } from "#app/http/request-head.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { readClock } from "#app/runtime/clock.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { drain } from "../body.ts";
import type { Exchange, Step } from "../exchange.ts";
import { checkAddress, checkHosts, checkUnsafe, type Refused } from "../gates.ts";
import { sendRefusal } from "../refusal-page.ts";

/** Refuses requests that fail a check of gates.ts. */
export const passGates: Step = async (exchange) => {
  const { req, head, site, hasSession } = exchange;
  const refused =
    checkHosts(req.rawHeaders) ??
    checkAddress(head, site) ??
    checkUnsafe(head, site, hasSession, isUnsafe(head.method) || hasBody(head) ? exchange.rules : {});
  if (refused) await refuse(exchange, refused);
  return refused !== null;
};

/** Refuses a request before its body is read. Drains the body, so that a browser shows the response. */
export async function refuse({ req, res, requestId, head }: Exchange, { status, reason }: Refused): Promise<void> {
  log.info({ requestId, status, reason }, "refused");
  const [, provider] = (status === 413 && WEBHOOK.exec(head.url)) || [];
  if (provider) void countTooLarge(requestId, provider);
  // A client that waits for "100 Continue" has sent no body: its next bytes would be taken for the body, so close.
  const waiting = req.headers.expect !== undefined;
  if (!waiting) await drain(req, !res.shouldKeepAlive);
  await sendRefusal(req, res, status, waiting ? { connection: "close" } : {});
}

/** Messages of the payment provider. */
const WEBHOOK = /^\/webhooks\/([a-z]{1,20})$/;

/** Counts a message that is over the size limit: it does not reach its route. */
const countTooLarge = (requestId: string, provider: string): Promise<void> =>
  recordRefused(
    { db: db(), actor: null, now: readClock(), integrations: integrations(), requestId, ip: "" },
    { provider, reason: "too-large" },
  );
