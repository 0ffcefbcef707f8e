/** Metrics of one-time codes, and the alarm when the limit of a minute is reached (SMS_CODES_PER_MINUTE). */
import { Counter, Gauge } from "prom-client";
import { type CodeSend, codeSends } from "#app/domains/platform/accounts/code-sends.ts";
import { minutes } from "#app/lib/durations.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { log } from "#app/runtime/log.server.ts";
import { registry } from "./metrics.ts";

const sends = new Counter({
  name: "code_sends_total",
  help: "One-time codes by lane (known device, stranger, stranger who has waited) and result.",
  labelNames: ["lane", "result"],
  registers: [registry],
});
const trips = new Counter({
  name: "code_breaker_trips_total",
  help: "Sends that were refused because the sends of this minute are used up.",
  registers: [registry],
});
let lastTrip = Number.NEGATIVE_INFINITY;
let lastAlarm = Number.NEGATIVE_INFINITY;
forgetWith(() => {
  lastTrip = Number.NEGATIVE_INFINITY;
  lastAlarm = Number.NEGATIVE_INFINITY;
});
new Gauge({
  name: "code_breaker_open",
  help: "1 while a send was refused within the last minute because the sends of the minute are used up.",
  registers: [registry],
  collect() {
    this.set(performance.now() - lastTrip < minutes(1) ? 1 : 0);
  },
});

codeSends.subscribe((message) => {
  const { lane, refused } = message as CodeSend;
  sends.inc({ lane, result: refused ? "refused" : "sent" });
  if (!refused?.some((limit) => /^otp-(send|waited|known)-all$/.test(limit))) return;
  trips.inc();
  const now = performance.now();
  lastTrip = now;
  if (now - lastAlarm < minutes(1)) return;
  lastAlarm = now;
  log.error({ alarm: "code-breaker", lane }, "more codes than SMS_CODES_PER_MINUTE were asked for: new devices wait");
});
