import type { Ctx } from "#app/domains/context.server.ts";
import { LimitRefusal, spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { minutes } from "#app/lib/durations.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";

/** Shorter waits would only ask again and again while a flood goes on. */
const SHORTEST = 10;

let lastAlarm = Number.NEGATIVE_INFINITY;
forgetWith(() => {
  lastAlarm = Number.NEGATIVE_INFINITY;
});

/**
 * Counts answers against the total of a minute, of all numbers together. Call it outside of a transaction: it has one of its own.
 * @returns 0, or the seconds after which to ask again
 */
export async function spendAnswers(ctx: Ctx, answers: number): Promise<number> {
  const all = { limit: "message-answer-all", key: "all", max: env().answersPerMinute } as const;
  try {
    await spendLimits(
      ctx,
      Array.from({ length: answers }, () => all),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof LimitRefusal)) throw error;
    alarm(ctx);
    return Math.max(SHORTEST, error.retryAfterSeconds ?? 0);
  }
}

/** Once a minute, as that of one-time codes (app/server/code-alarm.ts). */
function alarm({ requestId }: Ctx): void {
  const now = performance.now();
  if (now - lastAlarm < minutes(1)) return;
  lastAlarm = now;
  log.error({ alarm: "message-breaker", requestId }, "more messages than MESSAGE_ANSWERS_PER_MINUTE came in: they wait");
}
