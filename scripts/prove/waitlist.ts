/**
 * The waitlist: patients of many doctors cancel, move, book, join, take, pass and leave at once, and the recorded events are replayed
 * (tests/setup/waitlist-simulation.ts). Each process has its own database; a batch is one doctor.
 */
import { createInterface } from "node:readline";
import type { Actor } from "#app/domains/context.server.ts";
import type { Result } from "../../tests/setup/waitlist-simulation.ts";
import type { Proof } from "./proof.ts";
import { withWorker } from "./worker.ts";

const PROCESSES = 2;
/** Doctors at once in a process. */
const AT_ONCE = 3;
/** Cancellations of one doctor: short enough that the replay, which grows with its square, costs little. */
const BATCH = 250;
/** Stops a run on a machine that is too slow. */
const MAX_MINUTES = 60;

const indian = (n: number) => n.toLocaleString("en-IN");

const proof: Proof = {
  test: "app/domains/booking/waitlist/simulation.db.test.ts",
  title: `Simulated cancellations of ${BATCH} for each doctor, ${PROCESSES * AT_ONCE} doctors at once, with waiting patients who act at the same time. The events of each doctor are then replayed.`,
  async run({ short, minutes = MAX_MINUTES, report }) {
    const wanted = short ? 500 : 100_000;
    const sum = { cancellations: 0, offers: 0, taken: 0, passed: 0, lapsed: 0, swaps: 0, busy: 0 };
    let longestChain = 0;
    let batches = 0;
    const faults: string[] = [];
    let next = 0;
    const until = performance.now() + minutes * 60_000;
    const more = () => next * BATCH < wanted && performance.now() < until && faults.length === 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        withWorker(import.meta.filename, async (worker) => {
          const lines = createInterface({ input: worker.stdout! });
          let running = 0;
          const start = () => {
            if (!more()) return;
            worker.stdin!.write(`${++next}\n`);
            running++;
          };
          for (let i = 0; i < AT_ONCE; i++) start();
          if (running === 0) return;
          for await (const line of lines) {
            const { seed, result } = JSON.parse(line) as { seed: number; result: Result };
            batches++;
            for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += result[key];
            longestChain = Math.max(longestChain, result.longestChain);
            faults.push(...result.faults.map((fault) => `seed ${seed}: ${fault}`));
            running--;
            start();
            if (running === 0) return;
          }
          throw new Error("A process of the simulation ended early.");
        }),
      ),
    );
    const seconds = (performance.now() - began) / 1000;
    const count = (pattern: RegExp) => faults.filter((fault) => pattern.test(fault)).length;
    const none = (what: string, n: number) => report({ what, value: String(n), target: "0", met: n === 0 });
    report({
      what: "cancellations and moves",
      value: `${indian(sum.cancellations)}, of ${indian(batches)} doctors`,
      target: `≥ ${indian(wanted)}`,
      met: sum.cancellations >= wanted,
    });
    report({ what: "offers", value: indian(sum.offers) });
    report({
      what: "taken, passed, lapsed",
      value: [sum.taken, sum.passed, sum.lapsed].map(indian).join(", "),
    });
    report({ what: "later appointments moved", value: indian(sum.swaps) });
    report({ what: "steps refused because the database was busy", value: indian(sum.busy) });
    report({ what: "most moves after one cancellation", value: String(longestChain), target: "≤ 5", met: longestChain <= 5 });
    none("times with more claims than seats", count(/two claims/));
    none("patients skipped", count(/skipped/));
    none("other faults", faults.length - count(/two claims|skipped/));
    report({ what: "cancellations a second", value: (sum.cancellations / seconds).toFixed(0) });
    for (const fault of faults.slice(0, 10)) console.error(`  ${fault}`);
  },
};
export default proof;

if (import.meta.main) {
  const [{ pool }, { integrations }, { simulateWaitlist }] = await Promise.all([
    import("#app/db/pool.server.ts"),
    import("#app/integrations/live.server.ts"),
    import("../../tests/setup/waitlist-simulation.ts"),
  ]);
  const { db } = pool();
  const context = (actor: Actor | null, now: Date) => ({
    db,
    actor: actor && { ...actor, provenAt: now },
    now,
    integrations: integrations(),
    requestId: "prove",
    ip: "127.0.0.1",
  });
  for await (const line of createInterface({ input: process.stdin })) {
    const seed = Number(line);
    void simulateWaitlist({ db, context }, { seed, until: BATCH }).then(
      (result) => process.stdout.write(`${JSON.stringify({ seed, result })}\n`),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  }
}
