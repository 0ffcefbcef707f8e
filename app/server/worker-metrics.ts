/** Metrics of several workers on one port: the worker that is asked adds those of the others. */
import type { ServerResponse } from "node:http";
import { AggregatorRegistry, type MetricObject } from "prom-client";
import { seconds } from "#app/lib/durations.ts";
import { log } from "#app/runtime/log.server.ts";
import { registry } from "./metrics.ts";

/** Path on the loopback port of a worker (polls.ts). */
export const OWN_METRICS = "/metrics";
/** A worker whose event loop is stuck is left out. */
const LIMIT = seconds(1);

let others: number[] = [];

/** Labels each metric with the worker as soon as there are several. @param ports loopback ports of all workers, by worker id */
export function noteWorkers(own: number, ports: Record<string, number>): void {
  others = Object.entries(ports).flatMap(([id, port]) => (Number(id) === own ? [] : [port]));
  if (others.length > 0) registry.setDefaultLabels({ worker: String(own) });
}

/** Sends the metrics of this worker to another one. */
export async function sendOwnMetrics(res: ServerResponse): Promise<void> {
  try {
    res.end(JSON.stringify(await registry.getMetricsAsJSON()));
  } catch (error) {
    log.warn({ err: error }, "metrics not read");
    res.destroy();
  }
}

/** Returns the metrics of all workers in the format of Prometheus. */
export async function readMetrics(): Promise<string> {
  if (others.length === 0) return registry.metrics();
  const [own, ...theirs] = await Promise.all([registry.getMetricsAsJSON(), ...others.map(metricsAt)]);
  return AggregatorRegistry.aggregate([own, ...theirs.filter((one) => one !== null)]).metrics();
}

/** Returns the metrics of the worker at a loopback port; null when it does not answer. */
async function metricsAt(port: number): Promise<MetricObject[] | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${OWN_METRICS}`, { signal: AbortSignal.timeout(LIMIT) });
    return answer.ok ? ((await answer.json()) as MetricObject[]) : null;
  } catch {
    return null; // It has ended, or is stuck.
  }
}
