/**
 * `npm run bench -- --processes`: the product with one and with two workers (`WEB_CONCURRENCY`), by one load generator in turns,
 * and the generator's own share of a core.
 */
import { casesOf, POSTS } from "./cases.ts";
import { load } from "./load.ts";
import { median, print } from "./table.ts";
import { makeWorld, ROOT } from "./world.ts";

const ROUNDS = 7;
const ROUND_MS = 1_000;
const CASES = ["dashboard, patient", "doctor list, patient", "doctor list, visitor, cached", "booking post"];

export async function measureWorkers(): Promise<void> {
  const world = await makeWorld(POSTS * 2 * (ROUNDS + 1));
  try {
    const two = await world.startProduct(ROOT, { WEB_CONCURRENCY: "2" });
    const rows: string[][] = [];
    for (const name of CASES) {
      const sides = [world.product, two].map((server) => {
        const found = casesOf({ ...world, product: server }).find((one) => one.name === name);
        return {
          request: found?.request ?? (() => null),
          expect: found?.expect ?? 200,
          server,
          rates: [] as number[],
          own: [] as number[],
          cpu: [] as number[],
        };
      });
      for (let round = 0; round <= ROUNDS; round++)
        for (const { request, expect, server, rates, own, cpu } of sides) {
          const [began, mine, theirs] = [performance.now(), process.cpuUsage(), server.usedNow()];
          const { rate, odd, answers } = await load({ port: server.port, request, expect, connections: 20, ms: ROUND_MS });
          if (Object.keys(odd).length) throw new Error(`${name}: unexpected answers ${JSON.stringify(odd)}`);
          // The first round warms up.
          if (round === 0) continue;
          const { user, system } = process.cpuUsage(mine);
          rates.push(rate);
          own.push((user + system) / 10 / (performance.now() - began));
          cpu.push((server.usedNow() - theirs) / answers);
        }
      const [one, both] = sides as [(typeof sides)[0], (typeof sides)[0]];
      const percent = (numbers: number[]) => `${median(numbers).toFixed(0)} %`;
      rows.push([
        name,
        median(one.rates).toFixed(0),
        median(both.rates).toFixed(0),
        (median(both.rates) / median(one.rates)).toFixed(2),
        median(one.cpu).toFixed(2),
        median(both.cpu).toFixed(2),
        percent(one.own),
        percent(both.own),
      ]);
    }
    console.log(`\none and two workers, 20 connections, medians of ${ROUNDS} rounds in turns\n`);
    print(["", "1: requests/s", "2: requests/s", "2 ÷ 1", "1: CPU ms", "2: CPU ms", "1: generator", "2: generator"], rows);
    console.log("\ngenerator: its processor time as a share of one core");
  } finally {
    await world.end();
  }
}
