/** Sends the live events of committed transactions to every process (docs/decisions/088). */
import { connect } from "#app/db/client.server.ts";
import { seconds } from "#app/lib/durations.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";

/** Its name among the connections of PostgreSQL. */
export const RELAY_NAME = "nadi relay";
/** An arbitrary advisory lock number: the session that has it is the relay of the database. */
const RELAY_LOCK = 72_088;
/** Events of one NOTIFY transaction. */
const BATCH = 1_000;
/** How often the relay reads the outbox, in milliseconds. */
const EVERY = 50;
/** How often another process tries to become the relay, also after an error. */
const STANDBY = seconds(1);
/** PostgreSQL ends the session of a relay that hangs for this long, and with it its lock. */
const HANGING = seconds(3);
/**
 * How often the whole outbox is read. Between, ids before `floor` are skipped: entries of deleted rows remain in the index while a long
 * transaction (a backup) prevents vacuum. A transaction may be open for seconds between its event and its commit.
 */
const WHOLE = seconds(10);

/**
 * Starts a relay, which works while no other process of the database has its lock. One statement deletes a batch of events and sends
 * their NOTIFY: both happen or neither, so a relay that dies loses no event and sends none twice.
 * @param onAnswer called each time the database answers, at least once a second
 */
export function startRelay(address: DatabaseAddress, onAnswer = () => {}): { stop: () => Promise<void> } {
  const { sql, end } = connect(address, { max: 1, name: RELAY_NAME, idleSession: HANGING });
  let over = false;
  let wake = () => {};
  const pause = (ms: number) =>
    new Promise<void>((ok) => {
      wake = ok;
      setTimeout(ok, ms).unref();
    });

  const sendBatch = async (floor: string): Promise<{ ours: boolean; sent: number; last: string | null }> => {
    const [row] = await sql<{ ours: boolean; sent: number; last: string | null }[]>`
      with relay as materialized (select pg_try_advisory_lock(${RELAY_LOCK}) as ours),
      batch as materialized (
        select id from live_events where id > ${floor}::bigint and (select ours from relay) order by id limit ${BATCH}::int),
      taken as (delete from live_events where id in (select id from batch) returning id, channel, payload)
      select (select ours from relay) as ours, max(id)::text as last, count(pg_notify(channel, payload))::int as sent
      from (select * from taken order by id) as event`;
    return row!;
  };
  const run = async () => {
    let wholeAt = Number.NEGATIVE_INFINITY;
    let [floor, before, latest] = ["0", "0", "0"];
    while (!over) {
      let wait = EVERY;
      try {
        const whole = performance.now() - wholeAt >= WHOLE;
        if (whole) {
          wholeAt = performance.now();
          [floor, before] = [before, latest];
        }
        const { ours, sent, last } = await sendBatch(whole ? "0" : floor);
        onAnswer();
        latest = last ?? latest;
        if (!ours) wait = STANDBY;
        else if (sent === BATCH) wait = 0;
      } catch (error) {
        wait = STANDBY;
        if (!over) log.warn({ err: error }, "live events wait");
      }
      if (!over && wait) await pause(wait);
    }
  };
  const running = run();
  return {
    async stop() {
      over = true;
      wake();
      await running;
      await end();
    },
  };
}
