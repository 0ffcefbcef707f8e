/**
 * `npm run bench`: compares the speed of the pages to a bare page of the same server, and prints the bytes of a first visit.
 * `--scale` measures public lists (directory.ts; `--directory`: only these) and a doctor's pages with millions of rows
 * (scale.ts), with the directory and booking before and after doctors have second practices (practices.ts; `--practices DOCTORS`: only these),
 * `--sockets` 5,000 open pages (sockets.ts), `--sealing` the cost
 * of encrypted columns (sealing.ts), `--against FOLDER` this build and that of another checkout (compare.ts), `--processes` one and two
 * workers (workers.ts), `--interactions` inputs and the next page in a browser (interactions.ts), `--first-visit` when a first visit can
 * be used on a slow line (first-visit.ts), `--peers [FOLDER]` a stock React Router app and MRBS (peers.ts). Compare ratios, not absolute figures (docs/performance.md).
 */
import { cpus, loadavg } from "node:os";
import { DEMO_KEY, sweep } from "../../tests/setup/database.ts";
import { type Encoding, measureFirstView, PATIENT_PAGES } from "../../tests/setup/first-view.ts";
import { release, start as startDatabase } from "../db.mjs";
import { casesOf, POSTS } from "./cases.ts";
import { compareWith } from "./compare.ts";
import { measureDirectory } from "./directory.ts";
import { measureFirstVisit } from "./first-visit.ts";
import { measureInteractions } from "./interactions.ts";
import { load } from "./load.ts";
import { measurePeers } from "./peers.ts";
import { measurePractices } from "./practices.ts";
import { measureScale } from "./scale.ts";
import { measureSealing } from "./sealing.ts";
import { measureSockets } from "./sockets.ts";
import { median, print } from "./table.ts";
import { measureWorkers } from "./workers.ts";
import { makeWorld, type World } from "./world.ts";

// Some measurements run queries in this process, on rows of the demo.
process.env.ENCRYPTION_KEY ??= DEMO_KEY;

const CONNECTIONS = 20;
const ROUNDS = 5;
/** Until the code that all pages share is compiled. */
const WARM_UP = 2;
const ROUND_MS = 1_000;
/** `cpu`: CPU milliseconds of the server for one response; varies less than the rate on a busy machine. */
type Result = { rate: number; p50: number; p99: number; cpu: number };

/** Measures medians. Interleaves the cases, so that a slow minute of the machine affects all alike. */
async function measureSpeed(world: World): Promise<void> {
  const cases = casesOf(world);
  const [before = 0] = loadavg();
  const rounds = new Map<string, Result[]>(cases.map(({ name }) => [name, []]));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const { name, server, request, expect } of cases) {
      const before = server.used();
      const { odd, answers, ...speed } = await load({ port: server.port, request, expect, connections: CONNECTIONS, ms: ROUND_MS });
      if (Object.keys(odd).length) throw new Error(`${name}: unexpected answers ${JSON.stringify(odd)}`);
      if (round >= 0) rounds.get(name)?.push({ ...speed, cpu: (server.used() - before) / answers });
    }
  }
  const results = new Map([...rounds].map(([name, all]) => [name, medianOf(all)]));
  const [bare, withRows] = cases.map(({ name }) => results.get(name) as Result) as [Result, Result];
  const rows = [...results].map(([name, { rate, p50, p99, cpu }]) => [
    name,
    rate.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    cpu.toFixed(2),
    (rate / bare.rate).toFixed(2),
    (rate / withRows.rate).toFixed(2),
    (cpu / bare.cpu).toFixed(2),
    (cpu / withRows.cpu).toFixed(2),
  ]);
  const { model = "?" } = cpus()[0] ?? {};
  console.log(`\n${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${model.trim()} · Node ${process.version}`);
  console.log(`${CONNECTIONS} connections; medians of ${ROUNDS} interleaved rounds; the load generator runs on the same cores`);
  console.log(`load of the machine: ${before.toFixed(1)} before, ${(loadavg()[0] as number).toFixed(1)} after\n`);
  print(["", "requests/s", "p50 ms", "p99 ms", "CPU ms", "× bare", "× 20 rows", "CPU ÷ bare", "CPU ÷ 20 rows"], rows);
  console.log(
    `\nmemory of the product's processes: ${world.resident.toFixed(0)} MB after the start, at most ${world.product.peak().toFixed(0)} MB (a bare one: ${world.bare.peak().toFixed(0)} MB)\n`,
  );
}

