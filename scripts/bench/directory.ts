/**
 * Part of `npm run bench -- --scale`: compares the public lists and searches with 10,000 doctors and 5,000 hospitals to the demo
 * data in one run, and prints the times of their statements. Fails when a page's p99 is more than 2× slower.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Connection, connect } from "#app/db/client.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { type DoctorSearch, listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { type HospitalSearch, listHospitals } from "#app/domains/directory/hospitals/directory.server.ts";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import { cloneTemplate, copyDemoFiles, urlOf } from "../../tests/setup/database.ts";
import { DEMO } from "../../tests/setup/people.ts";
import { median, print } from "./table.ts";
import { openSessions, type Running, serve } from "./world.ts";

const DOCTORS = 10_000;
const HOSPITALS = 5_000;
const LIMIT = 2;
/** Requests of each page on each side. The first ones warm up. */
const ROUNDS = 440;
const WARM = 40;

const LIST = "/doctorspages/Cards-data";
const HOSPITAL_LIST = "/hospitalpages/Cards-data";
const PAGES = [
  ["doctors", LIST],
  ["doctors, nearest", `${LIST}?sort=distance`],
  ["doctors, best rated", `${LIST}?sort=review`],
  ["doctors, liked", `${LIST}?sort=liked`],
  ["doctors, a specialty", `${LIST}?specialty=Cardiologist`],
  ["doctors, by name", `${LIST}?q=reddy`],
  ["doctors, name and specialty", `${LIST}?q=reddy+cardiologist&sort=distance`],
  ["doctors, by area", `${LIST}?q=vijayawada`],
  ["doctors, with a slip", `${LIST}?q=cardiolgist`],
  ["doctors, no match", `${LIST}?q=xyzzyplugh`],
  ["doctors, one letter", `${LIST}?q=a`],
  ["doctors, farthest", `${LIST}?sort=distance-reversed`],
  ["doctors, lowest rated", `${LIST}?sort=review-reversed`],
  ["hospitals", HOSPITAL_LIST],
  ["hospitals, nearest", `${HOSPITAL_LIST}?sort=distance`],
  ["hospitals, most doctors", `${HOSPITAL_LIST}?sort=doctors`],
  ["hospitals, nearest without", `${HOSPITAL_LIST}?doctors=none&sort=distance`],
  ["hospitals, with doctors", `${HOSPITAL_LIST}?doctors=available`],
  ["hospitals, by name", `${HOSPITAL_LIST}?q=krishna`],
  ["hospitals, with a slip", `${HOSPITAL_LIST}?q=krihsna`],
] as const;

