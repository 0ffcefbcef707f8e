/**
 * `npm run bench -- --against FOLDER`: the processor time of this build and of the build in another checkout, on one database
 * and in turns. `--only PART` chooses cases by a part of their name, `--rounds N` the number of pairs.
 */
import { resolve } from "node:path";
import { type Case, casesOf, POSTS } from "./cases.ts";
import { load } from "./load.ts";
import { median, print } from "./table.ts";
import { makeWorld } from "./world.ts";

/** Short, so that a slow moment of the machine affects old and new alike. */
const ROUND_MS = 100;
const WARM_UP_MS = 1_500;

export async function compareWith(folder: string, { only = "", rounds }: { only?: string | undefined; rounds: number }): Promise<void> {
  const world = await makeWorld(POSTS * (rounds + 1));
  try {
    const other = await world.startProduct(resolve(folder));
    const isChosen = ({ name }: { name: string }) => name.includes(only) && !name.startsWith("bare");
    const [mine, theirs] = [casesOf(world).filter(isChosen), casesOf({ ...world, product: other }).filter(isChosen)];
    const rows: string[][] = [];
    for (const [i, { name }] of mine.entries()) {
      const used: [number[], number[]] = [[], []];
      const measure = async (side: 0 | 1, ms: number) => {
        const { server, request, expect } = (side === 0 ? mine : theirs)[i] as Case;
        const before = server.usedNow();
        const { odd, answers } = await load({ port: server.port, request, expect, connections: 10, ms });
        if (Object.keys(odd).length) throw new Error(`${name}: unexpected answers ${JSON.stringify(odd)}`);
        return (server.usedNow() - before) / answers;
      };
      for (const side of [0, 1] as const) await measure(side, WARM_UP_MS);
      for (let round = 0; round < rounds; round++) {
        // The order changes, because the second of a pair finds a warm database.
        const order = round % 2 ? ([0, 1] as const) : ([1, 0] as const);
        for (const side of order) used[side].push(await measure(side, ROUND_MS));
      }
      const [here, there] = [median(used[0]), median(used[1])];
      const pairs = used[0].map((one, n) => one / (used[1][n] as number)).toSorted((a, b) => a - b);
      const at = (share: number) => (pairs[Math.floor(pairs.length * share)] as number).toFixed(3);
      rows.push([name, there.toFixed(2), here.toFixed(2), at(0.5), `${at(0.25)} to ${at(0.75)}`]);
    }
    console.log(`\nCPU ms for each response; medians of ${rounds} rounds in turns\n`);
    print(["", "there", "here", "here ÷ there", "half of the pairs"], rows);
    console.log(`\npeak memory: here ${world.product.peak().toFixed(0)} MB, there ${other.peak().toFixed(0)} MB`);
  } finally {
    await world.end();
  }
}
