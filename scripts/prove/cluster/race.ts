/** Patients compete for times while the leader of the database is killed. The ledger of acknowledged bookings is outside the product. */
import { setTimeout as pause } from "node:timers/promises";
import type { TestServer } from "../../../tests/setup/server.ts";
import type { Wish } from "../../bench/world.ts";
import { bookedId, Clients } from "../product/clients.ts";
import { atShare, below, countOf, indian, ms, none } from "../product/figures.ts";
import { compare } from "../product/product.ts";
import type { Figure } from "../proof.ts";
import type { Node, Nodes } from "./nodes.ts";

/** Pairs of patients who want the same time at once. */
const PAIRS = 6;
/** Between two bookings of a pair, so that each patient stays below the limit of bookings an hour. */
const REST = 250;
/** A client sends its form again for this long. */
const PATIENCE = 90_000;
const BACK = 10_000;

export type Load = { port: number; servers: readonly TestServer[]; wishes: readonly Wish[] };

export async function race(cluster: Nodes, load: Load, options: { kills: number; every: number; report(figure: Figure): void }) {
  const clients = new Clients(load.port, PAIRS * 2);
  const health = load.servers.map(({ port }) => new Clients(port, 2));
  const acknowledged: string[] = [];
  const moments: number[] = [performance.now()];
  const statuses: number[] = [];
  const [promotions, backs]: [number[], number[]] = [[], []];
  let [over, next, unanswered] = [false, 0, 0];

  /** Sends the form until it is booked or refused. */
  const book = async (wish: Wish) => {
    for (const from = performance.now(); ; await pause(200)) {
      const reply = await clients.book(wish);
      statuses.push(reply.status);
      const id = bookedId(reply);
      if (id) {
        acknowledged.push(id);
        moments.push(performance.now());
      }
      if (id || (reply.status > 0 && reply.status < 500 && reply.status !== 429)) return;
      if (performance.now() - from > PATIENCE) {
        unanswered++;
        return;
      }
    }
  };
  const racing = Array.from({ length: PAIRS }, async () => {
    while (!over && next + 1 < load.wishes.length) {
      const [mine, other] = [load.wishes[next]!, load.wishes[next + 1]!];
      next += 2;
      await Promise.all([book(mine), book({ ...mine, cookie: other.cookie })]);
      await pause(REST);
    }
  });

  for (let kill = 0; kill < options.kills; kill++) {
    const began = performance.now();
    await pause(2_000);
    const leader = (await cluster.primary())!;
    const killed = performance.now();
    await cluster.kill(leader);
    const promoted = await promotionAfter(cluster, leader);
    promotions.push(promoted - killed);
    const ready = async (one: Clients) => {
      while ((await one.get("/readyz")).status !== 200) {
        if (performance.now() - promoted > 60_000) break;
        await pause(50);
      }
      return performance.now() - promoted;
    };
    backs.push(...(await Promise.all(health.map(ready))));
    cluster.start(leader);
    await cluster.settled(2);
    if (kill + 1 < options.kills) await pause(Math.max(0, options.every - (performance.now() - began)));
  }
  await pause(2_000);
  over = true;
  await Promise.all(racing);
  for (const one of [clients, ...health]) one.close();

  const { lost, twice, stored } = await compare(load.servers[0]!.sql, acknowledged);
  const different = new Set(acknowledged).size;
  const gaps = moments.slice(1).map((at, i) => at - moments[i]!);
  const { report } = options;
  report({ what: "leaders killed", value: String(options.kills) });
  report({ what: "acknowledged bookings, in the database", value: `${indian(different)}, ${indian(stored)}` });
  report(none("acknowledged bookings lost", lost));
  report(none("times booked twice", twice));
  report(none("bookings in the database that were never acknowledged", stored - different));
  report(none("forms without an answer after 90 s", unanswered));
  report({ what: "statuses (0: none)", value: countOf(statuses), detail: true });
  report({ what: "from the kill until another node is the primary: p50, longest", value: both(promotions) });
  report(below("from the promotion until each process is ready: longest", Math.max(...backs), BACK));
  report({ what: "from the promotion until each process is ready: p50", value: ms(atShare(backs, 0.5)) });
  report({ what: "longest time without a booking", value: ms(Math.max(...gaps)) });
}

const both = (times: readonly number[]) => `${ms(atShare(times, 0.5))}, ${ms(Math.max(...times))}`;

/** Resolves when another node is the primary, to the moment. */
async function promotionAfter(cluster: Nodes, killed: Node): Promise<number> {
  for (let i = 0; i < 1_200; i++) {
    const now = await cluster.primary();
    if (now && now !== killed) return performance.now();
    await pause(50);
  }
  throw new Error("no node was promoted within a minute");
}
