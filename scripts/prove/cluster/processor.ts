/** The processor time of a page, with one and with two processes, asked past HAProxy at `port`, whose address is the product's. */
import type { TestServer } from "../../../tests/setup/server.ts";
import { processorTimeOf } from "../../processes.ts";
import { Clients } from "../product/clients.ts";
import type { Figure } from "../proof.ts";

const PAGES = ["/patient-dashboard", "/doctorspages/Cards-data"];
const CLIENTS = 8;

export async function measureProcessorTime(
  load: { port: number; servers: readonly TestServer[]; cookies: readonly string[] },
  options: { ms: number; report(figure: Figure): void },
): Promise<void> {
  const costOf = async (servers: readonly TestServer[]) => {
    const clients = servers.map(({ port }) => new Clients(port, CLIENTS));
    const spent = () => servers.reduce((sum, { pid }) => sum + processorTimeOf(pid), 0);
    let [answers, odd] = [0, 0];
    const ask = async (until: number) => {
      await Promise.all(
        Array.from({ length: CLIENTS }, async (_, i) => {
          for (let n = i; performance.now() < until; n++) {
            const sent = { cookie: load.cookies[i]!, headers: { host: `localhost:${load.port}` } };
            const { status } = await clients[n % clients.length]!.send("GET", PAGES[n % PAGES.length]!, sent);
            if (status === 200) answers++;
            else odd++;
          }
        }),
      );
    };
    await ask(performance.now() + options.ms / 4);
    answers = 0;
    const before = spent();
    const began = performance.now();
    await ask(began + options.ms);
    for (const one of clients) one.close();
    if (odd) throw new Error(`${odd} pages were not answered 200`);
    return { rate: answers / ((performance.now() - began) / 1000), cost: (spent() - before) / answers };
  };
  for (const count of [1, 2]) {
    const { rate, cost } = await costOf(load.servers.slice(0, count));
    options.report({
      what: `processor time of a page, pages a second: ${count === 1 ? "one process" : `${count} processes`}`,
      value: `${cost.toFixed(1)} ms, ${Math.round(rate)}`,
    });
  }
}
