/** A clinic brings ten thousand patients: how long it takes, what it needs, what other pages notice, and what SIGKILL leaves. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { makePlace } from "../../tests/factories/members.ts";
import type { TestServer } from "../../tests/setup/server.ts";
import { openSessions } from "../bench/world.ts";
import { familyOf } from "../processes.ts";
import { Clients } from "./product/clients.ts";
import { atShare, below, indian, ms, none } from "./product/figures.ts";
import { withProduct } from "./product/product.ts";
import type { Figure, Proof } from "./proof.ts";

const KILLS = 10;
const MB = 2 ** 20;

const proof: Proof = {
  title:
    "A register of 10,000 patients and 2,000 appointments (short form: a tenth) are uploaded, checked, imported and undone over HTTP while another client reads the splash page; a second clinic imports both while its worker process is killed again and again with SIGKILL.",
  async run({ short, report }) {
    const rows = short ? 1_000 : 10_000;
    await withProduct({ times: 10, env: { DEMO: "1", WEB_CONCURRENCY: "1" } }, async ({ server }) => {
      const clients = new Clients(server.port, 4);
      const first = await start(server, clients, rows);
      const before = memoryOf(server);
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, memoryOf(server));
      }, 50);
      const others: number[] = [];
      let over = false;
      const reading = (async () => {
        while (!over) {
          others.push((await clients.get("/doctorspages/Cards-data")).ms);
          await pause(20);
        }
      })();
      const register = await first.upload("patients");
      const checked = await register.step({ intent: "columns", order: "dmy", ...register.fields }, "checked");
      report(below(`upload and check of ${indian(rows)} patients`, register.ms + checked, 10_000));
      report(below("memory of the process meanwhile, above the start", (peak - before) / MB, 150, (n) => `${Math.round(n)} MB`));
      report(below(`import of ${indian(rows)} patients`, await register.step({ intent: "import" }, "done"), 60_000));
      const diary = await first.upload("appointments");
      const read = diary.ms + (await diary.step({ intent: "columns", order: "dmy", ...diary.fields }, "checked"));
      report(below(`upload and check of ${indian(rows / 5)} appointments`, read, 10_000));
      report(below(`import of ${indian(rows / 5)} appointments`, await diary.step({ intent: "import" }, "done"), 60_000));
      report(none("appointments that are missing", rows / 5 - (await visitsOf(server, first.id))));
      report(below("undo of the appointments", await diary.step({ intent: "undo" }, "undone"), 60_000));
      report(below("undo of the patients", await register.step({ intent: "undo" }, "undone"), 60_000));
      over = true;
      await reading;
      clearInterval(watch);
      report(below("pages of others meanwhile, p95", atShare(others, 0.95), 500));
      report(none("patients and appointments after the undo", (await countOf(server, first.id)) + (await visitsOf(server, first.id))));
      for (const figure of await killed(server, clients, rows)) report(figure);
      clients.close();
    });
  },
};
export default proof;

/** Kills the worker process again and again while a register runs in, then while its appointments do. */
async function killed(server: TestServer, clients: Clients, rows: number): Promise<Figure[]> {
  const second = await start(server, clients, rows);
  const patients = await importKilled(server, clients, second, "patients");
  const [twice] = await server.sql<{ n: number }[]>`
    select count(*)::int as n from (select from clinic_patients where hospital_id = ${second.id} group by number having count(*) > 1) again`;
  await server.sql`update sessions set proven_at = now() where user_id = ${second.ownerId}`;
  const appointments = await importKilled(server, clients, second, "appointments");
  const [visits] = await server.sql<{ n: number }[]>`
    select count(*)::int as n from (select from past_appointments h join clinic_patients p on p.id = h.clinic_patient_id
      where p.hospital_id = ${second.id} group by h.clinic_patient_id, h.date, h.time having count(*) > 1) again`;
  return [
    { what: "killed worker processes", value: `${patients.kills}, and ${appointments.kills} among appointments` },
    { what: "import with them", value: ms(patients.ms + appointments.ms), timed: true },
    none("patients lost", rows - (await countOf(server, second.id))),
    none("patients twice", twice?.n ?? 0),
    none("appointments lost", rows / 5 - (await visitsOf(server, second.id))),
    none("appointments twice", visits?.n ?? 0),
  ];
}

