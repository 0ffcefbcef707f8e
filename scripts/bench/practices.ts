/**
 * Part of `npm run bench -- --scale`: the directory and booking in a database, and in its copy where four of ten doctors have a second practice, in
 * turns. By default 10,000 doctors, 14,000 practices and 60 days of times. `--practices 1000 --days 14` is a smaller run. Fails when a search or a
 * booking takes more than twice as long and more than 5 ms longer.
 */
import { cpus, loadavg } from "node:os";
import { drizzle } from "drizzle-orm/postgres-js";
import type { ReservedSql } from "postgres";
import { type Connection, connect } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema/index.ts";
import { bookAppointment } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { listMonthLoad } from "#app/domains/booking/availability/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type DoctorSearch, listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { wishFor } from "../../tests/factories/booking.ts";
import { cloneTemplate } from "../../tests/setup/database.ts";
import { databaseName, inDatabase, withAdmin } from "../databases.ts";
import { generate } from "./directory.ts";
import { median, print } from "./table.ts";

/** Days of the week with times, and times of such a day, of one practice. */
const [WEEKDAYS, TIMES] = [2, 4];
const SHARE = 0.4;
const [ROUNDS, WARM, BOOKINGS] = [40, 8, 200];
const [LIMIT, LIMIT_MS] = [2, 5];

const SEARCHES: Record<string, Partial<DoctorSearch>> = {
  "nearest doctors": {},
  "nearest, page 20": { offset: 160 },
  "farthest first": { sort: "distance", reversed: true },
  "best rated": { sort: "review" },
  "lowest fee": { sort: "fee" },
  "next free time": { sort: "soonest" },
  "a category": { category: "Cardiology" },
  "fee at most 500, in 10 km": { filters: { fee: "500", within: "10" } },
  "free tomorrow": { filters: { day: "tomorrow" } },
  "by name": { text: "reddy" },
  "by name and city": { text: "reddy guntur" },
  "by a common letter": { text: "a" },
  "no match": { text: "xyzzyplugh" },
};
type Figures = { p50: number; p95: number; statements: number };

/** Measures and prints. Sets the exit code when second practices make a search or booking slow. */
export async function measurePractices({ doctors, days }: { doctors: number; days: number }): Promise<void> {
  const began = Date.now();
  const address = await cloneTemplate("demo");
  const first = connect(address, { max: 2 });
  try {
    const { sql } = first;
    await generate(sql, doctors);
    await sql`insert into users (role, phone) select 'patient', '+916' || lpad(n::text, 9, '0') from generate_series(1, ${BOOKINGS * 2}::int) n`;
    await sql`insert into patients (id, name) select id, 'Patient' from users where role = 'patient' and phone like '+916%' on conflict do nothing`;
    await unbounded(sql, (own) => addTimes(own, days, false));
  } finally {
    await first.end();
  }
  const [one, two] = [connect(address, { max: 2 }), connect(await copyOf(address), { max: 2 })];
  try {
    const added = await unbounded(two.sql, (own) => addPractices(own, days));
    for (const connection of [one, two]) await settle(connection);
    const [before, after] = await measure(one.sql, two.sql);
    const [{ slots } = { slots: 0 }] = await two.sql<{ slots: number }[]>`select count(*)::int as slots from availability_slots`;
    const count = (n: number) => n.toLocaleString("en-IN");
    console.log(
      `\nPractices: ${count(doctors)} doctors beside the demo data, ${count(added)} further practices, ${days} days, ${count(slots)} times; ` +
        `${ROUNDS - WARM} searches and ${BOOKINGS} bookings, one at a time; ${((Date.now() - began) / 1000).toFixed(0)} s in all; ` +
        `load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores\n`,
    );
    const cells = ({ p50, p95, statements }: Figures) => [p50.toFixed(2), p95.toFixed(2), String(statements)];
    print(
      ["", "one practice each, p50 ms", "p95", "statements", "with further ones, p50 ms", "p95", "statements", "ratio"],
      [...before].map(([name, one]) => {
        const two = after.get(name) as Figures;
        return [name, ...cells(one), ...cells(two), (two.p50 / one.p50).toFixed(2)];
      }),
    );
    const slow = [...before].filter(([name, { p50 }]) => {
      const now = (after.get(name) as Figures).p50;
      return now > p50 * LIMIT && now - p50 > LIMIT_MS;
    });
    if (slow.length) {
      console.error(`slower than ${LIMIT}× with further practices: ${slow.map(([name]) => name).join(", ")}`);
      process.exitCode = 1;
    }
  } finally {
    await Promise.all([one.end(), two.end()]);
  }
}

/** Copies a database that has no connections. */
async function copyOf(address: DatabaseAddress): Promise<DatabaseAddress> {
  const copy = `${databaseName(address)}_two`;
  await withAdmin(address, (sql) => sql.unsafe(`create database "${copy}" template "${databaseName(address)}"`));
  return inDatabase(address, copy);
}

async function settle({ sql, db }: Pick<Connection, "sql" | "db">): Promise<void> {
  await unbounded(sql, (own) => own`vacuum analyze`);
  await refreshSearchWords(db);
  await sql`analyze search_words`;
}

/** Preparing takes longer than a page may: no limit for the statements of `work`, on a connection of its own. */
async function unbounded<T>(sql: Connection["sql"], work: (own: ReservedSql) => PromiseLike<T>): Promise<T> {
  const own = await sql.reserve();
  try {
    await own`set statement_timeout = 0`;
    return await work(own);
  } finally {
    await own`reset statement_timeout`;
    own.release();
  }
}

