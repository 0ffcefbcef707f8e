/** Open pages of many users over all processes. Redis is killed in the middle and started again. */
import { setTimeout as pause } from "node:timers/promises";
import { io, type Socket } from "socket.io-client";
import type { TestRedis } from "../../../tests/setup/redis.ts";
import type { TestServer } from "../../../tests/setup/server.ts";
import { openSessions } from "../../bench/world.ts";
import { Clients } from "../product/clients.ts";
import { atShare, countOf, indian, ms } from "../product/figures.ts";
import type { Figure } from "../proof.ts";

const AT_ONCE = 50;
const GIVES_UP = 60_000;
const SHARE = 95;

type Page = { socket: Socket; round: number; at: number; missed: number };

export async function watchSockets(
  load: { port: number; servers: readonly TestServer[]; redis: TestRedis },
  options: { sockets: number; report(figure: Figure): void },
): Promise<void> {
  const { port, servers, redis } = load;
  const { sockets, report } = options;
  const { sql } = servers[0]!;
  const users = await sql<{ id: string }[]>`
    insert into users (role, phone) select 'patient', '+917' || lpad(n::text, 9, '0') from generate_series(1, ${sockets}::int) n returning id`;
  await sql`insert into patients (id, name) select id, 'Proof Patient' from users where phone like '+917%'`;
  const cookies = await openSessions(
    sql,
    users.map(({ id }) => id),
  );
  const pages: Page[] = [];
  const clients = new Clients(port, 4);
  let over = false;
  const answers = { times: [] as number[], statuses: [] as number[] };
  try {
    const began = performance.now();
    for (let from = 0; from < sockets; from += AT_ONCE)
      pages.push(...(await Promise.all(cookies.slice(from, from + AT_ONCE).map((cookie) => open(port, cookie)))));
    report({ what: `${indian(sockets)} sockets over ${servers.length} processes, connected in`, value: ms(performance.now() - began) });

    let round = 0;
    /** Sends an event to each page. Returns how long each took; infinite for those that did not receive it. */
    const sendToAll = async () => {
      round++;
      const sent = performance.now();
      await sql`
        insert into live_events (channel, payload) select 'nadi_events', json_build_object('userId', id, 'event', 'receiveNotification',
          'data', json_build_object('_id', ${String(round)}::text, 'title', 'Appointment accepted', 'message', 'A message of the usual length.', 'type', 'success', 'read', false))::text
        from users where phone like '+917%'`;
      await waitFor(() => pages.every((page) => page.round === round));
      return pages.map((page) => (page.round === round ? page.at - sent : Number.POSITIVE_INFINITY));
    };
    const received = (what: string, times: readonly number[]) => {
      const there = times.filter(Number.isFinite);
      const share = (100 * there.length) / times.length;
      report({ what, value: `${share.toFixed(1)} %, p99 ${ms(atShare(there, 0.99))}`, target: `≥ ${SHARE} %`, met: share >= SHARE });
    };
    received("events received, through Redis", await sendToAll());

    const reading = Promise.all(
      Array.from({ length: 2 }, async (_, i) => {
        while (!over) {
          const reply = await clients.get("/patient-dashboard", cookies[i]!);
          answers.times.push(reply.ms);
          answers.statuses.push(reply.status);
          await pause(100);
        }
      }),
    );
    const missedBefore = pages.map((page) => page.missed);
    await redis.kill();
    await pause(2_000);
    received("events received while Redis is down, through PostgreSQL", await sendToAll());
    const ready = await Promise.all(servers.map(({ port: own }) => fetch(`http://127.0.0.1:${own}/readyz`).then(({ status }) => status)));
    report({
      what: "/readyz of the processes meanwhile",
      value: countOf(ready),
      target: "200",
      met: ready.every((status) => status === 200),
    });
    const back = performance.now();
    await redis.start();
    const isMissed = (page: Page, i: number) => page.missed > missedBefore[i]!;
    await waitFor(() => pages.every(isMissed));
    const share = (100 * pages.filter(isMissed).length) / pages.length;
    report({
      what: "pages asked to reload (`missed`) once Redis is back",
      value: `${share.toFixed(1)} %, the last after ${ms(performance.now() - back)}`,
      target: `≥ ${SHARE} %`,
      met: share >= SHARE,
    });
    // The relay tries Redis again every five seconds.
    await pause(6_000);
    received("events received again, through Redis", await sendToAll());
    over = true;
    await reading;
    report({ what: "pages of patients meanwhile, p95", value: `${ms(atShare(answers.times, 0.95))} of ${answers.times.length}` });
    const failed = answers.statuses.filter((status) => status !== 200).length;
    report({ what: "pages of patients that failed meanwhile", value: String(failed), target: "0", met: failed === 0 });
    const gone = pages.filter(({ socket }) => !socket.connected).length;
    report({ what: "sockets that closed", value: String(gone), target: "0", met: gone === 0 });
  } finally {
    over = true;
    for (const { socket } of pages) socket.disconnect();
    clients.close();
  }
}

async function waitFor(isDone: () => boolean): Promise<void> {
  for (const from = performance.now(); !isDone() && performance.now() - from < GIVES_UP; ) await pause(50);
}

function open(port: number, cookie: string): Promise<Page> {
  const socket = io(`http://127.0.0.1:${port}`, {
    path: "/socket.io",
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
    timeout: GIVES_UP,
    extraHeaders: { cookie, host: `localhost:${port}`, origin: `http://localhost:${port}` },
  });
  const page: Page = { socket, round: 0, at: 0, missed: 0 };
  socket.on("receiveNotification", ({ _id }: { _id: string }) => {
    page.round = Number(_id);
    page.at = performance.now();
  });
  socket.on("missed", () => page.missed++);
  return new Promise((ok, no) => {
    socket.once("connect", () => ok(page));
    socket.once("connect_error", no);
  });
}
