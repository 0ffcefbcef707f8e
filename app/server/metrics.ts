/** Prometheus metrics. Of a request, labels contain only method and status. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { standby } from "#app/db/standby.server.ts";
import { isLocal } from "#app/http/request-head.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { sameSecret } from "#app/lib/ids.server.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { workQueues } from "#app/lib/work-queue.ts";
import { env } from "#app/runtime/env.server.ts";

export const registry = new Registry();
forgetWith(() => registry.resetMetrics());
collectDefaultMetrics({ register: registry });

const requests = new Counter({
  name: "http_requests_total",
  help: "Answers by method and status.",
  labelNames: ["method", "status"],
  registers: [registry],
});
const durations = new Histogram({
  name: "http_request_duration_seconds",
  help: "Time from the first byte of a request to the end of its answer.",
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});
export const cachedPages = new Counter({
  name: "page_cache_total",
  help: "Page cache lookups by result.",
  labelNames: ["result"],
  registers: [registry],
});
new Gauge({
  name: "work_queue_jobs",
  help: "Jobs of each queue of expensive work (documents, pictures, passwords) by state.",
  labelNames: ["queue", "state"],
  registers: [registry],
  collect() {
    for (const { bounds, running, waiting } of workQueues) {
      this.set({ queue: bounds.name, state: "running" }, running);
      this.set({ queue: bounds.name, state: "waiting" }, waiting);
    }
  },
});
new Counter({
  name: "work_queue_refused_total",
  help: "Jobs refused with 503 because their queue was full.",
  labelNames: ["queue"],
  registers: [registry],
  collect() {
    this.reset();
    for (const { bounds, refused } of workQueues) this.inc({ queue: bounds.name }, refused);
  },
});
new Gauge({
  name: "gemini_model_retired",
  help: "Models of GEMINI_MODEL: 1 if Gemini no longer has it, as far as this process has called it.",
  labelNames: ["model"],
  registers: [registry],
  collect() {
    for (const { name, retiredSince } of integrations().gemini.models) this.set({ model: name }, retiredSince ? 1 : 0);
  },
});
new Counter({
  name: "open_reads_total",
  help: "Loaders of public data by what answered: the standby, the primary, or the primary after the standby (again).",
  labelNames: ["from"],
  registers: [registry],
  collect() {
    this.reset();
    for (const [from, count] of Object.entries(standby()?.reads ?? {})) this.inc({ from }, count);
  },
});
export const workerReplacements = new Counter({
  name: "worker_replacements_total",
  help: "Workers the supervisor replaced since its start, by reason.",
  labelNames: ["reason"],
  registers: [registry],
});
export const sockets = new Gauge({ name: "realtime_sockets", help: "Connected sockets.", registers: [registry] });

export function countRequest(method: string, status: number, ms: number) {
  requests.inc({ method, status });
  durations.observe(ms / 1000);
}

/** Allows the token, or direct requests of this machine by a loopback Host (against DNS rebinding). */
export function mayReadMetrics(req: IncomingMessage): boolean {
  const { metricsToken } = env();
  const bearer = /^Bearer (.+)$/.exec(req.headers.authorization ?? "")?.[1];
  if (metricsToken && bearer) return sameSecret(bearer, metricsToken);
  const forwarded = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"].some(
    (name) => req.headers[name] !== undefined,
  );
  const name = (req.headers.host ?? "").replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return isLocal(req.socket.remoteAddress) && !forwarded && (name === "localhost" || isIP(name) !== 0);
}
