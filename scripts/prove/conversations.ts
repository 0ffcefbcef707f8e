/** SMS of patients through the signed webhook, answered through a local provider, beside visitors who load pages. */
import { setTimeout as pause } from "node:timers/promises";
import { httpStub } from "../../tests/mocks/http-stub.ts";
import { freePort } from "../../tests/setup/server.ts";
import { atShare, below, indian, none } from "./product/figures.ts";
import { BEHIND_PROXY, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const PER_SECOND = 200;
const MINUTES = 10;
/** Messages of a number in the whole run: fewer than a flood. */
const PER_PHONE = 30;
const SECRET = "secret-of-the-proof-that-is-long-enough";
/** Each has one answer. */
const WORDS = ["HI", "1", "WHEN", "TOKEN", "HELP", "TELUGU", "ADDRESS"];
/** Answers may come this long after the last message. */
const PATIENCE = 60_000;

const proof: Proof = {
  title: `${PER_SECOND} SMS a second for ${MINUTES} minutes through the signed webhook, each from one of ${indian((PER_SECOND * 60 * MINUTES) / PER_PHONE)} numbers and reported twice, beside 5 pages of visitors a second. Two workers (short form: 20 a second for 10 s).`,
  async run({ short, minutes = MINUTES, report }) {
    const [perSecond, seconds] = short ? [20, 10] : [PER_SECOND, minutes * 60];
    const phones = Math.ceil((perSecond * seconds) / Math.min(PER_PHONE, seconds));
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
      const sent = new Map<string, number[]>();
      let refused = 0;
      const post = async (n: number): Promise<void> => {
        const mobile = `917${String(n % phones).padStart(9, "0")}`;
        const body = JSON.stringify({ id: `proof-${n}`, mobile, message: WORDS[Math.floor(n / phones) % WORDS.length] });
        sent.set(mobile, [...(sent.get(mobile) ?? []), performance.now()]);
        for (let again = 0; again < 2; again++) {
          const answer = await fetch(`${server.url}/webhooks/message/msg91`, {
            method: "POST",
            headers: {
              "content-type": "application/json",
              "x-nadi-secret": SECRET,
              "x-forwarded-for": "10.1.1.1",
              "x-forwarded-proto": "http",
            },
            body,
          });
          if (answer.status !== 200) refused++;
          await answer.arrayBuffer();
        }
      };
      const pages: number[] = [];
      const page = async (): Promise<void> => {
        const began = performance.now();
        await (await fetch(`${server.url}/doctorspages/Cards-data`, { headers: { "x-forwarded-for": "10.2.2.2" } })).arrayBuffer();
        pages.push(performance.now() - began);
      };
      const began = performance.now();
      const running: Promise<void>[] = [];
      const all = perSecond * seconds;
      for (let n = 0, shown = 0; n < all; ) {
        const due = Math.min(all, Math.floor(((performance.now() - began) / 1000) * perSecond) + 1);
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
      report({ what: "messages, each reported twice", value: indian(all) });
      report(none("webhooks that were not answered with 200", refused));
      report(none("messages without an answer", lost));
      report(none("answers too many", twice));
      report(below("from the message to its answer at the provider, p95", atShare(waits, 0.95), 3_000));
      report(below("pages of visitors beside it, p95", atShare(pages, 0.95), 1_000));
    });
  },
};
export default proof;
