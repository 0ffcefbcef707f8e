import { env } from "#app/env.server.ts";
import { type Connection, connect, type Database } from "./client.server.ts";

// Vite re-evaluates the server's modules on every edit: one pool per process lives on globalThis.
const holder = globalThis as typeof globalThis & { __nadiPool?: Connection };

export function pool(): Connection {
  holder.__nadiPool ??= connect(env().database);
  return holder.__nadiPool;
}
/** The pool of this process. Only http/, realtime/ and the server's own rooms ask for it; domains get `ctx.db`. */
export const db = (): Database => pool().db;
