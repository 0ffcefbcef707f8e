/** Creates and drops databases. Separate from migrate.ts, because every test file needs this, and few need drizzle. */
import postgres from "postgres";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";

/** Returns the address of another database on the same server. */
export function inDatabase(address: DatabaseAddress, name: string): DatabaseAddress {
  if (!("url" in address)) return { ...address, database: name };
  const url = new URL(address.url);
  url.pathname = `/${name}`;
  return { url: url.href };
}
export const databaseName = (address: DatabaseAddress) =>
  "url" in address ? decodeURIComponent(new URL(address.url).pathname.slice(1)) : address.database;

function open(address: DatabaseAddress): postgres.Sql {
  const options = { max: 1, onnotice() {}, connect_timeout: 5 };
  return "url" in address ? postgres(address.url, options) : postgres({ ...address, ...options });
}

/** Runs `work` on the maintenance database of the server. */
export async function withAdmin<T>(address: DatabaseAddress, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = open(inDatabase(address, "postgres"));
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Creates the database unless it exists. Works with servers that allow access to our database only. */
export async function createDatabase(address: DatabaseAddress): Promise<void> {
  const probe = open(address);
  try {
    await probe`select 1`;
    return;
  } catch (error) {
    if ((error as { code?: string }).code !== "3D000") throw error; // 3D000: no such database
  } finally {
    await probe.end({ timeout: 5 });
  }
  await withAdmin(address, async (sql) => {
    await sql.unsafe(`create database "${databaseName(address).replaceAll('"', '""')}"`).catch((error: { code?: string }) => {
      if (error.code !== "42P04" && error.code !== "23505") throw error; // another process created it
    });
  });
}

export const dropDatabase = (address: DatabaseAddress) =>
  withAdmin(address, (sql) =>
    sql.unsafe(`drop database if exists "${databaseName(address).replaceAll('"', '""')}" with (force)`).then(() => undefined),
  );
