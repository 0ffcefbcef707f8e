/** What the pool takes from drizzle and postgres.js without documentation (docs/upgrade-risks.md). */
import { eq, lt, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { testDb } from "../../tests/setup/test-db.ts";
import { users } from "./schema/index.ts";

const { db } = testDb();

it("sends every query as a named prepared statement", async () => {
  const statements = await db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.phone, "9000000000"));
    return tx.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`);
  });
  expect(statements.map(({ statement }) => statement)).toContainEqual(expect.stringContaining('from "users" where "users"."phone" = $1'));
});

it("stores a Date given to a prepared statement", async () => {
  const at = new Date("2026-11-22T10:00:00.123Z");
  const given = db
    .select({ at: sql<string>`${sql.placeholder("at")}::timestamptz`.mapWith((text) => new Date(text)) })
    .from(sql`(values (1)) as one`)
    .prepare("a_date");
  expect(await given.execute({ at })).toEqual([{ at }]);
  const earlier = db
    .select({ id: users.id })
    .from(users)
    .where(lt(users.createdAt, sql.placeholder("at")))
    .prepare("users_before");
  expect(await earlier.execute({ at })).toEqual([]);
});
