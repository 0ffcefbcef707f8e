/**
 * `npm run bench -- --scale`: compares a doctor's pages with 10,000 doctors, 2 million slots and 1 million appointments to the
 * demo data in one run, and prints query plans. Fails when a page is more than 1.3× slower, or a statement scans a whole table.
 * What the figures mean: docs/performance.md.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type Connection, connect } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema/index.ts";
import { listDoctorAppointments, listSchedule, listWaiting, readToday } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { findLastSlotDate, listSlotDays } from "#app/domains/booking/availability/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { getDoctorName } from "#app/domains/directory/doctors/queries.server.ts";
import { countUnread } from "#app/domains/platform/notifications/queries.server.ts";
import { getDoctorStats, getNextSteps } from "#app/domains/practice/statistics/queries.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { cloneTemplate, copyDemoFiles, urlOf } from "../../tests/setup/database.ts";
import { DEMO } from "../../tests/setup/people.ts";
import { load, wire } from "./load.ts";
import { median, print } from "./table.ts";
import { openSessions, type Running, serve } from "./world.ts";

const DOCTORS = 10_000;
const SLOTS_EACH = 200;
const VISITS_EACH = 100;
/** The busiest possible doctor: every slot of 300 days a year, for four years. */
const BUSY_DAYS = 1_200;
const LIMIT = 1.3;
/** Many short rounds with one user: variations of the machine are longer than a round and affect both alike. */
const ROUNDS = 60;
const REQUESTS = 5;

const PAGES = [
  ["dashboard", "/doctor-dashboard"],
  ["appointments", "/doctor/appointments"],
  ["appointments, completed", "/doctor/appointments?tab=completed"],
  ["appointments, search by name", "/doctor/appointments?tab=completed&q=lak"],
  ["appointments, search by phone", "/doctor/appointments?q=90000"],
  ["statistics", "/doctor/stats"],
  ["statistics, all months", "/doctor/stats?range=all"],
  ["availability", "/doctor/availability"],
] as const;

type Side = { address: DatabaseAddress; connection: Connection; server?: Running; cookie: string };

