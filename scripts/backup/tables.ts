/** Reads tables and columns from PostgreSQL's catalogue, so that a new table is included automatically. */
import type postgres from "postgres";

export type TableNote = {
  name: string;
  columns: string[];
  rows: number;
  /** Checksum of all rows, independent of their order. */
  sum: string;
};
export type SequenceNote = { name: string; value: string; used: boolean };
/** `migrations`: hashes of the SQL of each, as drizzle stores them. */
export type Notes = { migrations: string[]; tables: TableNote[]; sequences: SequenceNote[] };

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const listed = (names: readonly string[]) => names.map(quoted).join(", ");

/** Sets the session so that a value has the same text on every server and role, for checksums and copies. */
export async function settle(tx: postgres.TransactionSql): Promise<void> {
  await tx`select set_config(name, value, true) from (values
    ('statement_timeout', '0'), ('lock_timeout', '0'), ('idle_in_transaction_session_timeout', '0'), ('search_path', 'public'),
    ('TimeZone', 'UTC'), ('DateStyle', 'ISO, MDY'), ('IntervalStyle', 'postgres'), ('bytea_output', 'hex'), ('extra_float_digits', '1')
  ) as s (name, value)`;
}

/** Returns our tables and their stored columns, without those of extensions. */
export async function tablesOf(tx: postgres.TransactionSql): Promise<{ name: string; columns: string[] }[]> {
  return await tx<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.relname order by c.relname`;
}
export async function countTable(tx: postgres.TransactionSql, name: string): Promise<Pick<TableNote, "rows" | "sum">> {
  const [found] = await tx.unsafe<{ rows: number; sum: string }[]>(
    `select count(*)::float8 as rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text as sum from ${quoted(name)} t`,
  );
  return { rows: found!.rows, sum: found!.sum };
}
export async function sequencesOf(tx: postgres.TransactionSql): Promise<SequenceNote[]> {
  const found = await tx<{ name: string; value: string; used: boolean }[]>`
    select sequencename as name, coalesce(last_value, start_value)::text as value, last_value is not null as used
    from pg_sequences where schemaname = 'public' order by sequencename`;
  return [...found];
}
/** Returns the hashes of the applied migrations in order; none in another database. */
export async function migrationsOf(sql: postgres.ISql): Promise<string[]> {
  const [there] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as is`;
  if (!there?.is) return [];
  const rows = await sql<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations order by id`;
  return rows.map(({ hash }) => hash);
}
