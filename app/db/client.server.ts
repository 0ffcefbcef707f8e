import { drizzle, type PostgresJsDatabase, PostgresJsPreparedQuery } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { seconds } from "#app/lib/durations.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import * as schema from "./schema/index.ts";

export type Database = PostgresJsDatabase<typeof schema>;
/** A transaction. Commands accept it or the pool. */
export type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];
export type Db = Database | Tx;
export type Connection = { db: Database; sql: postgres.Sql; end: () => Promise<void> };

// drizzle ignores `prepare: true` of the client (drizzle-team/drizzle-orm#6096): unnamed statements take two round trips and a new plan each time.
Object.defineProperty(PostgresJsPreparedQuery.prototype, "prepare", { get: () => true, set() {} });

/**
 * Opens a pool with timeouts, because postgres.js waits for ever on a frozen server: 5 s to connect, 5 s for a statement, 3 s
 * for a lock. Reconnects at most 2 s apart.
 * @param options.name of the connections in `pg_stat_activity`
 * @param options.statement the longest time of a statement, in milliseconds. Default: 5 s
 * @param options.primary refuses a server that is a standby: after a failover an address may still lead to the old primary
 * @param options.idleSession the server closes a connection without a statement for this long, in milliseconds. Default: never
 */
export function connect(
  address: DatabaseAddress,
  options: { max?: number; name?: string; statement?: number; idleSession?: number; primary?: boolean } = {},
): Connection {
  const common = {
    max: options.max ?? 10,
    connect_timeout: 5,
    backoff: (n: number) => Math.min(2, 0.1 * 2 ** n),
    onnotice() {},
    ...(options.primary && { target_session_attrs: "primary" as const }),
    connection: {
      statement_timeout: options.statement ?? seconds(5),
      lock_timeout: seconds(3),
      idle_in_transaction_session_timeout: seconds(15),
      ...(options.name !== undefined && { application_name: options.name }),
      ...(options.idleSession !== undefined && { idle_session_timeout: options.idleSession }),
      TimeZone: "UTC",
    },
  } as const;
  const sql = "url" in address ? postgres(address.url, common) : postgres({ ...address, ...common });
  const db = drizzle(sql, { schema, casing: "snake_case" });
  // drizzle removes the driver's serializer of dates (drizzle-team/drizzle-orm#5789).
  sql.options.serializers[1184] = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  return { db, sql, end: () => sql.end({ timeout: 5 }) };
}

/**
 * True when an error means that the database is unavailable, too slow, read-only (25006) or out of disk, memory or connections (class
 * 53), not that a query is wrong. After a pause of the server or of this process, PostgreSQL may end a transaction as idle (25P03).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const code = (e as Error & { code?: string }).code;
    if (code && /^(CONNECT|CONNECTION_|ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|25006|25P03|57P0|57014|55P03|53|08)/.test(code))
      return true;
  }
  return false;
}
/** True when PostgreSQL ended a transaction so that another one can go on (deadlock): a retry may succeed. */
export function wasRolledBack(error: unknown): boolean {
  for (let e: unknown = error; e instanceof Error; e = e.cause) if ((e as Error & { code?: string }).code?.startsWith("40")) return true;
  return false;
}
/** Returns the code and the constraint of an error that says that the database refuses a value (classes 22 and 23): a retry would meet it again. */
export function refusedValue(error: unknown): string | null {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const { code = "", constraint_name = "" } = e as Error & { code?: string; constraint_name?: string };
    if (/^2[23]/.test(code)) return `${code} ${constraint_name}`.trim();
  }
  return null;
}
/** Returns the name of the violated unique index or constraint, or null. */
export function violatedConstraint(error: unknown): string | null {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const { code, constraint_name } = e as Error & { code?: string; constraint_name?: string };
    if (code === "23505" || code === "23503" || code === "23514" || code === "23P01") return constraint_name ?? "";
  }
  return null;
}

const prepared = new WeakMap<object, Map<string, unknown>>();
/**
 * Caches a prepared statement for each pool or transaction: building SQL is half of the time of a frequent read.
 */
export function hot<Q>(db: Db, name: string, build: (db: Db) => Q): Q {
  const known = prepared.get(db) ?? new Map<string, unknown>();
  prepared.set(db, known);
  const query = (known.get(name) as Q | undefined) ?? build(db);
  known.set(name, query);
  return query;
}