/** Measures and prints. Sets the exit code on unexpected responses, slow pages and table scans. */
export async function measureScale(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "nadi-scale-"));
  const sides: Side[] = [];
  const open = async (): Promise<Side> => {
    const address = await cloneTemplate("demo");
    const side: Side = { address, connection: connect(address, { max: 2 }), cookie: "" };
    sides.push(side);
    return side;
  };
  try {
    const [demo, big] = [await open(), await open()];
    copyDemoFiles(join(folder, "files"));
    const began = Date.now();
    const made = await generate(big.connection.sql);
    console.log(
      `${count(made.doctors)} doctors, ${count(made.slots)} slots, ${count(made.appointments)} appointments in ${((Date.now() - began) / 1000).toFixed(0)} s\n`,
    );
    await demo.connection.sql`vacuum analyze`;
    const slow = await measurePages(demo, big, folder);
    const bad = await showPlans(big, made);
    if (slow.length) console.error(`slower than ${LIMIT}×: ${slow.join(", ")}`);
    if (bad.length) console.error(`read from end to end:\n${bad.join("\n")}`);
    if (slow.length || bad.length) process.exitCode = 1;
  } finally {
    await Promise.all(sides.map(({ server }) => server?.stop()));
    await Promise.all(sides.map(({ connection }) => connection.end()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lower quartile, because other load only adds to the time of a round. */
const lowerQuartile = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 4)] as number;
const count = (n: number) => n.toLocaleString("en-IN");

type Made = { doctors: number; slots: number; appointments: number; typical: string; busy: string };
/** Fills a database of the intended size. Visits are inserted by time, so that a doctor's rows are scattered. */
async function generate(sql: Connection["sql"]): Promise<Made> {
  const today = todayInIndia(new Date());
  // Sequential ids: random ones would slow down filling the indexes.
  const id = (kind: number, n: string) => sql.unsafe(`(lpad(to_hex(${n}), 8, '0') || '-5ca1-4000-8000-00000000000${kind}')::uuid`);
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local synchronous_commit = off`;
    await tx`set local maintenance_work_mem = '256MB'`;
    // Disables foreign key checks if the role may; the rows are valid by construction.
    await tx.savepoint((sp) => sp`set local session_replication_role = replica`).catch(() => undefined);
    await tx`create temp table d on commit drop as select ${id(1, "n")} as id, n from generate_series(1, ${DOCTORS}::int) n`;
    await tx`create temp table p on commit drop as select ${id(2, "n")} as id, n from generate_series(1, ${DOCTORS * 2}::int) n`;
    await tx`insert into users (id, role, email, phone) select id, 'doctor', 'doctor' || n || '@scale.test', '+915' || lpad(n::text, 9, '0') from d`;
    await tx`insert into users (id, role, phone) select id, 'patient', '+916' || lpad(n::text, 9, '0') from p`;
    await tx`
      insert into doctors (id, registration_status, full_name, category, primary_specialization, consultation_fee, about, languages, hospital_id, city, state, council_name, council_number)
      select d.id, 'verified', 'Dr. Scale ' || d.n, 'Cardiology', 'Cardiologist', 50000, 'About', '{Telugu}', h.id, h.city, h.state, 'Scale Council', d.n::text
      from d cross join lateral (select id, city, state from hospitals order by id offset d.n % 10 limit 1) h`;
    await tx`insert into patients (id, name) select id, 'Patient ' || n from p`;
    await tx`
      insert into availability_slots (doctor_id, date, time)
      select d.id, ${today}::date + s.n / 10, time '09:00' + (s.n % 10) * interval '30 minutes' from d, generate_series(0, ${SLOTS_EACH - 1}::int) s(n)`;
    // Building the indexes at the end is ten times faster than updating them.
    const indexes = await tx<{ name: string; made: string }[]>`
      select indexname as name, indexdef as made from pg_indexes i
      where tablename = 'appointments' and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`;
    for (const { name } of indexes) await tx.unsafe(`drop index "${name}"`);
    const columns = tx`id, patient_id, doctor_id, date, time, status, reason, patient_name, patient_phone, patient_age, patient_gender, fee, payment_reference, idempotency_key, created_at, updated_at`;
    const names = ["Lakshmi", "Ramana", "Rehana", "Kiran", "Mariamma", "Khader", "Padma", "Rajesh", "Annapurna", "Joseph", "Durga"];
    const person = tx`(${names}::text[])[1 + (p.n % 11)] || ' ' || p.n, '+919' || lpad(p.n::text, 9, '0'), 20 + p.n % 60, (array['male', 'female'])[1 + p.n % 2]`;
    // Three quarters are past; the others are on the next twenty days, no two on one slot.
    await tx`
      insert into appointments (${columns})
      select ${id(3, `v.n * ${DOCTORS} + d.n`)}, p.id, d.id, ${today}::date + at.day, time '09:00' + at.half * interval '30 minutes',
        case when v.n < 75 then case when v.n % 10 = 9 then 'cancelled' else 'completed' end when v.n % 3 = 0 then 'pending' else 'accepted' end,
        'Routine Checkup', ${person}, 50000, 'SC' || d.n || '-' || v.n, 'scale-' || d.n || '-' || v.n, now(), now()
      from generate_series(0, ${VISITS_EACH - 1}::int) v(n)
      cross join d
      cross join lateral (select
        case when v.n < 75 then -1 - (v.n * 12) / 5 else (v.n - 75) % 20 end as day,
        case when v.n < 75 then v.n % 18 when v.n < 95 then (v.n - 75) % 10 else 9 - (v.n - 95) end as half) at
      join p on p.n = 1 + (d.n * 37 + v.n * 13) % ${DOCTORS * 2}`;
    await tx`
      insert into appointments (${columns})
      select ${id(4, "v.n")}, p.id, d.id, ${today}::date - 200 - v.n / 18, time '09:00' + (v.n % 18) * interval '30 minutes',
        case when v.n % 12 = 0 then 'cancelled' else 'completed' end, 'Routine Checkup', ${person}, 50000, 'SB-' || v.n, 'busy-' || v.n, now(), now()
      from generate_series(0, ${BUSY_DAYS * 18 - 1}::int) v(n) join d on d.n = 1 join p on p.n = 1 + (v.n * 7) % ${DOCTORS * 2}`;
    for (const { made } of indexes) await tx.unsafe(made);
    // Every fifth visit has a medical record.
    await tx`
      insert into files (id, owner_id, purpose, status, storage_key, media_type, byte_size, original_name)
      select id, patient_id, 'medical-record', 'attached', 'scale/' || id, 'image/jpeg', 1, 'document.jpg' from appointments
      where payment_reference like 'SC%' and idempotency_key like '%5'`;
    await tx`
      insert into medical_records (appointment_id, file_id, record_type, description)
      select id, id, 'other', 'Document' from files where storage_key like 'scale/%'`;
  });
  await sql`set statement_timeout = 0`;
  await sql`vacuum analyze`;
  const [sizes] = await sql<Made[]>`
    select (select count(*)::int from doctors) as doctors, (select count(*)::int from availability_slots) as slots,
      (select count(*)::int from appointments) as appointments,
      (select id from users where email = 'doctor2@scale.test') as typical, (select id from users where email = 'doctor1@scale.test') as busy`;
  return sizes as Made;
}

/** Measures the demo doctor's pages on both databases. Alternates, so that a slow second of the machine affects both alike. */
async function measurePages(demo: Side, big: Side, folder: string): Promise<string[]> {
  for (const [i, side] of [demo, big].entries()) {
    const data = join(folder, String(i));
    cpSync(join(folder, "files"), join(data, "files"), { recursive: true });
    side.server = await serve(["server.ts"], resolve(import.meta.dirname, "../.."), "/healthz", {
      DATABASE_URL: urlOf(side.address),
      DATA_DIR: data,
      DEMO: "1",
    });
    const { sql } = side.connection;
    const [me] = await sql<{ id: string }[]>`select id from users where email = ${DEMO.doctor.email}`;
    [side.cookie = ""] = await openSessions(sql, [me?.id ?? ""]);
  }
  const times = new Map(PAGES.map(([name]) => [name, { demo: [] as number[], big: [] as number[] }]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, path] of PAGES) {
      // Each side is first equally often.
      const order = [["demo", demo] as const, ["big", big] as const];
      for (const [which, { server, cookie }] of round % 2 ? order : order.toReversed()) {
        const port = server?.port ?? 0;
        const request = (n: number) => (n < REQUESTS ? wire(port, "GET", path, { cookie }) : null);
        const result = await load({ port, request, expect: 200, connections: 1, ms: 10_000 });
        if (Object.keys(result.odd).length) throw new Error(`${name}: unexpected answers ${JSON.stringify(result.odd)}`);
        if (round > 5) times.get(name)?.[which].push(result.p50); // the first ones warm up
      }
    }
  }
  const { model = "?" } = cpus()[0] ?? {};
  console.log(`${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${model.trim()} · Node ${process.version}`);
  console.log(
    `Time of a page in ms, lower quartile of ${ROUNDS} interleaved rounds; ratio, median of the rounds' own; the same doctor on both\n`,
  );
  // Ratios of each round, because both were measured within a second.
  const ratio = (t: { demo: number[]; big: number[] }) => median(t.big.map((ms, i) => ms / (t.demo[i] ?? 1)));
  const results = [...times].map(([name, t]) => ({ name, demo: lowerQuartile(t.demo), big: lowerQuartile(t.big), ratio: ratio(t) }));
  print(
    ["", "demo data", "at scale", "ratio"],
    results.map((r) => [r.name, r.demo.toFixed(2), r.big.toFixed(2), r.ratio.toFixed(2)]),
  );
  return results.filter((r) => r.ratio > LIMIT).map((r) => r.name);
}

/** Queries of each page: the functions that its loader calls. */
const ASKED: Record<string, (ctx: Ctx<Actor>) => Promise<unknown>[]> = {
  frame: (ctx) => [getDoctorName(ctx), countUnread(ctx)],
  dashboard: (ctx) => [
    getDoctorStats(ctx, "6m"),
    readToday(ctx),
    listWaiting(ctx),
    getNextSteps(ctx),
    findLastSlotDate(ctx, ctx.actor.userId),
  ],
  appointments: (ctx) => [listDoctorAppointments(ctx, { tab: "upcoming", page: 1, search: "" })],
  "appointments, completed": (ctx) => [listDoctorAppointments(ctx, { tab: "completed", page: 1, search: "" })],
  "search by name, no match": (ctx) => [listDoctorAppointments(ctx, { tab: "completed", page: 1, search: "no such name" })],
  "search by phone": (ctx) => [listDoctorAppointments(ctx, { tab: "upcoming", page: 1, search: "90000" })],
  schedule: (ctx) => [listSchedule(ctx)],
  statistics: (ctx) => [getDoctorStats(ctx, "all")],
  availability: (ctx) => [listSlotDays(ctx, { limit: 20 })],
};

/** Runs every statement with auto_explain and prints the plans. @returns the table scans */
async function showPlans({ address, connection }: Side, { typical, busy }: Made): Promise<string[]> {
  const plans: string[] = [];
  const onnotice = (notice: { message?: string }) => {
    if (notice.message?.startsWith("duration:")) plans.push(notice.message);
  };
  const sql = "url" in address ? postgres(address.url, { max: 1, onnotice }) : postgres({ ...address, max: 1, onnotice });
  try {
    await sql.unsafe(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
      set auto_explain.log_timing = off; set auto_explain.log_level = notice; set client_min_messages = notice`);
    const db = drizzle(sql, { schema, casing: "snake_case" });
    sql.options.serializers[1184] = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
    const [me] = await connection.sql<{ id: string }[]>`select id from users where email = ${DEMO.doctor.email}`;
    const doctors = {
      "demo doctor": me?.id ?? "",
      "doctor with 100 visits": typical,
      [`doctor with ${count(BUSY_DAYS * 18)} visits`]: busy,
    };
    const rows: string[][] = [];
    const bad = new Set<string>();
    const used = new Map<string, Set<string>>();
    for (const [page, ask] of Object.entries(ASKED)) {
      const cells: string[] = [];
      for (const userId of Object.values(doctors)) {
        const ctx = {
          db,
          actor: { userId, role: "doctor" },
          now: new Date(),
          integrations: {},
          requestId: "bench",
          ip: "",
        } as unknown as Ctx<Actor>;
        for (const work of ask(ctx)) await work; // warms up caches and prepared statements
        plans.length = 0;
        const began = performance.now();
        await Promise.all(ask(ctx));
        cells.push((performance.now() - began).toFixed(1));
        for (const plan of plans) {
          const scans = plan.split("\n").filter((line) => / Scan /.test(line));
          for (const scan of scans) {
            const words = scan.replace(/^[\s>-]*/, "").replace(/\s*\(.*$/, "");
            if (/^(Parallel )?Seq Scan/.test(words)) bad.add(`${page}: ${words}`);
            else if (!/^(Subquery|CTE|Function|Values|Result)/.test(words))
              used.set(page, (used.get(page) ?? new Set()).add(words.replace(/^(?!Bitmap Index)(.*) on \w+(?: \w+)?$/, "$1")));
          }
        }
      }
      rows.push([page, ...cells]);
    }
    console.log("\nTime of a page's statements in ms, the plan's own writing included; typical and busiest doctors\n");
    print(["", ...Object.keys(doctors)], rows);
    console.log("\nPlans\n");
    for (const [page, scans] of used) console.log(`- ${page}: ${[...scans].sort().join(", ")}`);
    console.log("");
    return [...bad];
  } finally {
    await sql.end();
  }
}
