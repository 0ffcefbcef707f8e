/** Spreads work that comes all at once over turns of the event loop, so that other requests run between them. */

const waiting: (() => void)[] = [];

/** Runs `work` in a turn of the event loop of its own, in the order of the calls. */
export function inTurns(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(turn);
}

function turn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(turn);
  next?.();
}
