/** The hash chain over the audit log: what is sealed, and what the verification detects. */
import { beforeEach, describe, expect, it } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { pool } from "#app/db/pool.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { minutes } from "#app/lib/durations.ts";
import { env } from "#app/runtime/env.server.ts";
import { databaseName, inDatabase } from "../../../../scripts/databases.ts";
import { serverAddress } from "../../../../tests/setup/database.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { findOldLog, readOldLog, removeOldLog } from "./archive-log.server.ts";
import { recordRead as recordAudit, recordReads as recordAudits } from "./record.server.ts";
import { sealLog } from "./seal-log.server.ts";
import { lastSeal } from "./seals.server.ts";
import { verifyLog } from "./verify-log.server.ts";

const { sql, ctx } = testDb();
const entry = (subjectId: string) => ({ action: "proof", subjectType: "user" as const, subjectId, details: { words: 'ని "x"', n: 1 } });
const write = (...subjects: string[]) => recordAudits(ctx(), subjects.map(entry));
const idOf = async (subject: string) => Number((await sql`select id from audit_log where subject_id = ${subject}`)[0]!.id);
const problemOf = async () => (await verifyLog(ctx(), [])).problem;
/** Does what a user with the rights of the owner can do, with triggers disabled. */
const tamper = (statement: string) =>
  sql.begin(async (tx) => {
    for (const table of ["audit_log", "audit_seals"]) await tx.unsafe(`alter table ${table} disable trigger user`);
    await tx.unsafe(statement);
    for (const table of ["audit_log", "audit_seals"]) await tx.unsafe(`alter table ${table} enable trigger user`);
  });

beforeEach(() => tamper("truncate audit_log, audit_seals, audit_unsealed"));

it("seals committed rows once, and verifies them unchanged", async () => {
  await write("a", "b", "c");
  expect(await sealLog(ctx())).toBe(3);
  expect(await sealLog(ctx())).toBe(0);
  await write("d");
  expect(await verifyLog(ctx(), [])).toEqual({ seals: 1, rows: 3, archived: 0, waiting: 1, problem: null });
  expect(await sealLog(ctx())).toBe(1);
  expect(await verifyLog(ctx(), [])).toEqual({ seals: 2, rows: 4, archived: 0, waiting: 0, problem: null });
});

it("splits more rows than one seal covers", async () => {
  await sql`insert into audit_log (actor_role, action, subject_type, subject_id) select 'system', 'proof', 'user', n from generate_series(1, 5003) n`;
  expect(await sealLog(ctx())).toBe(5_003);
  expect(await verifyLog(ctx(), [])).toMatchObject({ seals: 2, rows: 5_003, problem: null });
});

it("seals a late commit in the next batch, without waiting", async () => {
  let commit: () => void = () => undefined;
  let written: () => void = () => undefined;
  const early = new Promise<void>((ok) => {
    written = ok;
  });
  const late = sql.begin(async (tx) => {
    await tx`insert into audit_log (actor_role, action, subject_type, subject_id) values ('system', 'proof', 'user', 'late')`;
    written();
    await new Promise<void>((ok) => {
      commit = ok;
    });
  });
  await early;
  await write("after");
  expect(await sealLog(ctx())).toBe(1);
  expect(await problemOf()).toBeNull();
  commit();
  await late;
  expect(await idOf("late")).toBeLessThan(await idOf("after"));
  expect(await sealLog(ctx())).toBe(1);
  expect(await verifyLog(ctx(), [])).toMatchObject({ seals: 2, rows: 2, waiting: 0, problem: null });
});

