import type postgres from "postgres";
import { type Connection, connect, type Database } from "#app/db/client.server.ts";
import { pool } from "#app/db/pool.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { minutes } from "#app/lib/durations.ts";
import { env } from "#app/runtime/env.server.ts";
import { databaseName, inDatabase } from "../../scripts/databases.ts";
import { serverAddress } from "./database.ts";
import { ownNow } from "./own-day.ts";

export type TestDb = {
  /** Connects with the application's role. */
  db: Database;
  /** Connects as the owner of the tables. */
  sql: postgres.Sql;
  /** Returns the context of a command. Default: no actor, current time. An actor has just logged in unless `provenAt` is set. */
  ctx: {
    (actor: Actor, now?: Date): Ctx<Actor>;
    (actor?: null, now?: Date): Ctx<null>;
  };
};

let owner: Connection | undefined;
const ownerSql = () => {
  // Ten thousand rows may take longer than a statement of the product may.
  owner ??= connect(inDatabase(serverAddress(), databaseName(env().database)), { statement: minutes(1) });
  return owner.sql;
};
export async function closeOwner(): Promise<void> {
  await owner?.end();
  owner = undefined;
}

/** Returns the database of this test file: migrated, with cities, without users. Dropped after the file. */
export function testDb(): TestDb {
  const { db } = pool();
  const sql = ownerSql();
  const ctx = (actor: Actor | null = null, now = ownNow()) => ({
    db,
    actor: actor && { ...actor, provenAt: actor.provenAt === undefined ? now : actor.provenAt },
    now,
    integrations: integrations(),
    requestId: "test",
    ip: "127.0.0.1",
  });
  return { db, sql, ctx: ctx as TestDb["ctx"] };
}
