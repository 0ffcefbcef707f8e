import { env } from "#app/runtime/env.server.ts";
import { type Connection, connect, type Database } from "./client.server.ts";
import { followStandby, type Standby } from "./standby.server.ts";

// Vite evaluates the server's modules again after edits: globalThis makes the pool one per process.
const processGlobals = globalThis as typeof globalThis & { __nadiPool?: Connection; __nadiStandby?: Standby | null };

export function pool(): Connection {
  processGlobals.__nadiPool ??= connect(env().database);
  return processGlobals.__nadiPool;
}
/** Returns the pool of this process. Domains use `ctx.db` instead. */
export const db = (): Database => pool().db;

/** Returns the standby of DATABASE_REPLICA_URL, which this process follows from the first call on; null without one. */
export function standby(): Standby | null {
  const { databaseReplica } = env();
  processGlobals.__nadiStandby ??= databaseReplica ? followStandby(databaseReplica, pool().sql) : null;
  return processGlobals.__nadiStandby;
}

/** Ends all connections of this process. */
export async function endPools(): Promise<void> {
  await processGlobals.__nadiStandby?.stop();
  await pool().end();
}