const medianOf = (all: Result[]): Result => ({
  rate: median(all.map((r) => r.rate)),
  p50: median(all.map((r) => r.p50)),
  p99: median(all.map((r) => r.p99)),
  cpu: median(all.map((r) => r.cpu)),
});

async function measureWeight({ product, session, doctorId, sql }: World): Promise<void> {
  const url = `http://localhost:${product.port}`;
  const [{ id: appointmentId } = { id: "" }] = await sql<{ id: string }[]>`
    select a.id from appointments a join users u on u.id = a.patient_id where u.phone = '+919000000001' and a.status = 'pending' limit 1`;
  const [slot] = await sql<{ date: string; time: string }[]>`
    select date::text, time::text from availability_slots where doctor_id = ${doctorId} and date > current_date order by date, time limit 1`;
  const [{ hospitalId, hospitalName } = { hospitalId: "", hospitalName: "" }] = await sql<{ hospitalId: string; hospitalName: string }[]>`
    select d.hospital_id as "hospitalId", n.slug as "hospitalName" from doctors d
    left join short_names n on n.hospital_id = d.hospital_id and n.is_current where d.id = ${doctorId}`;
  const rows: string[][] = [];
  for (const { name, path, personal } of PATIENT_PAGES({
    doctorId,
    hospitalId,
    hospitalName,
    appointmentId,
    date: slot?.date ?? "",
    time: slot?.time.slice(0, 5) ?? "",
  })) {
    const measured = async (encoding: Encoding) => measureFirstView(url, path, encoding, personal ? session : undefined);
    const [br, gzip] = [await measured("br"), await measured("gzip")];
    if (br.status !== 200) throw new Error(`${path} answered ${br.status}`);
    rows.push([name, ...[br.html + br.css, gzip.html + gzip.css, br.js, gzip.js, br.pictures, br.requests].map(String)]);
  }
  console.log("First view with an empty cache, bytes of bodies on the wire; the CSS is inside the HTML\n");
  print(["", "HTML+CSS br", "gzip", "JS br", "gzip", "pictures", "requests"], rows);
}

/** Returns the argument after an option. */
const optionOf = (name: string) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const compared = optionOf("--against");
const embedded = !process.env.DATABASE_URL && !process.env.TEST_DATABASE_URL;
try {
  if (embedded) await startDatabase({ user: process.pid });
  if (process.argv.includes("--directory")) await measureDirectory();
  else if (compared) await compareWith(compared, { only: optionOf("--only"), rounds: Number(optionOf("--rounds") ?? 60) });
  else if (process.argv.includes("--scale")) {
    await measureDirectory();
    await measurePractices({ doctors: 10_000, days: 60 });
    await measureScale();
  } else if (process.argv.includes("--practices"))
    await measurePractices({ doctors: Number(optionOf("--practices")) || 10_000, days: Number(optionOf("--days") ?? 60) });
  else if (process.argv.includes("--processes")) await measureWorkers();
  else if (process.argv.includes("--interactions")) await measureInteractions();
  else if (process.argv.includes("--first-visit")) await measureFirstVisit();
  else if (process.argv.includes("--sealing")) await measureSealing();
  else if (process.argv.includes("--sockets")) await measureSockets();
  else if (process.argv.includes("--peers")) await measurePeers(optionOf("--peers"));
  else {
    const world = await makeWorld(POSTS * (ROUNDS + WARM_UP));
    try {
      await measureSpeed(world);
      await measureWeight(world);
    } finally {
      await world.end();
    }
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await sweep().catch(() => undefined);
  if (embedded) await release(process.pid);
}
