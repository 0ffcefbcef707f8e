import type postgres from "postgres";
import type { Database } from "#app/db/client.server.ts";
import { pool } from "#app/db/pool.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { integrations } from "#app/integrations/live.server.ts";

export type TestDb = {
  db: Database;
  sql: postgres.Sql;
  /** The context of a command: nobody by default, at the real time by default. */
  ctx: {
    (actor: Actor, now?: Date): Ctx<Actor>;
    (actor?: null, now?: Date): Ctx<null>;
  };
};

/** The database of this test file: migrated, with the cities, without people. It is thrown away after the file. */
export function testDb(): TestDb {
  const { db, sql } = pool();
  const ctx = (actor: Actor | null = null, now = new Date()) => ({
    db,
    actor,
    now,
    integrations: integrations(),
    requestId: "test",
    ip: "127.0.0.1",
  });
  return { db, sql, ctx: ctx as TestDb["ctx"] };
}