type Started = Awaited<ReturnType<typeof start>>;
async function importKilled(server: TestServer, clients: Clients, clinic: Started, kind: "patients" | "appointments") {
  const file = await clinic.upload(kind);
  await file.step({ intent: "columns", order: "dmy", ...file.fields }, "checked");
  await clients.post(file.path, clinic.cookie, { intent: "import" });
  const began = performance.now();
  let kills = 0;
  while (kills < KILLS && (await file.state()) === "importing") {
    const worker = familyOf(server.pid)[1];
    if (worker) process.kill(worker, "SIGKILL");
    kills += 1;
    await pause(1_500);
  }
  while ((await file.state()) === "importing" && performance.now() - began < 20 * 60_000) await pause(200);
  return { kills, ms: performance.now() - began };
}

const countOf = async ({ sql }: TestServer, hospitalId: string) =>
  (await sql<{ n: number }[]>`select count(*)::int as n from clinic_patients where hospital_id = ${hospitalId}`)[0]?.n ?? 0;
const visitsOf = async ({ sql }: TestServer, hospitalId: string) =>
  (
    await sql<{ n: number }[]>`
      select count(*)::int as n from past_appointments h join clinic_patients p on p.id = h.clinic_patient_id where p.hospital_id = ${hospitalId}`
  )[0]?.n ?? 0;
/** Resident memory of the worker process, in bytes. */
function memoryOf(server: TestServer): number {
  const worker = familyOf(server.pid)[1];
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${worker}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** A clinic with its owner, who has just confirmed the identity, and a register. */
async function start(server: TestServer, clients: Clients, rows: number) {
  const { sql } = server;
  const place = await makePlace(server.db);
  const [cookie = ""] = await openSessions(sql, [place.owner.userId]);
  await sql`update sessions set proven_at = now(), proven_by = 'code' where user_id = ${place.owner.userId}`;
  const lines = Array.from({ length: rows }, (_, i) => {
    const phone = String(9_100_000_000 + (i % Math.ceil(rows * 0.7)));
    return `OP/${i},Patient ${i.toString(36)} Kumari,${phone},${20 + (i % 60)},${i % 2 ? "F" : "M"},O+,"House ${i}, Vijayawada",Note ${i}`;
  });
  const visits = Array.from({ length: rows / 5 }, (_, i) => `${1 + (i % 28)}/0${1 + (i % 9)}/2025,10:30,OP/${i},seen,500,500`);
  const files = {
    patients: `OP No,Name,Mobile,Age,Sex,Blood group,Address,Note\n${lines.join("\n")}\n`,
    appointments: `Date,Time,OP No,Status,Fee,Paid\n${visits.join("\n")}\n`,
  };
  const columns = {
    patients: ["number", "name", "phone", "born", "gender", "blood", "address", "note"],
    appointments: ["date", "time", "number", "status", "fee", "paid"],
  };
  return {
    id: place.id,
    ownerId: place.owner.userId,
    cookie,
    /** `ms`: how long the upload took. */
    async upload(kind: keyof typeof files) {
      const edge = "----proof";
      const part = (name: string, value: string, file = "") =>
        `--${edge}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
      const csv = part("file", files[kind], '; filename="file.csv"\r\nContent-Type: text/csv');
      const type = `multipart/form-data; boundary=${edge}`;
      const reply = await clients.send("POST", `/clinic/${place.id}/import`, {
        ...{ cookie, type },
        body: `${part("kind", kind)}${csv}--${edge}--\r\n`,
      });
      const importId = /import\/([0-9a-f-]{36})/.exec(reply.location)?.[1];
      if (!importId) throw new Error(`the upload was refused: ${reply.status} ${reply.location} ${reply.body.slice(0, 300)}`);
      const path = `/clinic/${place.id}/import/${importId}`;
      const state = async () => (await sql<{ state: string }[]>`select state from imports where id = ${importId}`)[0]?.state ?? "";
      return {
        path,
        state,
        ms: reply.ms,
        fields: Object.fromEntries(columns[kind].map((field, i) => [`f${i}`, field])),
        /** Presses a button and waits for the state that follows. @returns milliseconds */
        async step(fields: Record<string, string>, until: string): Promise<number> {
          const began = performance.now();
          const answer = await clients.post(path, cookie, fields);
          if (answer.status !== 303) throw new Error(`${fields.intent} was refused: ${answer.status}`);
          while ((await state()) !== until) await pause(20);
          return performance.now() - began;
        },
      };
    },
  };
}