/** Inserts doctors and half as many hospitals, most of them near the largest cities. */
export async function generate(sql: Connection["sql"], howMany = DOCTORS): Promise<void> {
  const places = howMany / 2;
  const first = [
    "Lakshmi",
    "Ramana",
    "Rehana",
    "Kiran",
    "Mariamma",
    "Khader",
    "Padma",
    "Rajesh",
    "Annapurna",
    "Joseph",
    "Durga",
    "Suresh",
    "Fathima",
  ];
  const last = [
    "Reddy",
    "Rao",
    "Sharma",
    "Shaik",
    "Kolli",
    "Vemuri",
    "Naidu",
    "Iyer",
    "Baig",
    "Das",
    "Patel",
    "Kumar",
    "Devi",
    "Prasad",
    "Thomas",
    "Gupta",
    "Varma",
  ];
  const kinds = ["Heart Centre", "General Hospital", "Clinic", "Care", "Dental", "Diagnostics", "Children's Hospital"];
  const saints = [
    "Krishna",
    "Sri Durga",
    "Apollo",
    "Amaravati",
    "Golconda",
    "St. Joseph",
    "Lotus",
    "Sunrise",
    "Prakasam",
    "Nalanda",
    "Ganga",
  ];
  const chips = [
    "Cardiologist",
    "Dermatologist",
    "Pediatrician",
    "Neurologist",
    "Orthopedic",
    "Psychiatrist",
    "Gynecologist",
    "Urologist",
    "Oncologist",
    "Dentist",
    "Pulmonologist",
    "Nephrologist",
  ];
  const tiles = ["Cardiology", "Dentistry", "General", "Neurology", "Pulmonary", "Gastroen"];
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`create temp table place on commit drop as select row_number() over (order by rank desc, id) as k, name, state, latitude, longitude from cities order by rank desc, id limit 300`;
    await tx`
      insert into hospitals (name, category, specialties, address, area, city, state, latitude, longitude, rating_sum, rating_count)
      select (${saints}::text[])[1 + n % ${saints.length}] || ' ' || (${kinds}::text[])[1 + n / 11 % ${kinds.length}] || ' ' || n, 'Hospital',
        array[(${tiles}::text[])[1 + n % 6], (${tiles}::text[])[1 + (n + 1) % 6]], n || ' Main Road', 'Area ' || n % 97, p.name, p.state,
        p.latitude + (n % 41) * 0.003, p.longitude + (n % 37) * 0.003, n % 50, n % 11
      from generate_series(1, ${places}::int) n join place p on p.k = 1 + (n * n) % 300`;
    await tx`create temp table h on commit drop as select row_number() over (order by id) as n, id, area, city, state, latitude, longitude from hospitals where address like '% Main Road'`;
    await tx`insert into users (role, email, phone) select 'doctor', 'doctor' || n || '@directory.test', '+915' || lpad(n::text, 9, '0') from generate_series(1, ${DOCTORS}::int) n`;
    await tx`
      insert into doctors (id, registration_status, full_name, category, primary_specialization, experience_years, consultation_fee, about, languages, hospital_id, area, city, state, latitude, longitude, rating_sum, rating_count)
      select u.id, 'verified', 'Dr. ' || (${first}::text[])[1 + d.n % ${first.length}] || ' ' || (${last}::text[])[1 + d.n / 13 % ${last.length}],
        (${tiles}::text[])[1 + d.n % 6], (${chips}::text[])[1 + d.n % ${chips.length}], d.n % 40, 30000 + d.n % 20 * 5000, 'About', '{Telugu}',
        h.id, h.area, h.city, h.state, h.latitude, h.longitude, d.n % 60, d.n % 13
      from generate_series(1, ${howMany}::int) d(n) join users u on u.email = 'doctor' || d.n || '@directory.test' join h on h.n = 1 + (d.n * 7) % ${places * 0.8}`;
    await tx`
      insert into availability_slots (doctor_id, date, time)
      select doctors.id, current_date + day, time '09:00' + half * interval '30 minutes' from users join doctors on doctors.id = users.id, generate_series(1, 7) day, generate_series(0, 3) half
      where email like '%@directory.test'`;
  });
}

type Side = { connection: Connection; database: string; server?: Running; cookie: string };

