/** Phones that watch one session at /q/{code} as its script does, while the desk calls one patient after the other. */
import { Agent, get as request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { newPhone, typed } from "../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../tests/factories/queues.ts";
import { loginAs } from "../../tests/setup/people.ts";
import { startServer, type TestServer } from "../../tests/setup/server.ts";
import type { Proof } from "./proof.ts";

const WATCHERS = 500;
/** Of the short form. */
const FEW = 60;
/** Until the first answer: the page then says how often its script asks. */
const ASKS_EVERY = 1500;
/** Between two calls, so that every phone can have seen the one before. */
const BETWEEN = 4000;
/** Without a press, before the first one. */
const IDLE = { short: 3_000, long: 20_000 };
/** How often two users who do not watch load a page. */
const READS_EVERY = 500;
/** A request that takes longer has failed, so the proof ends in any case. */
const GIVES_UP = 10_000;
/** The jobs of the arrivals come first, so that they do not count. */
const JOBS_WAIT = 90_000;

type Watcher = { code: string; tag: string; wait: number; seen: string; at: number };
type Answer = { status: number; tag: string; text: string };
/** `busy`: answers 503. `failed`: other statuses, and requests without an answer. */
type Count = { asked: number; unchanged: number; busy: number; failed: number };
const none = (): Count => ({ asked: 0, unchanged: 0, busy: 0, failed: 0 });

/** Loads a page as a phone: compressed, and not when it is unchanged. Status 0: no answer. */
const load = (agent: Agent, url: string, tag: string): Promise<Answer> =>
  new Promise((done) => {
    const gone = () => done({ status: 0, tag, text: "" });
    const headers = { "accept-encoding": "gzip, br", ...(tag && { "if-none-match": tag }) };
    const sent = request(url, { agent, headers, timeout: GIVES_UP }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", gone);
      answer.on("end", () => {
        const body = Buffer.concat(parts);
        const packed = answer.headers["content-encoding"];
        const text = packed === "br" ? brotliDecompressSync(body) : packed === "gzip" ? gunzipSync(body) : body;
        done({ status: answer.statusCode ?? 0, tag: answer.headers.etag ?? "", text: text.toString() });
      });
    });
    sent.on("timeout", () => sent.destroy(new Error("timeout")));
    sent.on("error", gone);
  });

/** Waits until the server has done the jobs that the arrivals queued. */
async function afterJobs(server: TestServer): Promise<void> {
  const until = performance.now() + JOBS_WAIT;
  while (performance.now() < until) {
    const [left] = await server.sql<{ n: number }[]>`
      select count(*)::int as n from pgboss.job where name = 'queue-estimate' and state in ('created', 'retry', 'active')`;
    if (!left?.n) return;
    await pause(500);
  }
}

