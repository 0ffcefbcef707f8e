/** SMS both ways through a real gateway: Kannel with its simulated operator, and the product behind it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { appointments, waitlistEntries } from "#app/db/schema/index.ts";
import { sendingTime } from "#app/domains/booking/waitlist/rules.ts";
import { dayFromNow, makeDoctor, makePatient } from "../../tests/factories/people.ts";
import { freePort } from "../../tests/setup/server.ts";
import { atShare, below, indian, ms, none } from "./product/figures.ts";
import { BEHIND_PROXY, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const CONFIGURATION = resolve(import.meta.dirname, "../../deploy/kannel.conf");
const NUMBER = "56161";
const SECRET = "a-secret-of-the-proof-of-SMS-that-is-long-enough";
/** An answer that takes longer is late. */
const PATIENCE = 30_000;
const SLOT = { date: dayFromNow(2), time: "10:00" };
const [LAKSHMI, REHANA] = ["+919400000001", "+919400000002"];
const PACE = { phones: 200, each: 20, perSecond: 20 };

const proof: Proof = {
  missing: () => (existsSync("/usr/sbin/bearerbox") ? [] : ["kannel"]),
  title: `Phones at a simulated operator, Kannel 1.4.5 with deploy/kannel.conf, and the product: a booking in Telugu, a cancellation by 2 (not at night, when no offer is sent), and ${PACE.phones} phones that ask WHEN at ${PACE.perSecond} messages a second (short form: 20 phones). Kannel and the product share the machine.`,
  async run({ short, report }) {
    await using kannel = await startKannel();
    const env = {
      ...BEHIND_PROXY,
      ...{ PORT: String(kannel.ports.product), APP_URL: `http://localhost:${kannel.ports.product}` },
      ...{ SMS_PROVIDER: "kannel", SMS_INBOUND: "1", KANNEL_URL: `http://127.0.0.1:${kannel.ports.send}` },
      ...{ KANNEL_USERNAME: "nadi", KANNEL_PASSWORD: "change-me-send", KANNEL_FROM: NUMBER, KANNEL_INBOUND_SECRET: SECRET },
    };
    await withProduct({ times: 1, env }, async ({ server }) => {
      const [booking, said] = await book(kannel, server);
      report({ what: "messages of a patient until a booking", value: String(booking), target: "≤ 6", met: booking <= 6 });
      report({ what: "the last answer in two segments of Telugu or fewer", value: String(said), target: "≤ 2", met: said <= 2 });

      const wait = await cancelAndOffer(kannel, server);
      if (wait !== null) report(below("from 2 until the next patient of the waitlist has the offer", wait, 5_000));

      const phones = short ? 20 : PACE.phones;
      const times: number[] = [];
      let lost = 0;
      let twice = 0;
      const each = short ? 5 : PACE.each;
      for (let n = 0; n < each; n++)
        await Promise.all(
          Array.from({ length: phones }, async (_, i) => {
            await pause((i * 1000) / PACE.perSecond);
            const phone = `+9193${String(i).padStart(8, "0")}`;
            const before = kannel.answersTo(phone).length;
            const began = performance.now();
            const answered = await kannel.ask(phone, "WHEN").then(
              () => true,
              () => false,
            );
            if (answered) times.push(performance.now() - began);
            else lost++;
            if (kannel.answersTo(phone).length > before + 1) twice++;
          }),
        );
      report({ what: "messages", value: indian(phones * each), detail: true });
      report(none("messages without an answer", lost));
      report(none("messages with two answers", twice));
      const p95 = atShare(
        times.toSorted((a, b) => a - b),
        0.95,
      );
      report({ what: "answer, p95", value: ms(p95), target: "≤ 3 s", met: p95 <= 3_000, timed: true });
    });
  },
};
export default proof;

type Server = Parameters<Parameters<typeof withProduct>[1]>[0]["server"];
/** Books by SMS in Telugu. Returns the messages that it took, and the segments of the last answer. */
async function book(kannel: Kannel, server: Server): Promise<[messages: number, segments: number]> {
  const doctor = await makeDoctor(server.db, { name: "Dr. Kannel Rao", slots: [SLOT] });
  let sent = 0;
  const ask = (text: string) => {
    sent++;
    return kannel.ask(LAKSHMI, text);
  };
  await ask("HI");
  await ask("2");
  await ask("Kannel Rao");
  await ask("1");
  const last = await ask("Lakshmi 34 F");
  const rows = await server.sql`select from appointments where doctor_id = ${doctor.id} and patient_name = 'Lakshmi'`;
  if (rows.length !== 1) throw new Error(`not booked: ${last.text}`);
  return [sent, last.segments];
}

