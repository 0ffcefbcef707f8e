/** Tells a database that answers nothing, because it is down or frozen, from one that is busy (docs/decisions/099). */
import { type Connection, connect } from "#app/db/client.server.ts";
import { env } from "#app/runtime/env.server.ts";

/** How long a request waits before the database is asked, and how often after that, in milliseconds. */
export const PATIENCE = 2_000;
/**
 * How long the database has to answer: six turns of a timer. When this process or the machine pauses, the turns are late too, and an
 * answer that has arrived meanwhile is read between them.
 */
const [TURN, TURNS] = [250, 6];

const pause = (time: number) => new Promise<void>((ok) => setTimeout(ok, time));

let probe: Connection | undefined;
let asking: Promise<boolean> | undefined;

/** True when the database does not answer a question within 1.5 s. One question at a time serves all requests that wait. */
export function isDatabaseSilent(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function ask(): Promise<boolean> {
  // Its own connection: those of the pool may all be busy.
  probe ??= connect(env().database, { max: 1, name: "nadi silence", primary: true });
  const { sql } = probe;
  let answered = false;
  let over = false;
  const question = async () => {
    while (!answered && !over)
      try {
        await sql`select 1`;
        answered = true;
      } catch {
        await pause(TURN);
      }
  };
  void question();
  for (let turn = 0; turn < TURNS && !answered; turn++) await pause(TURN);
  over = true;
  // A connection that was cut off may stay silent for ever.
  if (!answered) await stopAsking();
  return !answered;
}

/** Closes the connection of the question. */
export async function stopAsking(): Promise<void> {
  const closing = probe;
  probe = undefined;
  await closing?.sql.end({ timeout: 0 });
}
