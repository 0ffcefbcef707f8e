import { env } from "#app/runtime/env.server.ts";
import { type Connection, connect, type Database } from "./client.server.ts";

// Vite evaluates the server's modules again after edits: globalThis makes the pool one per process.
const holder = globalThis as typeof globalThis & { __nadiPool?: Connection };

export function pool(): Connection {
  holder.__nadiPool ??= connect(env().database);
  return holder.__nadiPool;
}
/** Returns the pool of this process. Domains use `ctx.db` instead. */
export const db = (): Database => pool().db;