/** Inserts the times of first or further practices. Building the index of the exclusion constraint once is faster than row by row. */
async function addTimes(sql: ReservedSql, days: number, further: boolean): Promise<void> {
  const name = "availability_one_place_at_a_time";
  const [{ rule } = { rule: "" }] = await sql<
    { rule: string }[]
  >`select pg_get_constraintdef(oid) as rule from pg_constraint where conname = ${name}`;
  await sql.unsafe(`alter table availability_slots drop constraint ${name}`);
  // The evening in the second place, on the days after those in the first.
  await sql`
    insert into availability_slots (doctor_id, practice_id, date, time)
    select p.doctor_id, p.id, current_date + d.n, time '09:00' + (t.n + case when ${further} then 16 else 0 end) * interval '30 minutes'
    from practices p join users u on u.id = p.doctor_id and u.email like '%@directory.test',
      generate_series(1, ${days}::int) d(n), generate_series(0, ${TIMES - 1}::int) t(n)
    where (p.id <> p.doctor_id) = ${further} and (d.n + hashtext(p.doctor_id::text) % 7 + case when ${further} then 2 else 0 end) % 7 between 0 and ${WEEKDAYS - 1}
    on conflict do nothing`;
  await sql.unsafe(`alter table availability_slots add constraint ${name} ${rule}`);
}

/** Gives four of ten doctors a practice at a hospital far from their own. @returns how many */
async function addPractices(sql: ReservedSql, days: number): Promise<number> {
  const rows = await sql`
    insert into practices (doctor_id, hospital_id, fee)
    select d.id, h.id, 20000 + (d.n % 20) * 5000
    from (select d.id, d.hospital_id, row_number() over (order by d.id) as n from doctors d join users u on u.id = d.id where u.email like '%@directory.test') d
      join (select id, row_number() over (order by md5(id::text)) as n, count(*) over () as many from hospitals where status = 'active') h
        on h.n = 1 + (d.n * 31) % h.many
    where d.n % 10 < ${SHARE * 10} and h.id is distinct from d.hospital_id
    returning 1`;
  await addTimes(sql, days, true);
  return rows.length;
}

type Work = (round: number) => Promise<unknown>;
/** Measures both databases in turns, so that a slow minute of the machine affects both alike. */
async function measure(...pools: [Connection["sql"], Connection["sql"]]): Promise<[Map<string, Figures>, Map<string, Figures>]> {
  const sides = await Promise.all(pools.map(casesOf));
  const figures: [Map<string, Figures>, Map<string, Figures>] = [new Map(), new Map()];
  for (const [name, { rounds }] of sides[0]!.cases) {
    const times: number[][] = [[], []];
    const statements = [0, 0];
    for (let round = 0; round < rounds; round++)
      for (const [side, { cases, counted }] of sides.entries()) {
        counted.statements = 0;
        const began = performance.now();
        await cases.get(name)!.work(round);
        if (round >= WARM) times[side]!.push(performance.now() - began);
        statements[side] = counted.statements;
      }
    for (const [side, own] of times.entries()) {
      const p95 = own.toSorted((a, b) => a - b)[Math.floor((own.length - 1) * 0.95)] as number;
      figures[side]!.set(name, { p50: median(own), p95, statements: statements[side]! });
    }
  }
  return figures;
}

async function casesOf(
  sql: Connection["sql"],
): Promise<{ cases: Map<string, { rounds: number; work: Work }>; counted: { statements: number } }> {
  const counted = { statements: 0 };
  const db = drizzle(sql, { schema, casing: "snake_case", logger: { logQuery: () => counted.statements++ } });
  const ctxOf = (actor: Actor | null) =>
    ({ db, actor, now: new Date(), integrations: {}, requestId: "bench", ip: "127.0.0.1" }) as unknown as Ctx<Actor>;
  const near = { latitude: 16.5, longitude: 80.65 };
  const month = addDays(todayInIndia(new Date()), 5).slice(0, 7);
  const free = await sql<{ doctor: string; date: string; time: string; patient: string }[]>`
    select s.doctor_id as doctor, s.date::text, to_char(s.time, 'HH24:MI') as time, p.id as patient
    from (select s.*, row_number() over (order by md5(s.doctor_id::text || s.date || s.time)) as n from availability_slots s
      join users u on u.id = s.doctor_id and u.email like '%@directory.test' where s.date > current_date + 1 and s.practice_id = s.doctor_id
      and not exists (select from slot_claims c where c.doctor_id = s.doctor_id and c.date = s.date and c.time = s.time) limit 100000) s
      join (select id, row_number() over (order by id) as n, count(*) over () as many from users where role = 'patient' and phone like '+916%') p on p.n = 1 + s.n % p.many
    where s.n <= ${BOOKINGS + WARM} order by s.n`;
  const cases = new Map<string, { rounds: number; work: Work }>();
  for (const [name, search] of Object.entries(SEARCHES))
    cases.set(name, { rounds: ROUNDS, work: () => listDoctors(ctxOf(null), { near, limit: 8, ...search }) });
  cases.set("a doctor's month", { rounds: ROUNDS, work: (round) => listMonthLoad(ctxOf(null), free[round]?.doctor ?? "", month) });
  cases.set("booking", {
    rounds: Math.min(free.length, BOOKINGS + WARM),
    work: (round) => {
      const { doctor, date, time: at, patient } = free[round] as (typeof free)[number];
      return bookAppointment(ctxOf({ userId: patient, role: "patient" }), wishFor(doctor, { date, time: at }));
    },
  });
  return { cases, counted };
}
