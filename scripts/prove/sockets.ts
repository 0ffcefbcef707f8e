/** Open pages with a socket each: how long they take to connect, what they cost, how late events arrive, and a reconnect storm. */
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../tests/setup/server.ts";
import { openSessions } from "../bench/world.ts";
import { residentOf } from "../processes.ts";
import { Clients, type Reply } from "./product/clients.ts";
import { atShare, below, countOf, indian, ms, none } from "./product/figures.ts";
import { now, Phones } from "./product/phones.ts";
import { BEHIND_PROXY, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const SOCKETS = 10_000;
const FEW = 1_000;
const AT_ONCE = 100;
/** Events a second to single users, after the one to all. */
const EVENTS = 200;
const PAGES = 10;
const SECONDS_UP = 60;
const KB = 40;
const DELIVERY = 1_000;
const PAGE = 500;
/** Sessions that end while their sockets are open. The server checks all of them every 15 s. */
const ENDED = 100;
const CHECKED = 35_000;

const proof: Proof = {
  title: `${indian(SOCKETS)} sockets of as many users behind a proxy, each with its session checked (short form: ${indian(FEW)}, memory without a target, because the server's own part is too large). One event to each of them in one transaction, then ${EVENTS} a second to single ones, through the outbox. Then all connections break at once, and reconnect 1 to 5 s later. ${PAGES} pages a second meanwhile.`,
  async run({ short, report }) {
    const count = short ? FEW : SOCKETS;
    const port = await freePort();
    const env = { ...BEHIND_PROXY, PORT: String(port), APP_URL: `http://localhost:${port}` };
    await withProduct({ times: 1_500, env }, async ({ server, wishes, cookies }) => {
      const { sql } = server;
      const users = await sql<{ id: string }[]>`
        insert into users (role, phone) select 'patient', '+917' || lpad(n::text, 9, '0') from generate_series(1, ${count}::int) n returning id`;
      const ids = users.map(({ id }) => id);
      await sql`insert into patients (id) select id from users where phone like '+917%'`;
      const sessions = await openSessions(sql, ids);
      await sql`analyze`;
      const phones = new Phones();
      const pages = startPages(new Clients(port, 32), wishes, cookies);
      try {
        await pause(short ? 1_000 : 10_000);
        pages.take();
        const resident = residentOf(server.pid);

        const began = performance.now();
        const up = await phones.open(
          port,
          sessions.map((cookie, i) => ({ cookie, address: `100.64.${i >> 8}.${i & 255}` })),
          AT_ONCE,
        );
        const seconds = (performance.now() - began) / 1000;
        report({ what: "sockets", value: `${indian(up.connected)} of ${indian(count)}, ${AT_ONCE} at once` });
        report(none("sockets that were not connected", count - up.connected));
        if (Object.keys(up.refused).length) report({ what: "refused at first", value: JSON.stringify(up.refused) });
        report(below("up in", seconds, SECONDS_UP, (n) => `${n.toFixed(1)} s`));
        // Two checks of all sessions.
        await pause(short ? 3_000 : CHECKED);
        const each = ((residentOf(server.pid) - resident) * 1024) / count;
        const memory = { what: "memory of each", value: `${each.toFixed(1)} kB` };
        report(short ? memory : { ...memory, target: `≤ ${KB} kB`, met: each <= KB });
        report(pageFigure("pages while they connect and are checked", pages.take()));

        const toAll = now();
        await sql`
          insert into live_events (channel, payload)
          select 'nadi_events', json_build_object('userId', id, 'event', 'receiveNotification', 'data', ${eventAt(toAll)}::json)::text
          from unnest(${ids}::uuid[]) as id`;
        const all = await gather(phones, count);
        report(none("one event to each: not delivered", count - all.length));
        report({ what: "one event to each: p50, the last", value: `${ms(atShare(all, 0.5))}, ${ms(Math.max(...all))}` });
        report(below("one event to each: delivery, p99", atShare(all, 0.99), DELIVERY));

        const wanted = EVENTS * (short ? 5 : 30);
        for (let sent = 0, from = performance.now(); sent < wanted; await pause(20)) {
          const due = Math.min(wanted, Math.floor(((performance.now() - from) / 1000) * EVENTS));
          // In turn: PostgreSQL sends equal notifications of one transaction once, so a user may have only one of a moment.
          const to = Array.from({ length: due - sent }, (_, i) => ids[(sent + i) % count]!);
          sent = due;
          if (to.length)
            await sql`
              insert into live_events (channel, payload)
              select 'nadi_events', json_build_object('userId', id, 'event', 'receiveNotification', 'data', ${eventAt(now())}::json)::text
              from unnest(${to}::uuid[]) as id`;
        }
        const single = await gather(phones, wanted);
        report(none(`${EVENTS} events a second: not delivered`, wanted - single.length));
        report(below(`${EVENTS} events a second: delivery, p99`, atShare(single, 0.99), DELIVERY));
        report(pageFigure("pages during the events", pages.take()));

        await phones.cut();
        let back = 0;
        for (let i = 0; i < 120 && back < count; i++) {
          await pause(500);
          back = (await phones.read()).connected;
        }
        const times = (await phones.read()).back;
        report(none("reconnect storm: not back within a minute", count - back));
        const at95 =
          times.length >= count * 0.95 ? times.toSorted((a, b) => a - b)[Math.ceil(count * 0.95) - 1]! : Number.POSITIVE_INFINITY;
        report(below("reconnect storm: 95 % back in", at95 / 1000, SECONDS_UP, (n) => `${n.toFixed(1)} s`));
        report(pageFigure("pages during the storm", pages.take()));

        await sql`delete from sessions where user_id = any(${ids.slice(0, ENDED)}::uuid[])`;
        const until = performance.now() + CHECKED;
        let open = count;
        while (open > count - ENDED && performance.now() < until) {
          await pause(500);
          open = (await phones.read()).connected;
        }
        report(none(`sockets of ${ENDED} ended sessions that stayed open`, open - (count - ENDED)));
      } finally {
        await pages.stop();
        await phones.close();
      }
    });
  },
};
export default proof;

/** The data of an event of the usual length. */
const eventAt = (sentAt: number) =>
  JSON.stringify({
    sentAt,
    title: "Appointment accepted",
    message: "A message of the usual length, with a name and a date in it.",
    type: "success",
    read: false,
  });

/** Returns the delays of `count` events, or of those that came within 20 s. */
async function gather(phones: Phones, count: number): Promise<number[]> {
  const delays: number[] = [];
  for (let i = 0; i < 100 && delays.length < count; i++) {
    await pause(200);
    delays.push(...(await phones.read()).delays);
  }
  return delays;
}

const pageFigure = (what: string, replies: readonly Reply[]) => {
  const odd = replies.filter(({ status }) => status !== 200);
  const p99 = atShare(
    replies.map((reply) => reply.ms),
    0.99,
  );
  const figure = below(`${what}: p99`, p99, PAGE);
  return odd.length
    ? { ...figure, value: `${figure.value}, statuses ${countOf(odd.map(({ status }) => status))}`, met: false, timed: false }
    : figure;
};

/** Loads pages of other users at a steady rate. `take` returns the replies since the last call. */
function startPages(clients: Clients, wishes: readonly { doctorId: string }[], cookies: readonly string[]) {
  let replies: Reply[] = [];
  let n = 0;
  const pending = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const cookie = cookies[n % cookies.length]!;
    const path = n % 2 ? "/patient-dashboard" : `/details/doctor/${wishes[n % wishes.length]!.doctorId}`;
    n++;
    const one: Promise<void> = clients
      .get(path, cookie)
      .then((reply) => void replies.push(reply))
      .finally(() => pending.delete(one));
    pending.add(one);
  }, 1_000 / PAGES);
  return {
    take() {
      const taken = replies;
      replies = [];
      return taken;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      clients.close();
    },
  };
}
