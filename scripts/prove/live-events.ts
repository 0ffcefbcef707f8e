/** What live events cost a commit: NOTIFY in the transaction against the outbox and its relay, with 1, 8 and 32 listeners. */
import { connect } from "#app/db/client.server.ts";
import { startRelay } from "#app/realtime/relay.server.ts";
import { cloneTemplate } from "../../tests/setup/database.ts";
import { notifyQueueChanged } from "../../tests/setup/record.ts";
import { dropDatabase } from "../databases.ts";
import { indian, none } from "./product/figures.ts";
import type { Proof } from "./proof.ts";

const CLIENTS = 16;
const LISTENERS = [1, 8, 32];

const proof: Proof = {
  title: `Commits a second of ${CLIENTS} clients, each with one row and one event: without an event, with NOTIFY in the transaction, with the outbox and its relay (docs/decisions/088).`,
  async run({ short, report }) {
    const address = await cloneTemplate("reference");
    const { sql, db, end } = connect(address, { max: CLIENTS });
    /** Runs one kind of commit on all clients. Returns commits a second. */
    const rateOf = async (commit: (n: number) => Promise<unknown>) => {
      const until = performance.now() + (short ? 500 : 5_000);
      let n = 0;
      const began = performance.now();
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (performance.now() < until) await commit(n++);
        }),
      );
      return Math.round((n / (performance.now() - began)) * 1000);
    };
    try {
      await sql`create table proof_rows (n int, payload text)`;
      for (const count of LISTENERS) {
        let received = 0;
        const listeners = Array.from({ length: count }, () => connect(address, { max: 1 }));
        await Promise.all(
          listeners.map((listener) =>
            listener.sql.listen("nadi_queues", (payload) => {
              if (!payload.startsWith("direct")) received++;
            }),
          ),
        );
        const without = await rateOf((n) => sql`insert into proof_rows values (${n}, 'event')`);
        const direct = await rateOf(
          (n) =>
            sql`with row as (insert into proof_rows values (${n}, 'event') returning n) select pg_notify('nadi_queues', 'direct ' || n) from row`,
        );
        const relay = startRelay(address);
        received = 0;
        let sent = 0;
        const outbox = await rateOf((n) => {
          sent++;
          return notifyQueueChanged({ db }, String(n));
        });
        while ((await sql`select from live_events limit 1`).count) await new Promise((again) => setTimeout(again, 20));
        for (let i = 0; i < 200 && received < sent * count; i++) await new Promise((again) => setTimeout(again, 50));
        await relay.stop();
        await Promise.all(listeners.map((listener) => listener.end()));
        report({
          what: `${count} listeners: without, with NOTIFY, with the outbox`,
          value: [without, direct, outbox].map(indian).join(", "),
        });
        report(none(`${count} listeners: events of the outbox that did not arrive`, sent * count - received));
      }
    } finally {
      await end();
      await dropDatabase(address);
    }
  },
};
export default proof;