const proof: Proof = {
  title: `${WATCHERS} phones without a login watch one session at /q, each its own token, and ask as often as the page's script. A delay is from the desk's press until a phone has the page with the new number. Two other users load pages meanwhile.`,
  async run({ short, minutes, report }) {
    const phones = short ? FEW : WATCHERS;
    const calls = short ? 2 : minutes ? Math.max(3, Math.round((minutes * 60_000) / BETWEEN)) : 20;
    const server = await startServer({ seed: false });
    const agent = new Agent({ keepAlive: true, maxSockets: phones });
    let over = false;
    try {
      const { doctor, reception } = await makeClinic(server.db);
      const session = await makeSession(server.db, doctor.id);
      const [user] = await server.sql<{ email: string }[]>`select email from users where id = ${reception.userId}`;
      const desk = await loginAs(server, { role: "staff", email: user!.email });
      // As reception gives them: tokens of walk-ins.
      for (let i = 0; i < phones + calls; i++) {
        const form = { intent: "add", sessionId: session, phone: typed(newPhone()), name: `Patient ${i}`, formKey: `proof-key-${i}` };
        const { status } = await desk.post("/desk/queue", form);
        if (status !== 303) throw new Error(`The token of patient ${i} was answered ${status}.`);
      }
      const made = await server.sql<{ id: string; number: number; code: string }[]>`
        select id, number, code from queue_entries where session_id = ${session} order by number`;
      await afterJobs(server);

      const readers = [
        { what: "the desk's queue", get: () => desk.get("/desk/queue") },
        { what: "a visitor's page", get: () => fetch(`${server.url}/doctorspages/Cards-data?category=General`) },
      ].map((reader) => ({ ...reader, took: [] as number[], refused: 0 }));
      const readAll = async (times: number) => {
        for (let i = 0; i < times && !over; i++)
          for (const reader of readers) {
            const began = performance.now();
            const { status } = await reader.get();
            reader.took.push(performance.now() - began);
            if (status !== 200) reader.refused++;
            await pause(READS_EVERY / readers.length);
          }
      };
      // Before anyone watches.
      await readAll(10);
      const alone = readers.map(({ took }) => took.splice(0));

      const watchers = made.slice(calls).map(({ code }): Watcher => ({ code, tag: "", wait: ASKS_EVERY, seen: "", at: 0 }));
      let count = none();
      const ask = async (one: Watcher) => {
        const mine = count;
        mine.asked++;
        const { status, tag, text } = await load(agent, `${server.url}/q/${one.code}`, one.tag);
        if (status === 304) mine.unchanged++;
        else if (status === 503) mine.busy++;
        else if (status !== 200) mine.failed++;
        else {
          one.tag = tag;
          one.wait = Number(/data-wait="(\d+)"/.exec(text)?.[1]);
          if (!(one.wait >= 500)) throw new Error("The page does not say how often it asks.");
          const seen = /Now seeing<b>([^<]*)/.exec(text)?.[1] ?? "";
          if (seen !== one.seen) Object.assign(one, { seen, at: performance.now() });
        }
      };
      const running = watchers.map(async (one, i) => {
        await pause((i * ASKS_EVERY) / phones);
        while (!over) {
          await ask(one);
          await pause(one.wait);
        }
      });
      const stopped = Promise.all(running);
      // Fails below, also when it fails before.
      stopped.catch(() => {
        over = true;
      });
      await pause(2 * ASKS_EVERY);

      count = none();
      const idle = short ? IDLE.short : IDLE.long;
      await Promise.all([pause(idle), readAll(idle / READS_EVERY)]);
      const quiet = count;
      count = none();
      const reading = readAll(Number.POSITIVE_INFINITY);
      const delays: number[] = [];
      let missed = 0;
      for (const { id, number } of made.slice(0, calls)) {
        if (over) break;
        const pressed = performance.now();
        const answer = await desk.post("/desk/queue", { intent: "call", sessionId: session, entryId: id });
        if (answer.status !== 303) throw new Error(`The call of ${number} was answered ${answer.status}.`);
        await pause(BETWEEN);
        for (const one of watchers)
          if (one.seen === String(number)) delays.push(Math.max(0, one.at - pressed));
          else missed++;
      }
      over = true;
      await Promise.all([stopped, reading]);

      const at = (values: number[], share: number) => {
        const sorted = values.toSorted((a, b) => a - b);
        return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
      };
      const ms = (value: number) => `${Math.round(value)} ms`;
      const late = delays.filter((delay) => delay > 2000).length;
      report({ what: "calls × phones", value: `${calls} × ${phones}` });
      report({
        what: "requests a second without a press",
        value: `${Math.round(quiet.asked / (idle / 1000))}, ${quiet.unchanged} of ${quiet.asked} unchanged`,
      });
      const waits = [...new Set(watchers.map(({ wait }) => wait / 1000))].toSorted((a, b) => a - b);
      report({ what: "a phone asks every", value: `${waits.join(" or ")} s`, detail: true });
      report({ what: "answers 503 without a press", value: String(quiet.busy), target: "0", met: quiet.busy === 0 });
      report({ what: "answers 503 during the calls", value: String(count.busy), target: "0", met: count.busy === 0 });
      const failed = quiet.failed + count.failed;
      report({ what: "other failed requests", value: String(failed), target: "0", met: failed === 0 });
      report({ what: "from the press until the page is there: median", value: ms(at(delays, 0.5)) });
      report({
        what: "from the press until the page is there: p95",
        value: ms(at(delays, 0.95)),
        target: "≤ 2 s",
        met: at(delays, 0.95) <= 2000,
        timed: true,
      });
      report({ what: "from the press until the page is there: longest", value: ms(at(delays, 1)) });
      report({ what: "pages later than 2 s", value: `${late} of ${delays.length}`, target: "0", met: late === 0, timed: true });
      report({ what: "phones that missed a change", value: String(missed), target: "0", met: missed === 0 });
      for (const [i, { what, took, refused }] of readers.entries()) {
        report({ what: `${what}, before anyone watches: p95`, value: ms(at(alone[i]!, 0.95)), detail: true });
        report({ what: `${what}, meanwhile: p95`, value: ms(at(took, 0.95)), target: "≤ 1 s", met: at(took, 0.95) <= 1000, timed: true });
        report({
          what: `${what}, meanwhile: answers other than 200`,
          value: `${refused} of ${took.length}`,
          target: "0",
          met: refused === 0,
        });
      }
    } finally {
      over = true;
      agent.destroy();
      await server.stop();
    }
  },
};
export default proof;
