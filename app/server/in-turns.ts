/** Spreads work that comes all at once over turns of the event loop, so that other requests run between them. */

/** A handshake takes about a millisecond and a half, its later parts included. */
const EACH_TURN = 5;
const waiting: (() => void)[] = [];

/** Runs `work` in a turn of the event loop that starts at most `EACH_TURN` of them, in the order of the calls. */
export function inTurns(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(turn);
}

function turn(): void {
  const now = waiting.splice(0, EACH_TURN);
  if (waiting.length > 0) setImmediate(turn);
  for (const work of now) work();
}
