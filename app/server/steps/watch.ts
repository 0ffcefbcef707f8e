import type { OutgoingHttpHeaders } from "node:http";
import type { Step } from "../exchange.ts";
import { DATA_POLICY, securityHeaders } from "../headers.ts";
import { isReady } from "../health.ts";
import { mayReadMetrics, registry } from "../metrics.ts";
import { readMetrics } from "../worker-metrics.ts";

/** Serves health checks and metrics, for any Host. */
export const serveWatch: Step = async ({ req, res, head: { method, url } }) => {
  if (method !== "GET" || (url !== "/healthz" && url !== "/readyz" && url !== "/metrics")) return false;
  const text = (status: number, body: string, extra: OutgoingHttpHeaders = {}) => {
    res.writeHead(status, {
      ...securityHeaders(),
      "content-security-policy": DATA_POLICY,
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      ...extra,
    });
    res.end(body);
  };
  if (url === "/healthz") text(200, "ok\n");
  else if (url === "/readyz") {
    if (await isReady()) text(200, "ready\n");
    else text(503, "not ready\n", { "retry-after": "5" });
  } else if (mayReadMetrics(req)) text(200, await readMetrics(), { "content-type": registry.contentType });
  else text(403, "forbidden\n");
  return true;
};
