import type { Ctx } from "#app/domains/context.server.ts";
import { LimitRefusal, spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { minutes } from "#app/lib/durations.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";

/** Shorter waits would only ask again and again while a flood goes on. */
const SHORTEST = 10;

/** A process takes this many answers of the total at once: to count each would take longer, the more messages come in. */
const AT_ONCE = 25;

let lastAlarm = Number.NEGATIVE_INFINITY;
/** What this process took of the total and has not spent. `at`: when it was taken. */
let own = { left: 0, at: 0 };
let turn: Promise<unknown> = Promise.resolve();
forgetWith(() => {
  lastAlarm = Number.NEGATIVE_INFINITY;
  own = { left: 0, at: 0 };
});

/**
 * Counts answers against the total of a minute, of all numbers together. Call it outside of a transaction: it has one of its own.
 * @returns 0, or the seconds after which to ask again
 */
export function spendAnswers(ctx: Ctx, answers: number): Promise<number> {
  // One after the other, so that many who ask at once take no more than they need.
  const mine = turn.then(() => spend(ctx, answers));
  turn = mine.catch(() => {});
  return mine;
}
/** Gives back answers that were counted and not sent, or counts further ones. */
export function returnAnswers(answers: number): void {
  own.left += answers;
}
async function spend(ctx: Ctx, answers: number): Promise<number> {
  const now = ctx.now.getTime();
  if (Math.abs(now - own.at) >= minutes(1)) own = { left: 0, at: now };
  if (own.left >= answers) {
    own.left -= answers;
    return 0;
  }
  const most = env().answersPerMinute;
  // A small total is not rounded down by much.
  const atOnce = Math.min(AT_ONCE, Math.ceil(most / 20));
  const all = { limit: "message-answer-all", key: "all", max: Math.floor(most / atOnce) } as const;
  // More than the total of a minute would wait for ever.
  const taken = Math.min(all.max, Math.ceil((answers - own.left) / atOnce));
  try {
    await spendLimits(
      ctx,
      Array.from({ length: taken }, () => all),
    );
    own = { left: own.left + taken * atOnce - answers, at: now };
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
