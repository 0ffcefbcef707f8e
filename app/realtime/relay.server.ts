/** Sends the live events of committed transactions to every process (docs/decisions/088). */
import { connect } from "#app/db/client.server.ts";
import { seconds } from "#app/lib/durations.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { openPublisher, type Publisher, type StreamEvent } from "./redis-stream.server.ts";

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
/** After Redis did not take a batch, NOTIFY sends the next ones for this long. */
const WITHOUT_REDIS = seconds(5);

/**
 * Starts a relay, which works while no other process of the database has its lock. One statement deletes a batch of events and sends
 * their NOTIFY: both happen or neither, so a relay that dies loses no event and sends none twice. With Redis events are deleted after
 * it has them, so a relay that dies between the two sends a batch twice (docs/decisions/100).
 */
export function startRelay(address: DatabaseAddress, redisUrl?: string): { stop: () => Promise<void> } {
  const { sql, end } = connect(address, { max: 1, name: RELAY_NAME, idleSession: HANGING, primary: true });
  let over = false;
  let wake = () => {};
  const pause = (ms: number) =>
    new Promise<void>((ok) => {
      wake = ok;
      setTimeout(ok, ms).unref();
    });

  type Batch = { ours: boolean; sent: number; last: string | null };
  // A range instead of a list of ids: planned while the outbox is empty, a list is compared with each row, two seconds for 1,000 of 10,000.
  const notifyBatch = async (floor: string): Promise<Batch> => {
    const [row] = await sql<Batch[]>`
      with relay as materialized (select pg_try_advisory_lock(${RELAY_LOCK}) as ours),
      batch as materialized (
        select id from live_events where id > ${floor}::bigint and (select ours from relay) order by id limit ${BATCH}::int),
      taken as (
        delete from live_events where id > ${floor}::bigint and id <= (select max(id) from batch) returning id, channel, payload)
      select (select ours from relay) as ours, max(id)::text as last, count(pg_notify(channel, payload))::int as sent
      from (select * from taken order by id) as event`;
    return row!;
  };
  const redis = redisUrl === undefined ? undefined : openPublisher(redisUrl);
  let redisFrom = 0;
  let redisFails = false;
  const publishBatch = async (floor: string, { publish }: Publisher): Promise<Batch> => {
    const rows = await sql<{ ours: boolean; id: string | null; channel: string; payload: string }[]>`
      with relay as materialized (select pg_try_advisory_lock(${RELAY_LOCK}) as ours)
      select ours, event.* from relay left join lateral (
        select id::text, channel, payload from live_events where ours and id > ${floor}::bigint order by live_events.id limit ${BATCH}::int
      ) as event on true order by event.id::bigint`;
    const { ours } = rows[0]!;
    const events = rows.filter(({ id }) => id !== null);
    if (events.length === 0) return { ours, sent: 0, last: null };
    // As PostgreSQL does, equal events of a batch are sent once.
    const different = new Map(events.map(({ channel, payload }): [string, StreamEvent] => [`${channel} ${payload}`, [channel, payload]]));
    try {
      await publish([...different.values()]);
    } catch (error) {
      if (!redisFails) log.warn({ err: error }, "Redis does not take live events: PostgreSQL sends them");
      redisFails = true;
      redisFrom = performance.now() + WITHOUT_REDIS;
      return notifyBatch(floor);
    }
    if (redisFails) log.info("Redis takes live events again");
    redisFails = false;
    const ids = events.map(({ id }) => id);
    await sql`delete from live_events where id = any(${ids}::bigint[])`;
    return { ours, sent: events.length, last: ids.at(-1)! };
  };
  const sendBatch = (floor: string) => (redis && performance.now() >= redisFrom ? publishBatch(floor, redis) : notifyBatch(floor));
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
      redis?.stop();
      await end();
    },
  };
}
