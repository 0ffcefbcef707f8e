/**
 * Paying online: random schedules of orders, payments, messages, cancellations, refunds, outages and killed processes against the local gateway, whose
 * ledger is then compared with ours (tests/setup/money-simulation.ts). Each process has its own database; a batch is one doctor, its number the seed.
 */
import { createInterface } from "node:readline";
import type { Actor } from "#app/domains/context.server.ts";
import type { Result } from "../../tests/setup/money-simulation.ts";
import type { Proof } from "./proof.ts";
import { withWorker } from "./worker.ts";

const PROCESSES = 2;
/** Appointments of a batch. */
const BATCH = 40;
/** Stops a run on a machine that is too slow. `--minutes` runs a part, and `--from` goes on with the next seed in a section of its own. */
const MAX_MINUTES = 240;

const indian = (n: number) => n.toLocaleString("en-IN");

const proof: Proof = {
  test: "app/domains/money/online/simulation.db.test.ts",
  title: `Random schedules of paying online, ${BATCH} appointments at a time in each of ${PROCESSES} processes. Afterwards no message comes any more, and the job of each minute has to find everything: our ledger and the gateway's are compared paisa by paisa, and with what the patient reads. Policies of 0 to 24 hours; before each cancellation the pages are read, and what they say has to happen.`,
  async run({ short, minutes: asked, from = 1, report }) {
    const last = from > 1 || !short ? Math.ceil(100_000 / BATCH) : Math.ceil(400 / BATCH);
    const steps: Record<string, number> = {};
    const faults: string[] = [];
    let schedules = 0;
    let next = from;
    const until = performance.now() + (asked ?? MAX_MINUTES) * 60_000;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        withWorker(import.meta.filename, async (worker) => {
          const ask = () => {
            if (next > last || performance.now() > until || faults.length > 0) return false;
            return worker.stdin!.write(`${next++}\n`) || true;
          };
          if (!ask()) return;
          for await (const line of createInterface({ input: worker.stdout! })) {
            const { seed, result } = JSON.parse(line) as { seed: number; result: Result };
            schedules += result.schedules;
            for (const [step, n] of Object.entries(result.steps)) steps[step] = (steps[step] ?? 0) + n;
            faults.push(...result.faults.map((fault) => `seed ${seed}: ${fault}`));
            if (!ask()) return;
          }
          throw new Error("A process of the simulation ended early.");
        }),
      ),
    );
    const seconds = (performance.now() - began) / 1000;
    const count = (pattern: RegExp) => faults.filter((fault) => pattern.test(fault)).length;
    const none = (what: string, n: number) => report({ what, value: String(n), target: "0", met: n === 0 });
    const done = `${indian(schedules)}, seeds ${from} to ${next - 1}`;
    if (asked !== undefined && next <= last) report({ what: "schedules, a part", value: `${done} of ${indian(last)}` });
    else report({ what: "schedules", value: done, target: `seeds up to ${indian(last)}`, met: schedules >= (last - from + 1) * BATCH });
    for (const [step, n] of Object.entries(steps).sort(([a], [b]) => (a < b ? -1 : 1)))
      report({ what: step, value: indian(n), detail: true });
    none("payments, refunds or amounts that the gateway and our ledger have differently", count(/gateway|captured/));
    none(
      "transfers that do not sum to zero, refunds above a payment, receipts with a gap",
      count(/zero|refunded than|refunds of|gap|receipt/),
    );
    none("sentences of a page that were not so: until when, what comes back, what is confirming or not returned", count(/: read: /));
    none("money kept that was not due", count(/kept of a cancelled|more kept/));
    none("platform fees kept twice or after a refund, or with other documents than the ledger", count(/platform fee|document/));
    none("orders, messages and refunds without an end", count(/without an end|not applied|its order/));

    none("all faults", faults.length);
    report({ what: "milliseconds for each schedule, all processes", value: ((seconds * 1000) / schedules).toFixed(0) });
    for (const fault of faults.slice(0, 20)) console.error(`  ${fault}`);
  },
};
export default proof;

if (import.meta.main) {
  const [{ pool }, { integrations }, { simulateMoney }] = await Promise.all([
    import("#app/db/pool.server.ts"),
    import("#app/integrations/live.server.ts"),
    import("../../tests/setup/money-simulation.ts"),
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
  let first = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const seed = Number(line);
    const result = await simulateMoney({ db, context }, { seed, schedules: BATCH, first: first++ });
    process.stdout.write(`${JSON.stringify({ seed, result })}\n`);
  }
}
