/** Rate limit of socket packets, and counts of connections that are not authenticated yet. */
import { minutes, seconds } from "#app/lib/durations.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import { log } from "#app/runtime/log.server.ts";

/** The part of engine.io's socket that is used here. */
export type Connection = {
  on(event: "packet", handler: () => void): unknown;
  once(event: "close", handler: () => void): unknown;
  close(discard?: boolean): unknown;
};

/** Token bucket of one connection. Our pages send a dozen packets in all, and a pong every 25 s. */
const BURST = 100;
const PER_SECOND = 10;
/** Time a connection has to authenticate. */
const INTRODUCTION = seconds(10);
/** A user whose connection was closed for flooding gets no new one for this long. */
const PAUSE = minutes(1);

const pending = new Map<string, number>();
const settled = new WeakMap<object, (userId: string) => void>();
const floods = ofDatabase(new Map<string, number>());

/** Counts the packets of a connection, also before authentication, and closes it above the limit. */
export function limitPackets(connection: Connection, address: string): void {
  let userId: string | undefined;
  let waiting = true;
  pending.set(address, pendingAt(address) + 1);
  const late = setTimeout(() => connection.close(true), INTRODUCTION).unref();
  const settle = () => {
    if (!waiting) return;
    waiting = false;
    clearTimeout(late);
    const left = pendingAt(address) - 1;
    if (left > 0) pending.set(address, left);
    else pending.delete(address);
  };
  settled.set(connection, (user) => {
    userId = user;
    settle();
  });
  connection.once("close", settle);

  let allowance = BURST;
  let last = performance.now();
  let over = false;
  connection.on("packet", () => {
    const now = performance.now();
    allowance = Math.min(BURST, allowance + ((now - last) / 1000) * PER_SECOND) - 1;
    last = now;
    if (allowance >= 0 || over) return;
    over = true;
    log.warn({ userId }, "socket closed: too many events");
    if (userId) {
      for (const [user, until] of floods) if (until < now) floods.delete(user);
      floods.set(userId, now + PAUSE);
    }
    connection.close(true);
  });
}

/** Returns the number of unauthenticated connections of an address. */
export const pendingAt = (address: string) => pending.get(address) ?? 0;
/** Marks a connection as authenticated. */
export const stopPending = (connection: object, userId: string) => settled.get(connection)?.(userId);
/** True for a minute after a connection of this user was closed for flooding. */
export const flooded = (userId: string) => (floods.get(userId) ?? 0) > performance.now();
