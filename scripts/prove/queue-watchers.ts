/** Phones that watch one session at /q/{code} as its script does, while the desk calls one patient after the other. */
import { Agent, get as request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { addEntry } from "#app/domains/waiting-room/queue/add-entry.server.ts";
import { newPhone } from "../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../tests/factories/queues.ts";
import { loginAs } from "../../tests/setup/people.ts";
import { startServer } from "../../tests/setup/server.ts";
import type { Proof } from "./proof.ts";

const WATCHERS = 500;
/** As in the script of the page. */
const ASKS_EVERY = 1500;
/** Between two calls, so that every phone can have seen the one before. */
const BETWEEN = 4000;

type Watcher = { code: string; tag: string; seen: string; at: number; asked: number; failed: number };

const proof: Proof = {
  title: `${WATCHERS} phones without a login watch one session at /q, each its own token, and ask every ${ASKS_EVERY / 1000} s. A delay is from the answer to the desk's press until a phone has the page with the new number.`,
  async run({ short, report }) {
    const calls = short ? 5 : 20;
    const server = await startServer({ seed: false });
    const agent = new Agent({ keepAlive: true, maxSockets: WATCHERS });
    let over = false;
    try {
      const { doctor, reception } = await makeClinic(server.db);
      const session = await makeSession(server.db, doctor.id);
      const now = new Date();
      const made = await server.db.transaction(async (db) => {
        const entries = [];
        for (let i = 0; i < WATCHERS + calls; i++)
          entries.push(
            await addEntry({ db, actor: null, now, integrations: {} as never, requestId: "proof", ip: "" } as never, {
              session: { id: session, doctorId: doctor.id },
              kind: "walk-in",
              state: "arrived",
              name: `Patient ${i}`,
              phone: newPhone(),
              dueAt: now,
            }),
          );
        return entries;
      });
      const [user] = await server.sql<{ email: string }[]>`select email from users where id = ${reception.userId}`;
      const desk = await loginAs(server, { role: "staff", email: user!.email });
      const watchers = made.slice(calls).map(({ code }): Watcher => ({ code, tag: "", seen: "", at: 0, asked: 0, failed: 0 }));
      const ask = (one: Watcher) =>
        new Promise<void>((done) => {
          one.asked++;
          const failed = () => {
            one.failed++;
            done();
          };
          request(`${server.url}/q/${one.code}`, { agent, headers: one.tag ? { "if-none-match": one.tag } : {} }, (answer) => {
            let text = "";
            answer.setEncoding("utf8").on("data", (part: string) => {
              text += part;
            });
            answer.on("end", () => {
              if (answer.statusCode === 200) {
                one.tag = answer.headers.etag ?? "";
                const seen = /Now seeing<b>([^<]*)/.exec(text)?.[1] ?? "";
                if (seen !== one.seen) Object.assign(one, { seen, at: performance.now() });
              } else if (answer.statusCode !== 304) one.failed++;
              done();
            });
          }).on("error", failed);
        });
      const began = performance.now();
      const running = watchers.map(async (one, i) => {
        await pause((i * ASKS_EVERY) / WATCHERS);
        while (!over) {
          await ask(one);
          await pause(ASKS_EVERY);
        }
      });
      await pause(BETWEEN);
      const delays: number[] = [];
      let missed = 0;
      for (const { id, number } of made.slice(0, calls)) {
        const answer = await desk.post("/desk/queue", { intent: "call", sessionId: session, entryId: id });
        if (answer.status !== 303) throw new Error(`the call of ${number} was answered ${answer.status}`);
        const pressed = performance.now();
        await pause(BETWEEN);
        for (const one of watchers)
          if (one.seen === String(number)) delays.push(Math.max(0, one.at - pressed));
          else missed++;
      }
      over = true;
      await Promise.all(running);
      const sorted = delays.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
      const ms = (value: number) => `${Math.round(value)} ms`;
      const asked = watchers.reduce((sum, one) => sum + one.asked, 0);
      const failed = watchers.reduce((sum, one) => sum + one.failed, 0);
      report({ what: "calls × phones", value: `${calls} × ${WATCHERS}` });
      report({ what: "requests a second", value: Math.round(asked / ((performance.now() - began) / 1000)).toString() });
      report({ what: "until the page is there: median", value: ms(at(0.5)) });
      report({ what: "until the page is there: p95", value: ms(at(0.95)), target: "≤ 2 s", met: at(0.95) <= 2000 });
      report({ what: "until the page is there: longest", value: ms(at(1)) });
      report({ what: "phones that missed a change", value: String(missed), target: "0", met: missed === 0 });
      report({ what: "failed requests", value: String(failed), target: "0", met: failed === 0 });
    } finally {
      over = true;
      agent.destroy();
      await server.stop();
    }
  },
};
export default proof;
