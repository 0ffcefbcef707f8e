import { forgetWith } from "#app/lib/of-start.ts";
import { env } from "#app/runtime/env.server.ts";
import { type Connection, connect, type Database } from "./client.server.ts";

// Vite evaluates the server's modules again after edits: globalThis makes the pool one per process.
const processGlobals = globalThis as typeof globalThis & { __nadiPool?: Connection };
forgetWith(() => delete processGlobals.__nadiPool);

export function pool(): Connection {
  processGlobals.__nadiPool ??= connect(env().database, { primary: true });
  return processGlobals.__nadiPool;
}
/** Returns the pool of this process. Domains use `ctx.db` instead. */
export const db = (): Database => pool().db;
