import type postgres from "postgres";
import { type Connection, connect, type Database } from "#app/db/client.server.ts";
import { pool } from "#app/db/pool.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { env } from "#app/env.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { databaseName, inDatabase } from "../../scripts/databases.ts";
import { serverAddress } from "./database.ts";

export type TestDb = {
  /** As the product: the application's role. */
  db: Database;
  /** As the owner of the tables. */
  sql: postgres.Sql;
  /** The context of a command: nobody by default, at the real time by default. An actor has just logged in, unless `provenAt` says when. */
  ctx: {
    (actor: Actor, now?: Date): Ctx<Actor>;
    (actor?: null, now?: Date): Ctx<null>;
  };
};

let owner: Connection | undefined;
const ownerSql = () => {
  owner ??= connect(inDatabase(serverAddress(), databaseName(env().database)));
  return owner.sql;
};
export const closeOwner = async () => owner?.end();

/** The database of this test file: migrated, with the cities, without people. It is thrown away after the file. */
export function testDb(): TestDb {
  const { db } = pool();
  const sql = ownerSql();
  const ctx = (actor: Actor | null = null, now = new Date()) => ({
    db,
    actor: actor && { ...actor, provenAt: actor.provenAt === undefined ? now : actor.provenAt },
    now,
    integrations: integrations(),
    requestId: "test",
    ip: "127.0.0.1",
  });
  return { db, sql, ctx: ctx as TestDb["ctx"] };
}
