/** Notes every row that the server writes, by triggers on every table, so that a test can ask what a request wrote. */
import { vi } from "vitest";
import type { JobName } from "#app/queue/queue.server.ts";
import type { TestServer } from "./server.ts";

/** What a GET may write, and why. Everything else that a user reads is computed. */
const TECHNICAL: Record<string, string> = {
  sessions: "the last activity of a session, which ends when it is idle",
  rate_limits: "the limits of this request",
  audit_log: "who opened whose record",
  audit_unsealed: "the entries of the log that the next seal covers",
  server_keys: "a key of the server, made at its first use",
  audit_seals: "the job that seals the log, once a minute",
};

/**
 * Begins to note writes of rows in all tables, and new jobs.
 * @param jobs the only jobs that are stored from here on, so that other writes are of requests: waits for the jobs that are due. Without it
 * all are stored
 */
export async function watchWrites({ sql }: Pick<TestServer, "sql">, { jobs }: { jobs?: readonly JobName[] } = {}): Promise<void> {
  // Jobs of what was made change rows too (a file's).
  const due = () =>
    sql`select from pgboss.job where state in ('created', 'active', 'retry') and start_after < now() and name not like '\\_\\_%'`;
  if (jobs) await vi.waitUntil(async () => (await due()).length === 0, { timeout: 60_000, interval: 100 });
  await sql`create table written_rows (n bigserial, what text, role name default session_user)`;
  await sql`create function note_write() returns trigger language plpgsql security definer as $$ begin
    insert into written_rows (what) values (tg_table_name); return null; end $$`;
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'written_rows'`;
  for (const { name } of tables)
    await sql.unsafe(`create trigger note_write after insert or update or delete on "${name}" for each row execute function note_write()`);
  if (!jobs) return;
  await sql.unsafe(`create function note_job() returns trigger language plpgsql security definer as $$ begin
    if new.name = any('{${jobs.join()}}') then return new; end if;
    if new.name not like '\\_\\_pgboss%' and new.name not in (select name from pgboss.schedule) then
      insert into written_rows (what) values ('job ' || new.name); end if;
    return null; end $$`);
  await sql`create trigger note_job before insert on pgboss.job for each row execute function note_job()`;
  await vi.waitUntil(async () => (await sql`select from pgboss.job where state = 'active'`).length === 0, { timeout: 20_000 });
}

/** Returns the tables that the server wrote to since the last call, without the technical ones. */
export async function takeWrites({ sql }: Pick<TestServer, "sql">): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    with taken as (delete from written_rows returning what, role) select distinct what from taken where role <> current_user order by 1`;
  return rows.map(({ what }) => what).filter((what) => !(what in TECHNICAL));
}
