/** Reads public data from a standby of the database, as long as it shows what this process and the reader know of (docs/decisions/091). */

import { seconds } from "#app/lib/durations.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { within } from "#app/lib/within.ts";
import { type DatabaseAddress, env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { type Connection, connect, type Database } from "./client.server.ts";
import { formatLsn, type Lsn, NEVER, parseLsn } from "./lsn.ts";
import { pool } from "./pool.server.ts";

/** How often both databases are asked for their position, in milliseconds; the second number while readers wait for the standby. */
const [EVERY, EAGER] = [500, 100];
/** A standby further behind is not read, whoever asks. */
const MOST_BEHIND = seconds(5);
/** A position that is older says nothing: the database may be gone. */
const FRESH = seconds(2);

export type Standby = {
  db: Database;
  /** True when it shows everything up to `seen` and everything that this process was told of, and is at most five seconds behind. */
  shows(seen: Lsn): boolean;
  /** Loaders answered by the standby, by the primary, and by the primary after the standby failed or lacked something. */
  reads: { standby: number; primary: number; again: number };
  /** Public data changed: it is not read until it shows what is in the primary now. */
  awaitLatest(): void;
  /** A read failed: it is not read until it answers again. */
  failed(error: unknown): void;
  stop(): Promise<void>;
};

/** Follows a standby. `primary` is the pool of the database that accepts writes. */
function followStandby(address: DatabaseAddress, primary: Connection["sql"]): Standby {
  const { db, sql, end } = connect(address, { name: "nadi standby reads", statement: seconds(2) });
  let over = false;
  let replayed: { lsn: Lsn; at: number } | null = null;
  /** Positions of the primary, oldest first, until one is old enough. */
  const written: { lsn: Lsn; at: number }[] = [];
  /** Null: not known before the primary was asked again. */
  let required: Lsn | null = null;
  let changes = 0;
  let failing = false;
  let wake = () => {};

  const ask = async () => {
    const known = changes;
    const began = performance.now();
    const latest = await latestOf(primary);
    if (known === changes) required ??= latest;
    written.push({ lsn: latest, at: began });
    while (written[1] && began - written[1].at > MOST_BEHIND) written.shift();
    // A server that was promoted is no standby any more: which of the two is the primary, it cannot say.
    const [row] = await soon(sql`select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as lsn`);
    if (!row?.standby || !row.lsn) throw new Error("not a standby");
    replayed = { lsn: parseLsn(row.lsn) ?? 0n, at: performance.now() };
    if (failing) log.info("the standby is read again");
    failing = false;
  };
  const failed = (error: unknown) => {
    replayed = null;
    if (!failing && !over) log.warn({ err: error }, "the standby is not read");
    failing = true;
  };
  const run = async () => {
    while (!over) {
      await ask().catch(failed);
      if (over) return;
      const behind = required === null || (replayed !== null && replayed.lsn < required);
      await new Promise<void>((ok) => {
        wake = ok;
        setTimeout(ok, behind ? EAGER : EVERY).unref();
      });
    }
  };
  const running = run();
  return {
    db,
    reads: { standby: 0, primary: 0, again: 0 },
    shows(seen) {
      if (!replayed || required === null || performance.now() - replayed.at > FRESH) return false;
      const [oldest] = written;
      const old = oldest && performance.now() - oldest.at >= MOST_BEHIND ? oldest.lsn : 0n;
      return replayed.lsn >= seen && replayed.lsn >= required && replayed.lsn >= old;
    },
    awaitLatest() {
      required = null;
      changes++;
      wake();
    },
    failed,
    async stop() {
      over = true;
      wake();
      await running;
      await end();
    },
  };
}

/** Returns how far the primary has written. All transactions committed before the call are below it. */
async function latestOf(primary: Connection["sql"]): Promise<Lsn> {
  const [row] = await soon(primary`select pg_current_wal_flush_lsn()::text as lsn`);
  return parseLsn(String(row?.lsn)) ?? NEVER;
}

/** Returns the position after a write, for the cookie of the reader. Without an answer: one that no standby reaches. */
export const positionAfterWrite = (primary: Connection["sql"]): Promise<string> =>
  latestOf(primary).then(formatLsn, () => formatLsn(NEVER));

// As the pool of pool.server.ts, which scripts and seeds use without a log.
const processGlobals = globalThis as typeof globalThis & { __nadiStandby?: Standby | null };
forgetWith(() => delete processGlobals.__nadiStandby);

/** Returns the standby of DATABASE_REPLICA_URL, which this process follows from the first call on; null without one. */
export function standby(): Standby | null {
  const { databaseReplica } = env();
  processGlobals.__nadiStandby ??= databaseReplica ? followStandby(databaseReplica, pool().sql) : null;
  return processGlobals.__nadiStandby;
}

/** Gives up after `FRESH`: a frozen server does not answer, and statement timeouts are its own. */
const soon = <T>(query: Promise<T>): Promise<T> => within(FRESH, query, () => new Error("no answer"));