export async function measureDirectory(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "nadi-directory-"));
  const sides: Side[] = [];
  try {
    for (const name of ["demo", "big"]) {
      const address = await cloneTemplate("demo");
      const side: Side = { connection: connect(address, { max: 2 }), database: urlOf(address), cookie: "" };
      sides.push(side);
      const { sql, db } = side.connection;
      if (name === "big") await generate(sql);
      await sql`set statement_timeout = 0`;
      await sql`vacuum analyze`;
      await refreshSearchWords(db);
      await sql`analyze search_words`;
      const data = join(folder, name);
      copyDemoFiles(join(data, "files"));
      const variables = { DATABASE_URL: side.database, DATA_DIR: data, DEMO: "1" };
      side.server = await serve(["server.ts"], resolve(import.meta.dirname, "../.."), "/healthz", variables);
      const [me] = await sql<{ id: string }[]>`select id from users where role = 'patient' and phone = ${DEMO.patient.phone}`;
      [side.cookie = ""] = await openSessions(sql, [me?.id ?? ""]);
    }
    const [demo, big] = sides as [Side, Side];
    const times = new Map(PAGES.map(([name]) => [name, { demo: [] as number[], big: [] as number[] }]));
    // Alternates pages and sides, so that a slow second of the machine affects all alike.
    const order = [["demo", demo] as const, ["big", big] as const];
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, path] of PAGES)
        for (const [which, { server, cookie }] of round % 2 ? order : order.toReversed()) {
          const ms = await timed(`http://127.0.0.1:${server?.port}${path}`, cookie);
          if (round >= WARM) times.get(name)?.[which].push(ms);
        }
    const rows = [...times].map(([name, t]) => {
      const [p50, p99] = [0.5, 0.99].map((share) => ({ demo: at(t.demo, share), big: at(t.big, share) })) as [Pair, Pair];
      return { name, p50, p99 };
    });
    console.log(
      `\nThe directory: ${DOCTORS.toLocaleString("en-IN")} doctors and ${HOSPITALS.toLocaleString("en-IN")} hospitals beside the demo data, ms; ${ROUNDS - WARM} single requests of each page on each side, in turns; load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores\n`,
    );
    print(
      ["", "demo p50", "at scale", "ratio", "demo p99", "at scale", "ratio"],
      rows.map(({ name, p50, p99 }) => [
        name,
        ...[p50, p99].flatMap((p) => [p.demo.toFixed(1), p.big.toFixed(1), (p.big / p.demo).toFixed(2)]),
      ]),
    );
    await showStatements(big.connection);
    const slow = rows.filter(({ p99 }) => p99.big / p99.demo > LIMIT).map(({ name }) => name);
    if (slow.length) {
      console.error(`slower than ${LIMIT}×: ${slow.join(", ")}`);
      process.exitCode = 1;
    }
  } finally {
    await Promise.all(sides.map(({ server }) => server?.stop()));
    await Promise.all(sides.map(({ connection }) => connection.end()));
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}
/** Returns the time of one request to its last byte in ms. */
function timed(url: string, cookie: string): Promise<number> {
  const { promise, resolve: done, reject } = Promise.withResolvers<number>();
  const began = performance.now();
  get(url, { agent, headers: { cookie } }, (answer) => {
    answer.resume();
    answer.on("error", reject);
    answer.on("end", () =>
      answer.statusCode === 200 ? done(performance.now() - began) : reject(new Error(`${url}: unexpected answer ${answer.statusCode}`)),
    );
  }).on("error", reject);
  return promise;
}
const agent = new Agent({ keepAlive: true });
type Pair = { demo: number; big: number };
const at = (numbers: number[], share: number) => numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] as number;

/** Prints the database time of each search. */
async function showStatements({ db }: Connection): Promise<void> {
  const ctx = { db, actor: null, now: new Date(), integrations: {}, requestId: "bench", ip: "" } as unknown as Ctx;
  const near = { latitude: 16.5, longitude: 80.65 };
  const common = { near, limit: 8 };
  const doctorSearches: Partial<DoctorSearch>[] = [
    {},
    { sort: "distance" },
    { sort: "distance", reversed: true },
    { sort: "review" },
    { sort: "review", reversed: true },
    { sort: "fee" },
    { sort: "experience" },
    { specialty: "Dentist", sort: "distance" },
    { category: "Cardiology", sort: "distance" },
    { text: "reddy" },
    { text: "a" },
    { text: "cardiolgist" },
    { offset: 9984 },
  ];
  const hospitalSearches: Partial<HospitalSearch>[] = [
    {},
    { sort: "distance" },
    { sort: "review" },
    { sort: "doctors" },
    { doctors: "available" },
    { doctors: "none", sort: "distance" },
    { category: "Cardiology", sort: "distance" },
    { text: "krishna" },
    { text: "krihsna" },
  ];
  const rows: string[][] = [];
  const measure = async (name: string, ask: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let i = 0; i < 20; i++) {
      const began = performance.now();
      await ask();
      if (i > 6) times.push(performance.now() - began); // PostgreSQL uses the generic plan from the sixth on
    }
    rows.push([name, median(times).toFixed(1)]);
  };
  for (const search of doctorSearches) await measure(`doctors ${JSON.stringify(search)}`, () => listDoctors(ctx, { ...common, ...search }));
  for (const search of hospitalSearches)
    await measure(`hospitals ${JSON.stringify(search)}`, () => listHospitals(ctx, { ...common, ...search }));
  console.log("\nThe statements of a search at scale, ms\n");
  print(["", "ms"], rows);
}
