import type { TestServer } from "./server.ts";

/** Returns how many clients of the database wait for a lock. */
export async function countWaiting({ sql }: Pick<TestServer, "sql">): Promise<number> {
  const waiting = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.count;
}

/**
 * Locks a table while `work` runs, and cancels each statement that waits for it. The product gets the error that its lock_timeout would give it
 * after three seconds (app/db/client.server.ts).
 * @param mode `share`: the table can be read, not changed
 */
export function whileLocked<T>(
  { sql }: Pick<TestServer, "sql">,
  table: string,
  work: () => Promise<T>,
  mode: "access exclusive" | "share" = "access exclusive",
): Promise<T> {
  return sql.begin(async (tx) => {
    await tx.unsafe(`lock table ${table} in ${mode} mode`);
    const cancel = setInterval(() => {
      sql`select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.catch(
        () => {},
      );
    }, 20);
    try {
      return await work();
    } finally {
      clearInterval(cancel);
    }
  }) as Promise<T>;
}
