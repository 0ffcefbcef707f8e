/** The worker process and the database are killed while patients book. Every acknowledged booking must be there afterwards, once. */
import { setTimeout as pause } from "node:timers/promises";
import { familyOf } from "../processes.ts";
import { bookedId, Clients } from "./product/clients.ts";
import { atShare, below, countOf, ms, none } from "./product/figures.ts";
import { withOwnDatabase } from "./product/own-database.ts";
import { compare, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const CLIENTS = 16;
/** Bookings between two kills. */
const BETWEEN = 15;
const READY = 5_000;

const proof: Proof = {
  title: `${CLIENTS} clients book while the worker process and PostgreSQL are killed with SIGKILL in turn. A client without a response sends the same form again. PostgreSQL is durable (fsync).`,
  async run({ short, report }) {
    const kills = short ? 2 : 50;
    await withOwnDatabase((database) =>
      withProduct({ times: kills * BETWEEN * 4 + 2_000, env: { DEMO: "1" } }, async ({ server, wishes }) => {
        const clients = new Clients(server.port, CLIENTS + 2);
        const acknowledged: string[] = [];
        const statuses: number[] = [];
        const back: { what: string; ms: number }[] = [];
        let over = false;
        let next = 0;
        const booking = Array.from({ length: CLIENTS }, async () => {
          while (!over && next < wishes.length) {
            const wish = wishes[next++]!;
            for (let tries = 0; tries < 60; tries++) {
              const reply = await clients.book(wish);
              statuses.push(reply.status);
              const id = bookedId(reply);
              if (id) acknowledged.push(id);
              // Not acknowledged: the same form again.
              if (id || (reply.status > 0 && reply.status < 500 && reply.status !== 429)) break;
              await pause(100);
            }
          }
        });
        const ready = async () => (await clients.get("/readyz")).status === 200;
        const from = performance.now();
        for (let kill = 0; kill < kills; kill++) {
          const reached = acknowledged.length + BETWEEN;
          while (acknowledged.length < reached && performance.now() - from < 20 * 60_000) await pause(20);
          const process_ = kill % 2 === 0;
          const worker = familyOf(server.pid)[1]!;
          if (process_) process.kill(worker, "SIGKILL");
          else {
            database.kill();
            await database.start();
          }
          const began = performance.now();
          await pause(20);
          while (!(await ready()) && performance.now() - began < 60_000) await pause(20);
          back.push({ what: process_ ? "process" : "database", ms: performance.now() - began });
        }
        over = true;
        await Promise.all(booking);
        clients.close();
        const { lost, twice, stored } = await compare(server.sql, acknowledged);
        report({ what: "kills", value: countOf(back.map(({ what }) => what)) });
        report({ what: "acknowledged bookings, in the database", value: `${new Set(acknowledged).size}, ${stored}` });
        report(none("acknowledged bookings lost", lost));
        report(none("times booked twice", twice));
        report(none("bookings in the database that were never acknowledged", stored - new Set(acknowledged).size));
        report({ what: "statuses (0: none)", value: countOf(statuses), detail: true });
        for (const what of ["process", "database"]) {
          const times = back.filter((one) => one.what === what).map((one) => one.ms);
          report({ what: `${what}: ready again, p50`, value: ms(atShare(times, 0.5)) });
          report(below(`${what}: ready again, slowest`, Math.max(...times), READY));
        }
      }),
    );
  },
};
export default proof;
