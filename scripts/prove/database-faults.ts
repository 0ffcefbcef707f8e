/** The database is restarted, frozen, cut off and out of disk while patients book and read. */
import { setTimeout as pause } from "node:timers/promises";
import { proxyDatabase } from "../../tests/mocks/database-proxy.ts";
import { asApplication, urlOf } from "../../tests/setup/database.ts";
import { residentOf } from "../processes.ts";
import { bookedId, Clients, type Reply } from "./product/clients.ts";
import { below, countOf, indian, ms, none } from "./product/figures.ts";
import { type OwnDatabase, withOwnDatabase } from "./product/own-database.ts";
import { compare, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const CLIENTS = 16;
/** Between two requests of a client. */
const BETWEEN = 40;
const REFUSED = 4_000;
const BACK = 3_000;
/** Memory that is still flat: caches fill and the garbage collector takes its time. */
const FLAT_MB = 100;

const proof: Proof = {
  title: `${CLIENTS} clients book and read while PostgreSQL is restarted 10 times, frozen for 30 s (SIGSTOP), cut off for 10 s and out of disk for 10 s (short form: restarted once, then 5, 3 and 3 s; memory without a target, because its caches are not full yet). Back: from the moment at which the database is there again until a new booking is acknowledged.`,
  async run({ short, report }) {
    const restarts = short ? 1 : 10;
    const [settled, frozen, cut, full] = short ? [2_000, 5_000, 3_000, 3_000] : [30_000, 30_000, 10_000, 10_000];
    await withOwnDatabase(async (database) => {
      const close: (() => Promise<unknown>)[] = [];
      const env = async (address: Parameters<typeof asApplication>[0]) => {
        const proxy = await proxyDatabase(asApplication(address));
        close.push(proxy.stop);
        cutting = proxy;
        return { DATABASE_URL: urlOf(proxy.address) };
      };
      let cutting: Awaited<ReturnType<typeof proxyDatabase>>;
      await withProduct({ times: short ? 15_000 : 60_000, env }, async ({ server, wishes, cookies }) => {
        const load = startLoad(new Clients(server.port, CLIENTS + 2), wishes, cookies);
        await pause(settled);
        const resident = () => residentOf(server.pid);
        const before = resident();
        let most = before;
        const watching = setInterval(() => {
          most = Math.max(most, resident());
        }, 200);
        const replaced = () => server.logs().filter(({ msg }) => msg === "worker replaced").length;
        /** Runs a fault, reports what the clients saw. `heal` resolves once the database is there again. */
        const suffer = async (what: string, times: number, harm: () => Promise<() => Promise<void>>) => {
          const back: number[] = [];
          const replacedBefore = replaced();
          load.replies.length = 0;
          for (let i = 0; i < times; i++) {
            const heal = await harm();
            await heal();
            const began = performance.now();
            while (!(await load.isBack()) && performance.now() - began < 60_000) await pause(20);
            back.push(performance.now() - began);
            if (times > 1) await pause(short ? 500 : 2_000);
          }
          const refused = load.replies.filter(({ status }) => status >= 500);
          report({ what: `${what}: statuses (0: none)`, value: countOf(load.replies.map(({ status }) => status)), detail: true });
          report(none(`${what}: answers of 5xx other than 503, or none`, load.replies.filter(isWrong).length));
          const slowest = (replies: readonly Reply[]) => Math.max(0, ...replies.map((reply) => reply.ms));
          report(below(`${what}: slowest 503`, slowest(refused), REFUSED));
          report(none(`${what}: workers replaced`, replaced() - replacedBefore));
          if (replaced() > replacedBefore) console.error(server.output().slice(-10_000));
          report({ what: `${what}: slowest of all answers`, value: ms(slowest(load.replies)), detail: true });
          report(below(`${what}: back, slowest of ${times}`, Math.max(...back), BACK));
        };
        await suffer("restarted", restarts, async () => {
          await database.stop();
          return () => database.start();
        });
        await suffer("frozen", 1, async () => {
          const thaw = database.freeze();
          await pause(frozen);
          return async () => thaw();
        });
        await suffer("cut off", 1, async () => {
          await cutting.disconnect();
          await pause(cut);
          return () => cutting.giveBack();
        });
        const disk = await smallDisk(database);
        if (!disk) report({ what: "disk full", value: "not measured: this user must not mount a small disk" });
        else
          await suffer("disk full", 1, async () => {
            disk.fill();
            await pause(full);
            return async () => {
              disk.free();
              await database.start();
            };
          });
        clearInterval(watching);
        const after = resident();
        const acknowledged = await load.stop();
        const { lost, twice, stored } = await compare(server.sql, acknowledged);
        report({ what: "acknowledged bookings, in the database", value: `${indian(acknowledged.length)}, ${indian(stored)}` });
        report(none("acknowledged bookings lost", lost));
        report(none("times booked twice", twice));
        report({ what: "memory before, at the most, after", value: [before, most, after].map((mb) => `${mb.toFixed(0)} MB`).join(", ") });
        const rise = { what: "memory: rise at the most", value: `${(most - before).toFixed(0)} MB` };
        report(short ? rise : { ...rise, target: `< ${FLAT_MB} MB`, met: most - before < FLAT_MB });
      });
      for (const end of close) await end();
    });
  },
};
export default proof;

const isWrong = ({ status }: Reply) => status === 0 || (status >= 500 && status !== 503);

/** Waits until the database that was moved answers again. */
async function smallDisk(database: OwnDatabase) {
  const disk = await database.onSmallDisk();
  if (disk) await pause(3_000);
  return disk;
}

/** Clients that book and read until `stop`, which returns the ids of the acknowledged bookings. */
function startLoad(clients: Clients, wishes: readonly Parameters<Clients["book"]>[0][], cookies: readonly string[]) {
  const replies: Reply[] = [];
  const acknowledged = new Set<string>();
  let over = false;
  let next = 0;
  const book = async (): Promise<Reply> => {
    const reply = await clients.book(wishes[next++ % wishes.length]!);
    const id = bookedId(reply);
    if (id) acknowledged.add(id);
    return reply;
  };
  const running = Array.from({ length: CLIENTS }, async (_, i) => {
    while (!over) {
      replies.push(await (i % 2 ? book() : clients.get("/patient-dashboard", cookies[i % cookies.length])));
      await pause(BETWEEN);
    }
  });
  return {
    replies,
    /** Whether a new booking is acknowledged. */
    isBack: async () => bookedId(await book()) !== null,
    async stop(): Promise<string[]> {
      over = true;
      await Promise.all(running);
      clients.close();
      return [...acknowledged];
    },
  };
}
