/** Every outside service hangs while patients read and book. The same load is measured with services that answer, in the same run. */
import { setTimeout as pause } from "node:timers/promises";
import { newPhone, typed } from "../../tests/factories/people.ts";
import { png } from "../../tests/factories/pictures.ts";
import { textReply } from "../../tests/mocks/gemini.ts";
import { httpStub } from "../../tests/mocks/http-stub.ts";
import { placesReply } from "../../tests/mocks/places.ts";
import { smtpSink } from "../../tests/mocks/smtp-sink.ts";
import { freePort } from "../../tests/setup/server.ts";
import { Clients, type Reply } from "./product/clients.ts";
import { atShare, countOf, indian, ms, none } from "./product/figures.ts";
import { BEHIND_PROXY, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const PER_SECOND = 50;
/** Of these, requests that need a service: one of each kind a second. */
const KINDS = 4;
/** After a phase, so that calls that hang do not count in the next one: longer than the deadline of every call. */
const BETWEEN = 12_000;
/** Slower than this share is affected. */
const SLOWER = 1.2;

type Kind = "pages" | "bookings" | "assistant" | "SOS" | "login code" | "photo";

const proof: Proof = {
  title: `${PER_SECOND} requests a second, while Gemini, the maps, MSG91, SMTP and S3 answer and then hang, for 60 s each, twice in turn (short form: 4 s, once). ${KINDS} of them need a service: a question, SOS, a code, a photo. Pages and bookings are compared.`,
  async run({ short, report }) {
    const [rounds, seconds] = short ? [1, 4] : [2, 60];
    await withServices(async ({ env, hang }) => {
      const port = await freePort();
      const all = { ...BEHIND_PROXY, ...env, PORT: String(port), APP_URL: `http://localhost:${port}` };
      const bookings = rounds * 2 * seconds * 5 + 200;
      await withProduct({ times: Math.max(bookings, 4_500), env: all }, async ({ wishes, cookies }) => {
        const clients = new Clients(port, 512);
        const photo = await formOf({ name: "Proof Patient", gender: "female" }, await png());
        let n = 0;
        const from = (i: number) => ({ "x-forwarded-for": `198.18.${(i >> 8) % 256}.${i % 256}` });
        const send = (): [Kind, Promise<Reply>] => {
          const i = n++;
          // Each user sends a few of each kind: 20 questions in five minutes are allowed.
          const cookie = cookies[(i + Math.floor(i / PER_SECOND)) % cookies.length]!;
          const form = (path: string, fields: Record<string, string>, own = true) =>
            clients.send("POST", path, {
              ...(own && { cookie }),
              body: new URLSearchParams(fields).toString(),
              headers: from(i),
            });
          switch (i % PER_SECOND) {
            case 0:
              return ["assistant", form("/patient/ai-chat", { intent: "ask", key: `proof-key-${i}`, message: `What is a fever of ${i}?` })];
            case 12:
              return [
                "SOS",
                form(
                  "/patient/emergency-contact",
                  { intent: "locate", latitude: "27.10123", longitude: `71.${10_000 + (i % 9_000)}` },
                  false,
                ),
              ];
            case 24:
              return ["login code", form("/dual-patient", { intent: "send", phoneNumber: typed(newPhone()) }, false)];
            case 36:
              return ["photo", clients.send("POST", "/patient/profile/edit", { cookie, ...photo, headers: from(i) })];
          }
          if (i % 10 === 5) return ["bookings", clients.book(wishes[Math.floor(i / 10) % wishes.length]!)];
          const { doctorId } = wishes[i % wishes.length]!;
          if (i % 3 === 0) return ["pages", clients.get(`/details/doctor/${doctorId}`, cookie)];
          if (i % 2 === 0) return ["pages", clients.get(`/patient/appointments/datetime?doctorId=${doctorId}`, cookie)];
          return ["pages", clients.get("/patient-dashboard", cookie)];
        };
        /** One phase: requests start on time, whether earlier ones have ended or not. */
        const phase = async (length: number) => {
          const seen: [Kind, Reply][] = [];
          const pending: Promise<void>[] = [];
          const began = performance.now();
          for (let sent = 0; sent < length * PER_SECOND; ) {
            for (const due = ((performance.now() - began) / 1000) * PER_SECOND; sent < due && sent < length * PER_SECOND; sent++) {
              const [kind, reply] = send();
              pending.push(reply.then((one) => void seen.push([kind, one])));
            }
            await pause(4);
          }
          await Promise.all(pending);
          return seen;
        };
        await phase(short ? 1 : 15);
        const [answering, hanging]: [Kind, Reply][][] = [[], []];
        for (let round = 0; round < rounds; round++) {
          hang(false);
          answering!.push(...(await phase(seconds)));
          hang(true);
          hanging!.push(...(await phase(seconds)));
          if (round + 1 < rounds) await pause(BETWEEN);
        }
        clients.close();
        const of = (seen: readonly [Kind, Reply][], ...kinds: Kind[]) =>
          seen.filter(([kind]) => kinds.includes(kind)).map(([, one]) => one);
        const times = (replies: readonly Reply[]) => replies.map((reply) => reply.ms);
        report({ what: "requests, answering and hanging", value: `${indian(answering!.length)}, ${indian(hanging!.length)}` });
        for (const kind of ["pages", "bookings"] as const) {
          const [without, meanwhile] = [of(answering!, kind), of(hanging!, kind)];
          const [a, b] = [atShare(times(without), 0.99), atShare(times(meanwhile), 0.99)];
          report({
            what: `${kind}: p50, answering and hanging`,
            value: `${ms(atShare(times(without), 0.5))}, ${ms(atShare(times(meanwhile), 0.5))}`,
          });
          report({
            what: `${kind}: p99, answering and hanging`,
            value: `${ms(a)}, ${ms(b)}`,
            target: "at most a fifth more",
            met: b <= a * SLOWER,
            timed: true,
          });
          const odd = [...without, ...meanwhile].filter(({ status }) => status !== (kind === "pages" ? 200 : 303));
          report({
            ...none(`${kind}: refused or failed`, odd.length),
            ...(odd.length && { value: countOf(odd.map(({ status }) => status)) }),
          });
        }
        for (const kind of ["assistant", "SOS", "login code", "photo"] as const)
          report({
            what: `${kind}: statuses and slowest, answering; hanging`,
            value: [answering!, hanging!]
              .map((seen) => `${countOf(of(seen, kind).map(({ status }) => status))} in ${ms(Math.max(0, ...times(of(seen, kind))))}`)
              .join("; "),
          });
        const wrong = [...answering!, ...hanging!].filter(([, { status }]) => status === 0 || status === 500);
        report(none("answers of 500, or none", wrong.length));
      });
    });
  },
};
export default proof;

/** Runs `work` with local services that answer or hang. */
async function withServices(work: (services: { env: Record<string, string>; hang(on: boolean): void }) => Promise<void>): Promise<void> {
  let hanging = false;
  const files = new Map<string, Buffer>();
  await using gemini = await httpStub(() => (hanging ? "hang" : textReply("Drink ", "water.")));
  await using sms = await httpStub(() => (hanging ? "hang" : { body: '{"type":"success"}' }));
  await using maps = await httpStub((seen) =>
    hanging ? "hang" : placesReply(seen, [{ id: "a", name: "Desert Hospital", lat: 27.105, lng: 71.2, phone: "+91 2992 252 343" }]),
  );
  await using s3 = await httpStub(({ method, path, body }) => {
    if (hanging) return "hang";
    if (method === "PUT") files.set(path, body);
    if (method === "DELETE") files.delete(path);
    const stored = files.get(path);
    return method === "GET" ? (stored ? { body: stored } : { status: 404 }) : {};
  });
  await using smtp = await smtpSink(() => (hanging ? "silent" : "good"));
  await work({
    env: {
      GEMINI_API_KEY: "proof",
      GEMINI_BASE_URL: gemini.url,
      GOOGLE_MAPS_SERVER_KEY: "proof",
      GOOGLE_MAPS_BASE_URL: maps.url,
      MSG91_BASE_URL: sms.url,
      SMTP_URL: smtp.url,
      UPLOADS_S3_ENDPOINT: s3.url,
      UPLOADS_S3_BUCKET: "proof",
      UPLOADS_S3_ACCESS_KEY_ID: "proof",
      UPLOADS_S3_SECRET_ACCESS_KEY: "proof",
    },
    hang: (on) => {
      hanging = on;
    },
  });
}

/** Returns a form with a photo, as its bytes and type. */
async function formOf(fields: Record<string, string>, photo: Uint8Array): Promise<{ body: Buffer; type: string }> {
  const boundary = "----nadiproof";
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(parts.join("") + head), photo, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
