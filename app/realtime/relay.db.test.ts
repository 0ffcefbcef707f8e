import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { liveEvents } from "#app/db/schema/index.ts";
import { env } from "#app/runtime/env.server.ts";
import { notifyPagesChanged, notifyQueueChanged } from "../../tests/setup/record.ts";
import { relayProcess } from "../../tests/setup/relay-process.ts";
import { testDb } from "../../tests/setup/test-db.ts";
import { startRelay } from "./relay.server.ts";

const { db, sql, ctx } = testDb();
const started: { stop: () => Promise<void> }[] = [];
const children: ChildProcess[] = [];
const relay = () => started.push(startRelay(env().database));
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
  await sql`delete from live_events`;
});

async function listen(channel = "nadi_queues") {
  const received: string[] = [];
  const { unlisten } = await sql.listen(channel, (payload) => received.push(payload));
  started.push({ stop: unlisten });
  return received;
}
/** The server processes of PostgreSQL that have the lock of the relay. */
const owners = async () =>
  (
    await sql<{ pid: number }[]>`select pid from pg_locks 
    where locktype = 'advisory' and objid = 72088 and granted
      and database = (select oid from pg_database where datname = current_database())`
  ).map(({ pid }) => pid);
const relayOfAnotherProcess = async () => {
  const child = relayProcess(env().database);
  children.push(child);
  await expect.poll(owners, { timeout: 20_000 }).toHaveLength(1);
  return child;
};

it("sends an event after its commit, none of a rolled back transaction, and deletes what it sent", async () => {
  const received = await listen();
  relay();
  await expect.poll(owners).toHaveLength(1);
  await db
    .transaction(async (tx) => {
      await notifyQueueChanged({ db: tx }, "rolled back");
      throw new Error("undo");
    })
    .catch(() => undefined);
  await db.transaction(async (tx) => {
    await notifyQueueChanged({ db: tx }, "first");
    // Another transaction passes through the relay before this one is committed.
    await notifyQueueChanged(ctx(), "in between");
    await expect.poll(() => received).toEqual(["in between"]);
    await notifyQueueChanged({ db: tx }, "second");
  });
  await expect.poll(() => received).toEqual(["in between", "first", "second"]);
  expect(await db.$count(liveEvents)).toBe(0);
});

it("sends equal events of a batch once", async () => {
  const received = await listen("nadi_pages");
  await db.transaction(async (tx) => {
    for (let i = 0; i < 50; i++) await notifyPagesChanged({ db: tx });
  });
  relay();
  await expect.poll(() => db.$count(liveEvents)).toBe(0);
  await expect.poll(() => received).toEqual([""]);
});

it("refuses a payload that NOTIFY could not send", async () => {
  await expect(notifyQueueChanged(ctx(), "x".repeat(8_000))).rejects.toMatchObject({ cause: { constraint_name: "live_events_payload" } });
});

it("loses no event, sends none twice and keeps the order of a subject while relays are killed", async () => {
  const SUBJECTS = 8;
  const EVENTS = 300;
  const received = await listen();
  for (let i = 0; i < 3; i++) relay();
  let writing = true;
  const write = async (subject: number) => {
    for (let n = 0; n < EVENTS; n++)
      await db
        .transaction(async (tx) => {
          await notifyQueueChanged({ db: tx }, `${subject}:${n}`);
          if (n % 5 === 4) throw new Error("undo");
        })
        .catch((error: Error) => {
          if (error.message !== "undo") throw error;
        });
  };
  let most = 0;
  const kill = async () => {
    let killed = 0;
    while (writing || killed < 5) {
      const pids = await owners();
      most = Math.max(most, pids.length);
      for (const pid of pids) killed += (await sql`select pg_terminate_backend(${pid})`).count;
    }
  };
  const killing = kill();
  await Promise.all(Array.from({ length: SUBJECTS }, (_, subject) => write(subject)));
  writing = false;
  await killing;
  await expect.poll(() => db.$count(liveEvents), { timeout: 20_000 }).toBe(0);
  await notifyQueueChanged(ctx(), "end");
  await expect.poll(() => received.at(-1), { timeout: 20_000 }).toBe("end");
  const committed = Array.from({ length: EVENTS }, (_, n) => n).filter((n) => n % 5 !== 4);
  for (let subject = 0; subject < SUBJECTS; subject++)
    expect(received.filter((payload) => payload.startsWith(`${subject}:`))).toEqual(committed.map((n) => `${subject}:${n}`));
  expect(most).toBe(1);
}, 60_000);

it("takes over from a process that is killed", async () => {
  const received = await listen();
  const child = await relayOfAnotherProcess();
  relay();
  child.kill("SIGKILL");
  await once(child, "exit");
  await notifyQueueChanged(ctx(), "after the kill");
  await expect.poll(() => received, { timeout: 20_000 }).toEqual(["after the kill"]);
}, 60_000);

it("takes over from a process that hangs", async () => {
  const received = await listen();
  const child = await relayOfAnotherProcess();
  const [hanging] = await owners();
  child.kill("SIGSTOP");
  relay();
  await notifyQueueChanged(ctx(), "while it hangs");
  await expect.poll(() => received, { timeout: 20_000 }).toEqual(["while it hangs"]);
  const [next] = await owners();
  expect(next).not.toBe(hanging);
}, 60_000);

it("delivers an event whose transaction was open for longer than later ones", async () => {
  const received = await listen();
  const other = connect(env().database, { max: 1 });
  started.push({ stop: other.end });
  relay();
  await other.db.transaction(async (tx) => {
    await notifyQueueChanged({ db: tx }, "early id");
    for (let i = 0; i < 20; i++) await notifyQueueChanged(ctx(), `later ${i}`);
    await expect.poll(() => received).toHaveLength(20);
  });
  await expect.poll(() => received.at(-1)).toBe("early id");
});
