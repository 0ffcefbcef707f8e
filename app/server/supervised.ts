/** The worker's side of the supervisor (scripts/supervisor.ts). Without one (development, benchmark) it prints directly. */
import cluster from "node:cluster";
import { seconds } from "#app/lib/durations.ts";
import { workerReplacements } from "./metrics.ts";

/** Sends a heartbeat each second. The supervisor ends a worker without one. */
export function startHeartbeat(): void {
  if (!cluster.isWorker) return;
  process.on("message", (message: { type?: string; replaced?: Record<string, number> }) => {
    if (message.type !== "replaced") return;
    for (const [reason, count] of Object.entries(message.replaced ?? {})) workerReplacements.inc({ reason }, count);
  });
  const beat = () => void process.send?.({ type: "beat" }, undefined, {}, () => undefined);
  beat();
  setInterval(beat, seconds(1)).unref();
}

/** Prints a line about the start. Under a supervisor only that of the first worker is printed. */
export function announce(type: "listening" | "ready", text: string): void {
  if (cluster.isWorker) process.send?.({ type, text });
  else console.log(text);
}
