/**
 * Tokens of a queue: 32 clients of a process that is killed again and again take numbers of eight sessions. Each number is stored by the transaction that
 * took it, in a table without a unique key, so a duplicate would be seen.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { connect } from "#app/db/client.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { issueNumber } from "#app/domains/waiting-room/queue/issue-number.server.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { makeDoctor } from "../../tests/factories/people.ts";
import { makeSession } from "../../tests/factories/queues.ts";
import { cloneTemplate, serverAddress } from "../../tests/setup/database.ts";
import { databaseName, withAdmin } from "../databases.ts";
import type { Proof } from "./proof.ts";

const CLIENTS = 32;
const SESSIONS = 8;
const KILLS = { short: 1, long: 5 };

/** The process that is killed: each client takes numbers until the process ends. */
async function takeNumbers(address: DatabaseAddress, sessions: string[]): Promise<void> {
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, i) => {
      const { db } = connect(address, { max: 1 });
      for (let n = i; ; n++)
        await db.transaction(async (tx) => {
          const session = sessions[n % sessions.length]!;
          const number = await issueNumber({ db: tx, now: new Date() } as unknown as Ctx, session);
          await tx.execute(sql`insert into issued (session_id, number) values (${session}, ${number})`);
        });
    }),
  );
}

const proof: Proof = {
  title: `Tokens by ${CLIENTS} clients of a process that is killed with SIGKILL ${KILLS.long} times (short form: ${KILLS.short}), for ${SESSIONS} sessions of a day.`,
  async run({ short, minutes, report }) {
    const kills = short ? KILLS.short : KILLS.long;
    const wanted = short ? 2_000 : 1_000_000;
    const address = await cloneTemplate("reference");
    const { db, sql: query, end } = connect(address, { max: 2 });
    let child: ChildProcess | undefined;
    try {
      await query`create table issued (session_id uuid, number int)`;
      const sessions: string[] = [];
      for (let i = 0; i < SESSIONS; i++) sessions.push(await makeSession(db, (await makeDoctor(db)).id));
      const issued = async () => (await query<{ sum: number }[]>`select sum(last_number)::int as sum from queue_sessions`)[0]!.sum;
      const began = performance.now();
      const limit = minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000;
      for (let round = 1; round <= kills + 1; round++) {
        child = spawn(process.execPath, [import.meta.filename, JSON.stringify({ address, sessions })], {
          stdio: ["ignore", "ignore", "inherit"],
        });
        const gone = once(child, "exit");
        const share = round / (kills + 1);
        while ((await issued()) < wanted * share && performance.now() - began < limit * share) await pause(200);
        child.kill("SIGKILL");
        await gone;
      }
      const seconds = (performance.now() - began) / 1000;
      // PostgreSQL notices the closed connections and rolls their transactions back.
      await pause(1000);
      const [found] = await query<{ rows: number; distinct: number; last: number }[]>`
        select count(*)::int as rows, count(distinct (session_id, number))::int as distinct,
          (select sum(last_number)::int from queue_sessions) as last from issued`;
      const { rows, distinct, last } = found!;
      report({
        what: "numbers issued",
        value: rows.toLocaleString("en-IN"),
        target: `≥ ${wanted.toLocaleString("en-IN")}`,
        met: rows >= wanted,
      });
      report({ what: "duplicates", value: String(rows - distinct), target: "0", met: rows === distinct });
      report({ what: "numbers lost between the session and its entries", value: String(last - rows), target: "0", met: last === rows });
      report({ what: "numbers a second", value: Math.round(rows / seconds).toLocaleString("en-IN") });
    } finally {
      child?.kill("SIGKILL");
      await end();
      await withAdmin(serverAddress(), (admin) => admin.unsafe(`drop database if exists "${databaseName(address)}" with (force)`));
    }
  },
};
export default proof;

if (import.meta.main) {
  const { address, sessions } = JSON.parse(process.argv[2] ?? "{}") as { address: DatabaseAddress; sessions: string[] };
  await takeNumbers(address, sessions);
}
