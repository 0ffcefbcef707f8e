import { drizzle, type PostgresJsDatabase, PostgresJsPreparedQuery } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { DatabaseAddress } from "#app/env.server.ts";
import { seconds } from "#app/lib/durations.ts";
import * as schema from "./schema/index.ts";

export type Database = PostgresJsDatabase<typeof schema>;
/** A transaction; every command takes one as readily as the pool. */
export type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];
export type Db = Database | Tx;
export type Connection = { db: Database; sql: postgres.Sql; end: () => Promise<void> };

// drizzle sends what is not expressly prepared as an unnamed statement: two round trips and a new plan each time. A named
// one, which the driver keeps for each connection, takes one.
Object.defineProperty(PostgresJsPreparedQuery.prototype, "prepare", { get: () => true, set() {} });

/**
 * Opens a pool. Every wait has an end, because postgres.js waits forever on a frozen server:
 * 5 s to connect, 5 s for a statement, 3 s for a lock; reconnects at most 2 s apart.
 */
export function connect(address: DatabaseAddress, options: { max?: number } = {}): Connection {
  const common = {
    max: options.max ?? 10,
    connect_timeout: 5,
    backoff: (n: number) => Math.min(2, 0.1 * 2 ** n),
    onnotice() {},
    connection: {
      statement_timeout: seconds(5),
      lock_timeout: seconds(3),
      idle_in_transaction_session_timeout: seconds(15),
      TimeZone: "UTC",
    },
  } as const;
  const sql = "url" in address ? postgres(address.url, common) : postgres({ ...address, ...common });
  const db = drizzle(sql, { schema, casing: "snake_case" });
  // drizzle takes the driver's own Date serializer away and skips its own for placeholders of prepared statements.
  sql.options.serializers[1184] = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  return { db, sql, end: () => sql.end({ timeout: 5 }) };
}

/** True when an error says the database is away or too slow, not that a query is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const code = (e as Error & { code?: string }).code;
    if (code && /^(CONNECT|CONNECTION_|ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|57P0|57014|55P03|53300|08)/.test(code)) return true;
  }
  return false;
}
/** The name of the unique index or constraint that refused a write, else null. */
export function violatedConstraint(error: unknown): string | null {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const { code, constraint_name } = e as Error & { code?: string; constraint_name?: string };
    if (code === "23505" || code === "23503" || code === "23514") return constraint_name ?? "";
  }
  return null;
}

const prepared = new WeakMap<object, Map<string, unknown>>();
/**
 * A prepared statement, built once per pool or transaction: drizzle's building of SQL is half of a hot read's time.
 */
export function hot<Q>(db: Db, name: string, build: (db: Db) => Q): Q {
  const known = prepared.get(db) ?? new Map<string, unknown>();
  prepared.set(db, known);
  const query = (known.get(name) as Q | undefined) ?? build(db);
  known.set(name, query);
  return query;
}
