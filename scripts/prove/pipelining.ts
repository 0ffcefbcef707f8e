/** One client sends thousands of requests without waiting for a response, on one connection and, as behind a proxy of HTTP/2, on many. */
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../tests/setup/server.ts";
import { bookedId, Clients } from "./product/clients.ts";
import { atShare, below, countOf, indian, ms, none } from "./product/figures.ts";
import { BEHIND_PROXY, compare, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const AT_ONCE = 2_000;
/** A proxy opens a connection for each stream. */
const STREAMS = 250;
const ATTACKER = "203.0.113.66";
const EVERY = 100;

const proof: Proof = {
  title: `A visitor sends ${indian(AT_ONCE)} GET of a list that is not cached in one write, again and again, then ${STREAMS} at once on connections of their own; beside it SOS every ${EVERY} ms and a booking every second, of other addresses. DEMO=0 with its two workers; attacker, clients and PostgreSQL share the machine (short form: 5 s of each).`,
  async run({ short, minutes = short ? 1 / 6 : 2, report }) {
    const port = await freePort();
    const env = { ...BEHIND_PROXY, WEB_CONCURRENCY: undefined, PORT: String(port), APP_URL: `http://localhost:${port}` };
    await withProduct({ times: 4_500, env }, async ({ server, wishes }) => {
      const clients = new Clients(port, 64);
      const until = performance.now() + minutes * 60_000;
      const half = performance.now() + minutes * 30_000;
      const [sos, booked, acknowledged, attacked]: [number[], number[], string[], number[]] = [[], [], [], []];
      let lists = 0;
      const head = (last: boolean) =>
        `GET /hospitalpages/Cards-data?q=${lists++} HTTP/1.1\r\nHost: localhost:${port}\r\nX-Forwarded-For: ${ATTACKER}\r\n${last ? "Connection: close\r\n" : ""}\r\n`;
      const write = (count: number) =>
        new Promise<void>((ok) => {
          const socket = connect(port, "127.0.0.1");
          socket.setEncoding("latin1");
          socket.on("data", (text) => {
            for (const [, status] of String(text).matchAll(/HTTP\/1\.1 (\d{3}) /g)) attacked.push(Number(status));
          });
          socket.on("error", () => undefined);
          socket.on("close", () => ok());
          socket.write(Array.from({ length: count }, (_, i) => head(i === count - 1)).join(""));
          setTimeout(() => socket.destroy(), Math.max(0, until - performance.now())).unref();
        });
      const attack = async () => {
        while (performance.now() < half) await write(AT_ONCE);
        while (performance.now() < until) await Promise.all(Array.from({ length: STREAMS }, () => write(1)));
      };
      const honest = async () => {
        const open: Promise<void>[] = [];
        for (let n = 0; performance.now() < until; n++) {
          const headers = { "x-forwarded-for": `198.18.${(n >> 8) % 256}.${n % 256}` };
          open.push(
            clients.send("GET", "/patient/emergency-contact", { headers }).then((reply) => {
              sos.push(reply.status === 200 ? reply.ms : Number.POSITIVE_INFINITY);
            }),
          );
          const wish = n % 10 === 0 ? wishes[n / 10] : undefined;
          if (wish)
            open.push(
              clients.book(wish).then((reply) => {
                booked.push(reply.status);
                const id = bookedId(reply);
                if (id) acknowledged.push(id);
              }),
            );
          await pause(EVERY);
        }
        await Promise.all(open);
      };
      await Promise.all([attack(), honest()]);
      clients.close();
      const { lost } = await compare(server.sql, acknowledged);
      const output = server.output();
      report({ what: "requests of the attacker that were answered", value: countOf(attacked) });
      report({ what: "SOS pages", value: `${indian(sos.length)}, p50 ${ms(atShare(sos, 0.5))}` });
      report(below("SOS p99", atShare(sos, 0.99), 500));
      report(none("honest bookings that did not succeed", booked.length - acknowledged.length + lost));
      report({ what: "honest bookings", value: countOf(booked) });
      report(none("workers replaced", output.split("worker replaced").length - 1));
      report(none("requests without a response", output.split("not answered").length - 1));
    });
  },
};
export default proof;
