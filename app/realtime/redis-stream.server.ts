/** The Redis stream of live events: the relay appends, every process reads all of it (docs/decisions/100). */

import type { RedisClientType } from "@redis/client";
import { seconds } from "#app/lib/durations.ts";
import { within } from "#app/lib/within.ts";
import { log } from "#app/runtime/log.server.ts";

/** One entry is a batch of the relay: `[channel, payload]` of each event, as JSON in the field FIELD. */
const STREAM = "nadi:live-events";
const FIELD = "events";
export type StreamEvent = [channel: string, payload: string];

/** Redis stores entries for this long, so that a process that lost its connection for a moment misses none. */
const STORED = seconds(60);
/** Time to connect, and for the relay to append a batch. */
const ANSWERS = seconds(1);
/** How long a read waits for an entry. A server that sends nothing for longer than SILENT has failed. */
const BLOCK = seconds(2);
const SILENT = seconds(5);
/** Before the next attempt after a failure. */
const AGAIN = seconds(1);

/**
 * Opens a connection that fails at once instead of storing commands and repeating them later.
 * @param silent closes it when the server sends nothing for this long
 */
async function open(url: string, silent?: number): Promise<RedisClientType> {
  const { createClient } = await import("@redis/client");
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    socket: { connectTimeout: ANSWERS, ...(silent && { socketTimeout: silent }), reconnectStrategy: false },
  });
  // Each command rejects as well.
  client.on("error", () => undefined);
  try {
    await within(ANSWERS, client.connect(), late);
    return client as unknown as RedisClientType;
  } catch (error) {
    close(client as unknown as RedisClientType);
    throw error;
  }
}

function close(client: RedisClientType | undefined): void {
  try {
    client?.destroy();
  } catch {
    // It was closed already.
  }
}

const late = () => new Error("Redis does not answer");

export type Publisher = {
  /** Appends a batch. @throws when Redis did not confirm it within a second */
  publish(events: readonly StreamEvent[]): Promise<void>;
  stop(): void;
};

/** The side of the relay. Connects at the first batch, because most processes never are the relay. */
export function openPublisher(url: string): Publisher {
  let client: RedisClientType | undefined;
  /** The clock of Redis at the last entry: that of this machine may differ. */
  let clock = 0;
  let stops = 0;
  const connected = async () => {
    const before = stops;
    const opened = await open(url);
    if (before === stops) return opened;
    close(opened);
    throw new Error("Redis answered too late");
  };
  const append = async (events: readonly StreamEvent[]) => {
    // Redis may have closed it since the last batch.
    if (!client?.isReady) client = await connected();
    // The oldest entries go with each append, all of them when nothing happens for a while.
    const trim = { strategy: "MINID", strategyModifier: "~", threshold: Math.max(0, clock - STORED) } as const;
    const [id] = await client
      .multi()
      .xAdd(STREAM, "*", { [FIELD]: JSON.stringify(events) }, { TRIM: trim })
      .pExpire(STREAM, STORED)
      .exec();
    clock = Number(String(id).split("-")[0]);
  };
  const stop = () => {
    stops++;
    close(client);
    client = undefined;
  };
  return {
    async publish(events) {
      try {
        await within(ANSWERS, append(events), late);
      } catch (error) {
        stop();
        throw error;
      }
    },
    stop,
  };
}

/**
 * Reads the stream from now on, and connects again after each failure.
 * @param on.event called for each event
 * @param on.connected called after each connection, when every later entry will be read: entries before it may be missed
 * @param on.lost called when the connection fails, and once a second until it is back
 */
export function readStream(
  url: string,
  on: { event: (channel: string, payload: string) => void; connected: () => void; lost: () => void },
): { stop: () => Promise<void> } {
  let over = false;
  let failing = false;
  let wake = () => {};
  let client: RedisClientType | undefined;
  const pause = () =>
    new Promise<void>((ok) => {
      wake = ok;
      setTimeout(ok, AGAIN).unref();
    });
  const read = async () => {
    client = await open(url, SILENT);
    // "$" in each read would miss entries that are appended between two reads.
    let last = (await client.xRevRange(STREAM, "+", "-", { COUNT: 1 }))?.[0]?.id ?? "0-0";
    if (failing) log.info("live events are read from Redis again");
    failing = false;
    on.connected();
    while (!over) {
      const streams = await client.xRead({ key: STREAM, id: last }, { BLOCK, COUNT: 100 });
      for (const { id, message } of streams?.[0]?.messages ?? []) {
        last = id;
        for (const [channel, payload] of JSON.parse(message[FIELD] ?? "[]") as StreamEvent[]) on.event(channel, payload);
      }
    }
  };
  const run = async () => {
    while (!over) {
      try {
        await read();
      } catch (error) {
        if (over) break;
        if (!failing) log.warn({ err: error }, "live events are not read from Redis");
        failing = true;
        on.lost();
        await pause();
      } finally {
        close(client);
      }
    }
  };
  const running = run();
  return {
    async stop() {
      over = true;
      wake();
      close(client);
      await running;
    },
  };
}
