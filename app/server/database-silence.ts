/** Tells a database that answers nothing, because it is down or frozen, from one that is busy (docs/decisions/099). */
import { type Connection, connect } from "#app/db/client.server.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { type DatabaseAddress, env } from "#app/runtime/env.server.ts";

/** How long a request waits before the database is asked, and how long after each answer, in milliseconds. */
export const [PATIENCE, ASK_AGAIN] = [1_500, 500];
/**
 * How long the database has to answer: six turns of a timer. When this process or the machine pauses, the turns are late too, and an
 * answer that has arrived meanwhile is read between them.
 */
const [TURN, TURNS] = [250, 6];

const pause = (time: number) => new Promise<void>((ok) => setTimeout(ok, time));

export type Silence = {
  /** True when the database does not answer a question within 1.5 s. One question at a time serves all that ask. */
  isSilent(): Promise<boolean>;
  stop(): Promise<void>;
};

/**
 * Asks the database over a connection of its own, because those of the pool may all be busy. It opens at once: opening takes several
 * turns of a busy process.
 */
export function watchSilence(address: DatabaseAddress): Silence {
  let stopped = false;
  let connection: Connection;
  let asking: Promise<boolean> | undefined;
  // The simple protocol: one packet there and one back.
  const question = () => connection.sql.unsafe("select 1").simple();
  const open = () => {
    connection = connect(address, { max: 1, name: "nadi silence", primary: true });
    question().catch(() => undefined);
  };
  /** A connection that was cut off may stay silent for ever. */
  const replace = () => {
    const old = connection;
    if (!stopped) open();
    return old.sql.end({ timeout: 0 }).catch(() => undefined);
  };
  const ask = async () => {
    let answered = false;
    let over = false;
    const insist = async () => {
      while (!answered && !over)
        await question().then(
          () => {
            answered = true;
          },
          () => pause(TURN),
        );
    };
    void insist();
    for (let turn = 0; turn < TURNS && !answered; turn++) await pause(TURN);
    over = true;
    if (!answered) void replace();
    return !answered;
  };
  open();
  return {
    isSilent() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    async stop() {
      stopped = true;
      await replace();
    },
  };
}

let watched: Silence | undefined;
forgetWith(() => {
  watched = undefined;
});
/** Returns the watch of this process, and starts it at the first call. */
export function silence(): Silence {
  watched ??= watchSilence(env().database);
  return watched;
}