it("accepts the gap of a rolled back change", async () => {
  await write("a");
  await expect(
    sql.begin(async (tx) => {
      await tx`insert into audit_log (actor_role, action, subject_type, subject_id) values ('system', 'proof', 'user', 'gone')`;
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  await write("b");
  expect(await sealLog(ctx())).toBe(2);
  const [seal] = await sql`select rows, ids::text from audit_seals`;
  const [a, b] = [await idOf("a"), await idOf("b")];
  expect(seal).toEqual({ rows: 2, ids: `{[${a},${a + 1}),[${b},${b + 1})}` });
  expect(await problemOf()).toBeNull();
});

it("processes that seal at once make one chain", async () => {
  for (let round = 0; round < 5; round++) {
    await write(`${round} a`, `${round} b`);
    const sealed = await Promise.all([1, 2, 3, 4].map(() => sealLog(ctx())));
    // A process that finds the chain locked leaves the rows to the other one.
    expect(sealed.reduce((sum, n) => sum + n, 0)).toBe(2);
  }
  expect(await verifyLog(ctx(), [])).toMatchObject({ seals: 5, rows: 10, waiting: 0, problem: null });
});

it("covers every row by exactly one seal while others write", async () => {
  const writers = Promise.all(Array.from({ length: 40 }, (_, i) => recordAudit(ctx(), entry(`w${i}`))));
  let sealed = 0;
  for (let i = 0; i < 10; i++) sealed += await sealLog(ctx());
  await writers;
  sealed += await sealLog(ctx());
  expect(sealed).toBe(40);
  expect(await verifyLog(ctx(), [])).toMatchObject({ rows: 40, waiting: 0, problem: null });
});

describe("detects changes of the owner of the tables", () => {
  beforeEach(async () => {
    for (const batch of [
      ["a", "b", "c"],
      ["d", "e", "f"],
      ["g", "h", "i"],
    ]) {
      await write(...batch);
      await sealLog(ctx());
    }
  });
  const second = async () => Number((await sql`select id from audit_seals order by id offset 1 limit 1`)[0]!.id);

  it.each([
    "action = 'x'",
    "at = at + interval '1 microsecond'",
    "ip = null",
    "details = '{}'",
    "actor_role = 'admin'",
    "person_id = gen_random_uuid()",
  ])("a changed row: %s", async (change) => {
    const id = await idOf("e");
    await tamper(`update audit_log set ${change} where id = ${id}`);
    expect(await problemOf()).toBe(`Row ${id} was changed (seal ${await second()}).`);
  });
  it("a deleted row", async () => {
    const id = await idOf("f");
    await tamper(`delete from audit_log where id = ${id}`);
    expect(await problemOf()).toBe(`Row ${id} is missing (seal ${await second()}).`);
  });
  it("a row that was deleted before it was sealed", async () => {
    await write("j");
    const id = await idOf("j");
    await tamper(`delete from audit_log where id = ${id}`);
    expect(await problemOf()).toBe(`Row ${id} is missing: it was deleted before it was sealed.`);
    await sealLog(ctx());
    expect(await problemOf()).toMatch(`Row ${id} is missing (seal `);
  });
  it("a row that was inserted without its trigger", async () => {
    const id = (await idOf("i")) + 1;
    await tamper(
      `insert into audit_log (id, actor_role, action, subject_type, subject_id) values (${id}, 'system', 'proof', 'user', 'forged')`,
    );
    expect(await problemOf()).toBe(`Row ${id} is in no seal: it was not written by the product.`);
  });
  it("a deleted row with another in its place", async () => {
    const id = await idOf("e");
    await tamper("delete from audit_log where subject_id = 'e'");
    await sql`insert into audit_log (id, actor_role, action, subject_type, subject_id) values (${id}, 'system', 'proof', 'user', 'e')`;
    expect(await problemOf()).toBe(`Row ${id} was changed (seal ${await second()}).`);
  });
  it("any deleted seal", async () => {
    const seals = (await sql<{ id: string }[]>`select id from audit_seals order by id`).map(({ id }) => Number(id));
    await sql`create table backup_of_seals as select * from audit_seals`;
    const without = async (id: number) => {
      await tamper(`delete from audit_seals where id = ${id}`);
      const problem = await problemOf();
      await tamper(`insert into audit_seals select * from backup_of_seals where id = ${id}`);
      return problem;
    };
    expect(await without(seals[0]!)).toBe(`A seal before seal ${seals[1]} is missing.`);
    expect(await without(seals[1]!)).toBe(`A seal between ${seals[0]} and ${seals[2]} is missing.`);
    expect(await without(seals[2]!)).toBe(`Row ${await idOf("g")} is in no seal: it was not written by the product.`);
    expect(await problemOf()).toBeNull();
    await sql`drop table backup_of_seals`;
  });
  it("a seal whose rows were overwritten", async () => {
    const id = await second();
    await tamper(`update audit_seals set digests = decode(repeat('00', 48), 'hex') where id = ${id}`);
    expect(await problemOf()).toBe(`Seal ${id} was changed.`);
  });
  it("a completely rebuilt chain, by the seal stored outside the database", async () => {
    const { id, hash, at } = (await lastSeal(ctx()))!;
    const noted = [{ id, hash, at: at.toISOString() }];
    expect((await verifyLog(ctx(), noted)).problem).toBeNull();
    await tamper("update audit_log set action = 'x' where subject_id = 'e'");
    await tamper("delete from audit_seals");
    await tamper("insert into audit_unsealed select id from audit_log");
    await sealLog(ctx());
    expect(await problemOf()).toBeNull();
    expect((await verifyLog(ctx(), noted)).problem).toBe(`Seal ${id} is not in the database as it was noted at ${at.toISOString()}.`);
  });
});

it("detects a row that was inserted between others long after they were sealed", async () => {
  await write("a", "b");
  const gap = (await idOf("b")) + 1;
  await sql`select setval('audit_log_id_seq', ${gap})`;
  await write("c");
  await sealLog(ctx());
  await sql`insert into audit_log (id, actor_role, action, subject_type, subject_id) values (${gap}, 'system', 'proof', 'user', 'between')`;
  await sealLog(ctx(null, new Date(Date.now() + minutes(61))));
  expect(await problemOf()).toMatch(`Row ${gap} was inserted after its neighbours had been sealed`);
});

/** Runs `work` with the rights of the owner of the tables, as archive-log does. */
const asOwner = async (work: (as: Ctx) => Promise<void>) => {
  const { sql: _, db, end } = connect(inDatabase(serverAddress(), databaseName(env().database)), { max: 1 });
  try {
    await work({ ...ctx(), db });
  } finally {
    await end();
  }
};
const insertOld = (rows: number) => sql`
  insert into audit_log (at, actor_role, action, subject_type, subject_id)
  select '2020-05-01'::timestamptz + n * interval '1 hour', 'system', 'old', 'user', n from generate_series(1, ${rows}::int) n`;

it("archived rows leave their seals, and the rest still verifies", async () => {
  await insertOld(7_000);
  await write("new");
  await asOwner(async (as) => {
    const old = await findOldLog(as, "2021-01-01");
    let lines = 0;
    for await (const piece of readOldLog(as, old)) lines += piece.split("\n").length - 1;
    expect(await removeOldLog(as, old, "x")).toBe(lines);
    expect(await verifyLog(ctx(), [])).toMatchObject({ rows: 7_001 - lines, archived: lines, waiting: 1, problem: null });
    // Rows that archive-log did not remove are reported as missing.
    const id = await idOf("6999");
    await tamper(`delete from audit_log where id = ${id}`);
    expect(await problemOf()).toMatch(`Row ${id} is missing`);
  });
});

it("users write to the log while old rows are removed", async () => {
  await insertOld(20);
  await asOwner(async (as) => {
    const old = await findOldLog(as, "2021-01-01");
    await transact(as, async (open) => {
      expect(await removeOldLog(open, old, "x")).toBe(20);
      // Another connection: a lock on the table would end this with a timeout.
      await write("meanwhile");
    });
  });
  await sealLog(ctx());
  expect(await verifyLog(ctx(), [])).toMatchObject({ rows: 2, archived: 20, waiting: 0, problem: null });
});

it("only archive-log deletes rows, as the owner, for the time of its transaction", async () => {
  await write("a");
  await asOwner(async (as) => {
    const old = await findOldLog(as, "2021-01-01");
    await transact(as, async (open) => {
      await removeOldLog(open, old, "x");
      await expect(transact(open, ({ db }) => db.execute("delete from audit_log"))).rejects.toMatchObject({
        cause: expect.objectContaining({ message: "audit_log is append-only" }),
      });
    });
  });
  const refused = (statement: string) =>
    sql.begin(async (tx) => {
      await tx`select set_config('nadi.archive_log', 'on', true)`;
      await tx.unsafe(statement);
    });
  for (const statement of ["update audit_log set action = 'x'", "truncate audit_log"])
    await expect(refused(statement)).rejects.toThrow("append-only");
  const { sql: application } = pool();
  await expect(
    application.begin(async (tx) => {
      await tx`select set_config('nadi.archive_log', 'on', true)`;
      await tx`delete from audit_log`;
    }),
  ).rejects.toMatchObject({ code: "42501" });
});
