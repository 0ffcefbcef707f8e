import type { OutgoingHttpHeaders } from "node:http";
import { language } from "#app/lib/language.ts";
import { drain } from "../body.ts";
import type { Rendered, Step } from "../exchange.ts";
import { DATA_POLICY, securityHeaders } from "../headers.ts";
import { isDraining } from "../health.ts";
import { linkedLanguage } from "../linked-language.ts";
import { sendRefusal } from "../refusal-page.ts";
import { send } from "../send.ts";

const REFUSAL = "x-nadi-refusal";
/** Marks a response that `sendRendered` replaces by the server's own error page. */
export const refusal = (status: number) => new Response(null, { status, headers: { [REFUSAL]: "1" } });

/** Adds the default headers and sends the response. */
export const sendRendered: Step = async ({ req, res, head, requestId, rendered, isApi, rules }) => {
  const { response, rendering } = rendered as Rendered;
  const under: OutgoingHttpHeaders = { ...securityHeaders(), "x-request-id": requestId, "cache-control": "no-store" };
  // Pages set their own CSP; in development they have none.
  if (!rendering.page) under["content-security-policy"] = DATA_POLICY;
  // An address with a secret must not be found by a search, whatever it answers.
  if (rules.secret) under["x-robots-tag"] = "noindex";
  if (isDraining()) under.connection = "close";
  // Set by applyCors: extend it, do not overwrite it.
  const vary = res.getHeader("vary");
  if (vary !== undefined) response.headers.append("vary", String(vary));
  // The page did not read the whole body.
  await drain(req, isDraining() || !res.shouldKeepAlive);
  if (response.headers.has(REFUSAL)) {
    await sendRefusal(req, res, response.status, under);
    return true;
  }
  if (response.status === 503) under["retry-after"] = "5";
  if (rendering.page?.cssCookie) response.headers.append("set-cookie", rendering.page.cssCookie);
  if (rendering.visitor && rendering.page) for (const cookie of linkedLanguage(head)) response.headers.append("set-cookie", cookie);
  if (isApi) {
    response.headers.append("vary", "Accept-Language");
    response.headers.set("content-language", language());
  }
  // A new CSS cookie means that the page contains inline CSS: compress it well.
  await send(req, res, response, under, rendering.page?.cssCookie ? "thorough" : "swift");
  return true;
};
