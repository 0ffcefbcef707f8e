/** Guessing codes of many phones from many addresses, while their owners and others log in. */
import { setTimeout as pause } from "node:timers/promises";
import { typed } from "../../tests/factories/people.ts";
import { httpStub } from "../../tests/mocks/http-stub.ts";
import { Browser } from "../../tests/setup/http.ts";
import { freePort } from "../../tests/setup/server.ts";
import { Clients } from "./product/clients.ts";
import { atShare, below, countOf, indian, ms, none } from "./product/figures.ts";
import { BEHIND_PROXY, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const PHONES = 1_000;
const ADDRESSES = 50;
const AT_ONCE = 16;
/** Milliseconds between two honest logins. */
const LOGIN_EVERY = 500;
/** Owners of attacked phones who have logged in from their device before. */
const OWNERS = 60;
/** What happens by chance less often than this is no chance. */
const RARE = 0.001;

const proof: Proof = {
  title: `1,00,000 guesses of codes over ${indian(PHONES)} phones from ${ADDRESSES} addresses (short form: 1,000), ${AT_ONCE} at once. The attacker asks for codes of these phones. Each ${LOGIN_EVERY} ms an honest login: in turn the owner of an attacked phone from a known device, and a new device of another phone, without the wait of a crowded minute that the page announces (short form: such a login ends there).`,
  async run({ short, report }) {
    const guesses = short ? 1_000 : 100_000;
    await using sms = await httpStub(() => ({ body: '{"type":"success"}' }));
    /** Codes by phone, as the provider sees them: honest users read theirs. */
    const codeOf = (phone: string) => {
      for (const { body } of sms.seen.splice(0)) {
        const [to] = (JSON.parse(String(body)) as { recipients: [Record<string, string>] }).recipients;
        const code = Object.values(to).find((value) => /^\d{6}$/.test(value));
        if (code) codes.set(`+${to.mobiles}`, code);
      }
      return codes.get(phone) ?? "000000";
    };
    const codes = new Map<string, string>();
    const port = await freePort();
    const env = { ...BEHIND_PROXY, MSG91_BASE_URL: sms.url, PORT: String(port), APP_URL: `http://localhost:${port}` };
    await withProduct({ times: 15, env }, async ({ server }) => {
      const attacked = Array.from({ length: PHONES }, (_, i) => `+9196${String(i).padStart(8, "0")}`);
      await server.sql`
        with made as (insert into users (role, phone) select 'patient', unnest(${attacked}::text[]) returning id)
        insert into patients (id) select id from made`;
      await server.sql`analyze`;

      const logins = { known: [] as number[], fresh: [] as number[], refused: [] as string[], waited: 0 };
      const logIn = async (device: Device, phone: string, times: number[]) => {
        device.cookies.delete("nadi_session");
        let asked = await device.timed(() => device.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) }));
        const wait = Number(asked.answer.headers.get("retry-after"));
        if (asked.answer.status === 429 && wait > 0 && wait <= 60) {
          logins.waited++;
          if (short) return;
          await pause(wait * 1_000 + 500);
          asked = await device.timed(() => device.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) }));
        }
        const entered = await device.timed(() => device.post("/dual-patient", { intent: "verify", otp: codeOf(phone) }));
        times.push(asked.ms + entered.ms);
        if (entered.answer.status !== 303) logins.refused.push(`${asked.answer.status} ${entered.answer.status}`);
      };
      const owners = attacked
        .slice(0, short ? OWNERS / 2 : OWNERS)
        .map((phone, i) => ({ phone, device: new Device(server.url, `198.19.0.${i + 1}`) }));
      for (const { phone, device } of owners) await logIn(device, phone, []);
      const refusedBefore = logins.refused.length;
      if (refusedBefore) throw new Error(`honest logins before the attack: ${countOf(logins.refused)}`);
      logins.waited = 0;

      const attack = startAttack(new Clients(port, AT_ONCE), attacked, guesses);
      const honest = new Set<Promise<void>>();
      const track = (work: Promise<void>) => {
        const one: Promise<void> = work
          .catch((error: unknown) => void logins.refused.push(String(error)))
          .finally(() => honest.delete(one));
        honest.add(one);
      };
      const began = performance.now();
      let ended = 0;
      const done = attack.done.then(() => {
        ended = performance.now();
      });
      for (let n = 0; !ended; n++) {
        // A known device may ask for five codes in 15 minutes.
        if (n % 2 && n >> 1 < owners.length * 5) {
          const { phone, device } = owners[(n >> 1) % owners.length]!;
          track(logIn(device, phone, logins.known));
        } else
          track(logIn(new Device(server.url, `198.19.${1 + (n >> 8)}.${n & 255}`), `+9195${String(n).padStart(8, "0")}`, logins.fresh));
        await pause(LOGIN_EVERY);
      }
      await done;
      await Promise.all(honest);

      const [compared] = await server.sql<{ n: number }[]>`
        select coalesce(sum(attempts), 0)::int as n from otp_challenges where phone like '+9196%' and device is null`;
      const expected = compared!.n / 1_000_000;
      report({ what: "guesses", value: `${indian(attack.guesses())} in ${((ended - began) / 1000).toFixed(0)} s` });
      report({ what: "guesses by status", value: countOf(attack.statuses) });
      report({
        what: "codes that the attacker asked for, and was granted",
        value: `${indian(attack.asked())}, ${indian(attack.granted())}`,
      });
      report({ what: "guesses that were compared with a code", value: indian(compared!.n) });
      report({
        what: "codes guessed",
        value: `${attack.hits()}, ${expected.toFixed(4)} expected by chance`,
        target: "no more than by chance",
        met: atLeastByChance(attack.hits(), expected) >= RARE,
      });
      report(none("answers of 5xx or none", attack.statuses.filter((status) => status === 0 || status >= 500).length));
      const all = [...logins.known, ...logins.fresh];
      report({ what: "honest logins: known devices, new devices", value: `${logins.known.length}, ${logins.fresh.length}` });
      report({ what: "honest logins that waited for a crowded minute", value: String(logins.waited) });
      report({
        ...none("honest logins that failed", logins.refused.length),
        ...(logins.refused.length && { value: countOf(logins.refused) }),
      });
      report({ what: "honest logins, p50", value: ms(atShare(all, 0.5)) });
      report(below("honest logins, p99", atShare(all, 0.99), 1_000));
    });
  },
};
export default proof;

