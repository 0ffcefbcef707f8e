/** SIGTERM while patients book and read: each request that a process accepted is answered, then the process ends. */
import { setTimeout as pause } from "node:timers/promises";
import { freePort, startServer } from "../../tests/setup/server.ts";
import { bookedId, Clients, type Reply } from "./product/clients.ts";
import { below, countOf, ms, none } from "./product/figures.ts";
import { BEHIND_PROXY, compare, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const CLIENTS = 16;
/** Answered requests before the signal. */
const WARM = 40;

const proof: Proof = {
  title: `A process gets SIGTERM while ${CLIENTS} clients book and read. As a proxy does, they ask /readyz every 500 ms and send nothing more after a 503.`,
  async run({ short, report }) {
    const stops = short ? 1 : 20;
    const settings = async () => {
      const port = await freePort();
      return { ...BEHIND_PROXY, PORT: String(port), APP_URL: `http://localhost:${port}`, LOG_LEVEL: "warn" };
    };
    await withProduct({ times: stops * 1_500, env: await settings() }, async ({ server: first, database, wishes, cookies }) => {
      const [acknowledged, failed, statuses, exits, codes]: [string[], string[], number[], number[], string[]] = [[], [], [], [], []];
      const start = async () => startServer({ database, env: await settings() });
      let next = 0;
      for (let stop = 0; stop < stops; stop++) {
        const server = stop === 0 ? first : await start();
        const clients = new Clients(server.port, CLIENTS * 2, { keepAlive: false });
        let answered = 0;
        let over = false;
        const note = (reply: Reply) => {
          if (reply.status === 0) failed.push(reply.failed);
          else statuses.push(reply.status);
          answered++;
        };
        const load = Array.from({ length: CLIENTS }, async (_, i) => {
          while (!over) {
            const reply =
              i % 2
                ? await clients.book(wishes[next++ % wishes.length]!)
                : await clients.get("/patient-dashboard", cookies[i % cookies.length]);
            const id = bookedId(reply);
            if (id) acknowledged.push(id);
            note(reply);
          }
        });
        const health = new Clients(server.port, 1);
        const asking = (async () => {
          while ((await health.get("/readyz")).status === 200) await pause(500);
          over = true;
          health.close();
        })();
        while (answered < WARM) await pause(5);
        const began = performance.now();
        const { code, signal } = await server.stop();
        exits.push(performance.now() - began);
        codes.push(signal ?? String(code));
        await Promise.all([...load, asking]);
        clients.close();
      }
      const again = await start();
      const { lost, twice, stored } = await compare(again.sql, acknowledged).finally(() => again.stop());
      report({ what: "stops, exit codes", value: `${stops}, ${countOf(codes)}` });
      report({ what: "requests by status", value: countOf(statuses), detail: true });
      report({ ...none("requests in flight that failed", failed.length), ...(failed.length > 0 && { value: countOf(failed) }) });
      report(none("answers of 5xx", statuses.filter((status) => status >= 500).length));
      report(none("acknowledged bookings lost, or times booked twice", lost + twice));
      report(none("bookings in the database without an answer", stored - new Set(acknowledged).size));
      report(below("slowest exit", Math.max(...exits), 5_000, ms));
    });
  },
};
export default proof;
