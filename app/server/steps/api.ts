import { corsHeaders, preflight } from "../cors.ts";
import type { Step } from "../exchange.ts";
import { DATA_POLICY, securityHeaders } from "../headers.ts";
import { refuse } from "./gates.ts";

/** Answers CORS preflights of the API, and sets the CORS headers of its other responses. */
export const applyCors: Step = async (exchange) => {
  const { res, head, site } = exchange;
  if (!exchange.isApi) return false;
  if (head.method === "OPTIONS") {
    const allowed = preflight(head, site);
    if (allowed) res.writeHead(204, { ...securityHeaders(), "content-security-policy": DATA_POLICY, ...allowed }).end();
    else await refuse(exchange, { status: 403, reason: "preflight" });
    return true;
  }
  for (const [name, value] of Object.entries(corsHeaders(head, site))) res.setHeader(name, value);
  return false;
};
