/** SMS of patients through the signed webhook, answered through a local provider, beside visitors who load pages. */
import { setTimeout as pause } from "node:timers/promises";
import { httpStub } from "../../tests/mocks/http-stub.ts";
import { freePort } from "../../tests/setup/server.ts";
import { Clients } from "./product/clients.ts";
import { atShare, below, indian, none } from "./product/figures.ts";
import { BEHIND_PROXY, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const PER_SECOND = 200;
const MINUTES = 10;
/** Messages of a number in the whole run: fewer than a flood. */
const PER_PHONE = 30;
const SECRET = "secret-of-the-proof-that-is-long-enough";
const WEBHOOK = "/webhooks/message/msg91";
const headers = { "x-nadi-secret": SECRET, "x-forwarded-for": "10.1.1.1", "x-forwarded-proto": "http" };
const VISITOR = { "x-forwarded-for": "10.2.2.2", "x-forwarded-proto": "http" };
/** The processes have just started: in these first seconds the rate grows. */
const GROWS = 10;
/** Each has one answer. */
const WORDS = ["HI", "1", "WHEN", "TOKEN", "HELP", "TELUGU", "ADDRESS"];
/** Answers may come this long after the last message. */
const PATIENCE = 60_000;
/** A provider reports again what was not answered with 200, after a wait that doubles. */
const BACK_OFF = { first: 500, most: 8_000 };

const proof: Proof = {
  title: `${PER_SECOND} SMS a second, fewer in the first ${GROWS} seconds, through the signed webhook, each reported twice, and again until it is answered with 200, beside 5 pages of visitors a second. Each number writes at most ${PER_PHONE}. Two workers (short form: 20 a second for 10 s).`,
  async run({ short, minutes = MINUTES, report }) {
    const [perSecond, seconds] = short ? [20, 10] : [PER_SECOND, minutes * 60];
    const all = dueAfter(seconds, perSecond);
    const phones = Math.ceil(all / Math.min(PER_PHONE, seconds));
    const answers = new Map<string, number[]>();
    await using provider = await httpStub(({ body }) => {
      const { recipients } = JSON.parse(String(body)) as { recipients: [{ mobiles: string }] };
      const times = answers.get(recipients[0].mobiles) ?? [];
      answers.set(recipients[0].mobiles, [...times, performance.now()]);
      return { body: '{"type":"success"}' };
    });
    const port = await freePort();
    const env = {
      ...BEHIND_PROXY,
      ...{ MSG91_BASE_URL: provider.url, SMS_INBOUND: "1", MESSAGE_ANSWERS_PER_MINUTE: "1000000", MSG91_INBOUND_SECRET: SECRET },
      ...{ PORT: String(port), APP_URL: `http://localhost:${port}`, LOG_LEVEL: "error", WEB_CONCURRENCY: "2" },
    };
    await withProduct({ times: 15, env }, async ({ server }) => {
      const clients = new Clients(server.port, 512);
      const sent = new Map<string, number[]>();
      let repeated = 0;
      const post = async (n: number): Promise<void> => {
        const mobile = `917${String(n % phones).padStart(9, "0")}`;
        const body = JSON.stringify({ id: `proof-${n}`, mobile, message: WORDS[Math.floor(n / phones) % WORDS.length] });
        sent.set(mobile, [...(sent.get(mobile) ?? []), performance.now()]);
        for (let report = 0; report < 2; report++)
          for (
            let wait = BACK_OFF.first;
            (await clients.send("POST", WEBHOOK, { body, type: "application/json", headers })).status !== 200;
          ) {
            repeated++;
            await pause(wait * (0.5 + Math.random()));
            wait = Math.min(wait * 2, BACK_OFF.most);
          }
      };
      const pages: number[] = [];
      const page = async (): Promise<void> => {
        const { status, ms } = await clients.send("GET", "/doctorspages/Cards-data", { headers: VISITOR });
        pages.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
      };
      const began = performance.now();
      const running: Promise<void>[] = [];
      for (let n = 0, shown = 0; n < all; ) {
        const due = Math.min(all, dueAfter((performance.now() - began) / 1000, perSecond));
        for (; n < due; n++) running.push(post(n));
        for (; shown < ((performance.now() - began) / 1000) * 5; shown++) running.push(page());
        await pause(5);
      }
      await Promise.all(running);
      const count = () => [...answers.values()].reduce((sum, times) => sum + times.length, 0);
      const until = performance.now() + PATIENCE;
      while (count() < all && performance.now() < until) await pause(100);
      await pause(1_000);

      const waits = [...sent].flatMap(([mobile, times]) =>
        times.map((at, i) => (answers.get(mobile)?.[i] ?? Number.POSITIVE_INFINITY) - at),
      );
      const lost = waits.filter((wait) => wait === Number.POSITIVE_INFINITY).length;
      const twice = [...answers].reduce((sum, [mobile, times]) => sum + Math.max(0, times.length - (sent.get(mobile)?.length ?? 0)), 0);
      clients.close();
      report({ what: `messages in ${seconds} s, each reported twice`, value: `${indian(all)} of ${indian(phones)} numbers` });
      report({ what: "reports that were not answered with 200, and came again", value: indian(repeated) });
      report(none("messages without an answer", lost));
      report(none("answers too many", twice));
      report(below("from the message to its answer at the provider, p95", atShare(waits, 0.95), 3_000));
      report(below("pages of visitors beside it, p95", atShare(pages, 0.95), 1_000));
    });
  },
};
/** Returns how many messages are sent in the first seconds of a run. */
const dueAfter = (seconds: number, perSecond: number): number =>
  Math.floor(perSecond * (seconds < GROWS ? seconds ** 2 / (2 * GROWS) : seconds - GROWS / 2)) + 1;

export default proof;
