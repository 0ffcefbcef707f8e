/** Receives the live events of all processes: by LISTEN, and from the Redis stream where REDIS_URL is set. */
import type postgres from "postgres";
import { pool } from "#app/db/pool.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { readStream } from "./redis-stream.server.ts";

export type Receiver = {
  event: (payload: string) => void;
  /** Called each time that events arrive from now on: at the start, and after an outage in which some were lost. */
  connected?: () => void;
  /** Called while events may be lost, once a second: copies of data may be stale. */
  lost?: () => void;
};
type Named = { channel: string; receiver: Receiver };

const receivers = new Set<Named>();
let stream: { stop: () => Promise<void> } | undefined;

/** Calls a receiver. An error must not end the process, nor keep the others from the event. */
function call(channel: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    log.warn({ channel, err: error }, "live event failed");
  }
}

/** The one reader of this process, for all channels. */
function startStream(url: string) {
  const each = (act: (receiver: Receiver) => void) => {
    for (const { channel, receiver } of receivers) call(channel, () => act(receiver));
  };
  return readStream(url, {
    event(name, payload) {
      for (const { channel, receiver } of receivers) if (channel === name) call(channel, () => receiver.event(payload));
    },
    connected: () => each((receiver) => receiver.connected?.()),
    lost: () => each((receiver) => receiver.lost?.()),
  });
}

/**
 * Starts to receive the events of a channel. postgres.js listens again after an outage, so only the first attempt is repeated here.
 * With Redis too every process listens: the relay sends by NOTIFY while Redis is down.
 * @returns `listening`, which resolves once PostgreSQL sends events
 */
export function receive(channel: string, receiver: Receiver): { listening: Promise<void>; stop: () => Promise<void> } {
  let over = false;
  let active: postgres.ListenMeta | undefined;
  const named = { channel, receiver };
  receivers.add(named);
  const { redisUrl } = env();
  if (redisUrl) stream ??= startStream(redisUrl);
  const listen = async () => {
    while (!over)
      try {
        const meta = await pool().sql.listen(
          channel,
          (payload) => call(channel, () => receiver.event(payload)),
          () => call(channel, () => receiver.connected?.()),
        );
        if (over) await meta.unlisten();
        else active = meta;
        return;
      } catch (error) {
        log.warn({ channel, err: error }, "not listening yet");
        await new Promise((again) => setTimeout(again, seconds(2)).unref());
      }
  };
  return {
    listening: listen(),
    async stop() {
      over = true;
      receivers.delete(named);
      const last = receivers.size === 0 ? stream : undefined;
      if (last) stream = undefined;
      await Promise.allSettled([active?.unlisten(), last?.stop()]);
    },
  };
}