/** A browser with its own address behind the proxy. */
class Device extends Browser {
  private readonly address: string;
  constructor(url: string, address: string) {
    super(url);
    this.address = address;
  }
  override send(method: string, path: string, init: { headers?: Record<string, string>; body?: BodyInit } = {}) {
    return super.send(method, path, { ...init, headers: { ...init.headers, "x-forwarded-for": this.address } });
  }
  async timed<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number }> {
    const began = performance.now();
    const answer = await work();
    return { answer, ms: performance.now() - began };
  }
}

/** Guesses until the number is reached. */
function startAttack(clients: Clients, phones: readonly string[], guesses: number) {
  const statuses: number[] = [];
  const challenges = new Map<string, string>();
  let [next, hits, asked, granted] = [0, 0, 0, 0];
  const post = (path: string, value: object, from: string) =>
    clients.send("POST", path, { body: JSON.stringify(value), type: "application/json", headers: { "x-forwarded-for": from } });
  const guess = async (n: number) => {
    const phone = phones[n % phones.length]!;
    // Another address in each round over the phones.
    const address = `198.18.7.${1 + ((n + Math.floor(n / phones.length)) % ADDRESSES)}`;
    const phoneNumber = typed(phone);
    if (!challenges.has(phone)) {
      asked++;
      const sent = await post("/api/auth/patient/send-otp", { phoneNumber }, address);
      const id = /"challengeId":"([^"]+)"/.exec(sent.body)?.[1];
      if (sent.status === 200 && id) {
        granted++;
        challenges.set(phone, id);
      }
    }
    const otp = String(Math.floor(Math.random() * 1_000_000)).padStart(6, "0");
    const challengeId = challenges.get(phone);
    const reply = await post("/api/auth/patient/verify-otp", { phoneNumber, otp, ...(challengeId && { challengeId }) }, address);
    statuses.push(reply.status);
    if (reply.status === 200) hits++;
    // The code is over: five wrong ones, or two minutes.
    if (/expired|request a new/i.test(reply.body) || reply.status === 200) challenges.delete(phone);
  };
  const done = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < guesses) await guess(next++);
    }),
  ).finally(() => clients.close());
  return { statuses, done, hits: () => hits, asked: () => asked, granted: () => granted, guesses: () => statuses.length };
}

/** The probability of at least `hits` where `expected` are expected (Poisson). */
function atLeastByChance(hits: number, expected: number): number {
  let [term, below] = [Math.exp(-expected), 0];
  for (let k = 0; k < hits; k++) {
    below += term;
    term *= expected / (k + 1);
  }
  return 1 - below;
}