/** Cancels what was booked. Returns the milliseconds until the offer is on the next patient's phone; null at night. */
async function cancelAndOffer(kannel: Kannel, server: Server): Promise<number | null> {
  const now = new Date();
  if (sendingTime(now) > now) return null;
  const [booked] = await server.db.select().from(appointments).where(eq(appointments.patientPhone, LAKSHMI));
  const waiting = await makePatient(server.db, { name: "Rehana", phone: REHANA });
  await server.db.insert(waitlistEntries).values({
    ...{ patientId: waiting.id, doctorId: booked!.doctorId, fromDate: SLOT.date, untilDate: SLOT.date },
    ...{ patientName: "Rehana", patientPhone: REHANA, patientAge: 40, patientGender: "female" },
  });
  await kannel.ask(REHANA, "TOKEN");
  await kannel.ask(LAKSHMI, "WHEN");
  const before = kannel.answersTo(REHANA).length;
  const began = performance.now();
  await kannel.ask(LAKSHMI, "2");
  while (kannel.answersTo(REHANA).length === before) {
    if (performance.now() - began > PATIENCE) throw new Error("no offer");
    await pause(20);
  }
  return performance.now() - began;
}

type Answer = { text: string; segments: number };
type Kannel = Awaited<ReturnType<typeof startKannel>>;
/** Starts Kannel with the file of the deployment, whose operator is simulated: lines of text for each SMS. */
async function startKannel() {
  const folder = await mkdtemp(join(tmpdir(), "nadi-kannel-"));
  const [admin, box, send, operator, product] = await Promise.all(Array.from({ length: 5 }, freePort));
  const file = join(folder, "kannel.conf");
  const [shared] = readFileSync(CONFIGURATION, "utf8").split("# --- the operator");
  const changes: [string, string][] = [
    ["13000", String(admin)],
    ["13001", String(box)],
    ["13013", String(send)],
    ["https://nadi:change-me-receive@nadi.example", `http://nadi:${SECRET}@localhost:${product}`],
    ["/var/spool/kannel/kannel.store", join(folder, "store")],
  ];
  const configuration = changes.reduce((text, [from, to]) => text.replaceAll(from, to), shared!);
  writeFileSync(
    file,
    `${configuration}\ngroup = smsc\nsmsc = fake\nsmsc-id = operator\nport = ${operator}\nconnect-allow-ip = 127.0.0.1\n`,
  );
  const processes: ChildProcess[] = [];
  for (const name of ["bearerbox", "smsbox"]) {
    processes.push(spawn(`/usr/sbin/${name}`, [file], { stdio: "ignore" }));
    await pause(1_500);
  }
  const socket = createConnection(operator!, "127.0.0.1");
  await once(socket, "connect");
  const answers = listen(socket);
  const answersTo = (phone: string): readonly Answer[] => answers.get(phone) ?? [];
  return {
    ports: { product: product!, send: send! },
    answersTo,
    /** Sends an SMS and waits for its answer. */
    async ask(phone: string, text: string): Promise<Answer> {
      const before = answersTo(phone).length;
      socket.write(`${phone} ${NUMBER} text ${text}\n`);
      const until = performance.now() + PATIENCE;
      while (performance.now() < until) {
        const answer = answersTo(phone)[before];
        if (answer) return answer;
        await pause(20);
      }
      throw new Error("no answer");
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
      for (const one of processes.toReversed()) one.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Collects the SMS of each phone from the lines of Kannel's simulated operator. */
function listen(socket: Socket): Map<string, Answer[]> {
  const answers = new Map<string, Answer[]>();
  const parts = new Map<string, string[]>();
  let rest = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const [, phone, header, kind, content] = /^\S+ (\+\d+) (?:udh (\S+) )?(text|data|ucs-2) (.*)$/s.exec(line) ?? [];
      if (!phone || content === undefined) continue;
      const text = kind === "text" ? content : utf16(content);
      // The last bytes of the header: how many parts, and which.
      const [of = 1, nth = 1] = header ? bytesOf(header).subarray(-2) : [];
      const seen = [...(parts.get(phone) ?? []), text];
      parts.set(phone, nth === of ? [] : seen);
      if (nth === of) answers.set(phone, [...(answers.get(phone) ?? []), { text: seen.join(""), segments: of }]);
    }
  });
  return answers;
}
const bytesOf = (encoded: string) =>
  Buffer.from(
    encoded.replaceAll("+", " ").replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
const utf16 = (encoded: string) => bytesOf(encoded).swap16().toString("utf16le");
