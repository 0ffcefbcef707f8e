/** Queued emails and SMS, sent to local receivers while the worker process is killed. */
import { setTimeout as pause } from "node:timers/promises";
import { newBoss } from "#app/queue/queue.server.ts";
import { httpStub } from "../../tests/mocks/http-stub.ts";
import { smtpSink } from "../../tests/mocks/smtp-sink.ts";
import { freePort } from "../../tests/setup/server.ts";
import { familyOf } from "../processes.ts";
import { atLeast, indian, none } from "./product/figures.ts";
import { BEHIND_PROXY, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

/** Half are emails, half are SMS. */
const MESSAGES = 100_000;
const KILLS = 10;
const PER_SECOND = 500;
/** Jobs of a killed process are tried again after a minute, when pg-boss looks for them: once a minute. */
const AGAIN = 200_000;
const PARAMS = { doctor: "Dr. Proof", date: "2030-01-01", time: "10:00", fromDate: "2030-01-02", fromTime: "11:00" };
const QUEUES = ["notification-email", "notification-sms"] as const;

const proof: Proof = {
  title: `${indian(MESSAGES)} queued notifications, half as emails and half as SMS, each to its own receiver, while the worker process is killed with SIGKILL ${KILLS} times (short form: 2,000 and once, without the minute after which messages of a killed process are sent again). What was under way at a kill is sent again: a second copy of an email has the same Message-ID, by which mail servers drop it; an SMS has no such id.`,
  async run({ short, report }) {
    const [messages, kills] = short ? [2_000, 1] : [MESSAGES, KILLS];
    const people = messages / 2;
    await using sms = await httpStub(() => ({ body: '{"type":"success"}' }));
    await using smtp = await smtpSink();
    const port = await freePort();
    const env = {
      ...BEHIND_PROXY,
      ...{ MSG91_BASE_URL: sms.url, SMTP_URL: smtp.url },
      ...{ PORT: String(port), APP_URL: `http://localhost:${port}`, LOG_LEVEL: "error" },
    };
    await withProduct({ times: 15, env }, async ({ server, database }) => {
      const { sql } = server;
      const notices = await sql<{ id: string }[]>`
        with made as (
          insert into users (role, phone) select 'patient', '+917' || lpad(n::text, 9, '0') from generate_series(1, ${people}::int) n
          returning id, phone),
        addresses as (insert into notification_emails (user_id, email) select id, 'p' || substr(phone, 2) || '@proof.test' from made)
        insert into notifications (user_id, kind, type, params, target_path)
        select id, 'appointment-moved', 'warning', ${JSON.stringify(PARAMS)}::text::jsonb, '/patient/calendar'
        from made returning id`;
      const boss = await newBoss(database, { work: false }).start();
      for (const queue of QUEUES)
        for (let from = 0; from < notices.length; from += 5_000)
          await boss.insert(
            queue,
            // Not before all are queued.
            notices.slice(from, from + 5_000).map(({ id }) => ({ data: { notificationId: id }, startAfter: 3_600 })),
          );
      await boss.stop({ graceful: false });
      await sql`analyze`;

      const arrived = () => smtp.emails.length + sms.seen.length;
      const left = async () => {
        const [row] = await sql<{ waiting: number; all: number }[]>`
          select count(*) filter (where state = 'created' or (state = 'retry' and start_after < now()))::int as waiting, count(*)::int as all
          from pgboss.job where name in ${sql(QUEUES)} and state in ('created', 'retry', 'active')`;
        return row!;
      };
      await sql`update pgboss.job set start_after = now() where name in ${sql(QUEUES)}`;
      while (arrived() === 0) await pause(5);
      const began = performance.now();
      for (let kill = 1; kill <= kills; kill++) {
        while (arrived() < (messages * kill) / (kills + 1) && performance.now() - began < 20 * 60_000) await pause(5);
        process.kill(familyOf(server.pid)[1]!, "SIGKILL");
      }
      const until = performance.now() + 20 * 60_000;
      while ((await left()).waiting > 0 && performance.now() < until) await pause(100);
      const seconds = (performance.now() - began) / 1_000;
      const inTime = arrived();
      const underWay = (await left()).all;
      const last = performance.now() + AGAIN;
      while (!short && (await left()).all > 0 && performance.now() < last) await pause(500);

      const emails = smtp.emails.map(({ to, data }) => ({ to: to[0]!, id: /^Message-ID: (.*)$/im.exec(data)?.[1] ?? "" }));
      const phones = sms.seen.map(({ body }) => (JSON.parse(String(body)) as { recipients: [{ mobiles: string }] }).recipients[0].mobiles);
      const addresses = new Set(emails.map(({ to }) => to));
      const missing = messages - addresses.size - new Set(phones).size;
      report({ what: "messages, kills", value: `${indian(messages)}, ${kills}` });
      report({ what: "under way at a kill, sent again a minute later", value: indian(underWay) });
      if (short) report({ what: "not yet arrived", value: `${indian(missing)}, of those under way ${indian(underWay)}` });
      report(none("messages that never arrived", short ? Math.max(0, missing - underWay) : missing));
      report({ what: "second copies of emails", value: indian(emails.length - addresses.size) });
      report(none("emails that count twice: copies with another Message-ID", new Set(emails.map(({ id }) => id)).size - addresses.size));
      report(none("SMS sent twice", phones.length - new Set(phones).size));
      report(atLeast("messages a second", inTime / seconds, PER_SECOND));
    });
  },
};
export default proof;
