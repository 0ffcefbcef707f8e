/** Starts what the benchmark measures: the product with its own demo database, and two bare pages. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Connection, connect } from "#app/db/client.server.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { cloneTemplate, copyDemoFiles, DEMO_KEY, urlOf } from "../../tests/setup/database.ts";
import { DEMO } from "../../tests/setup/people.ts";
import { freePort } from "../../tests/setup/server.ts";
import { peakOf, processorTimeOf, residentOf, threadTimeOf } from "../processes.ts";

/** The checkout of this build. */
export const ROOT = resolve(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache/nadi-bench");

export type Running = {
  port: number;
  /** Returns the peak memory in MB. */
  peak(): number;
  /** Returns the current memory in MB. */
  resident(): number;
  /** Returns the CPU time so far in ms. */
  used(): number;
  /** Returns the CPU time of its present threads in ms, for intervals shorter than a second. */
  usedNow(): number;
  stop(): Promise<void>;
};
/** A patient and a free slot for a booking post. */
export type Wish = { cookie: string; doctorId: string; date: string; time: string };
export type World = {
  /** The product, the bare page in the product's server, and unmodified React Router. */
  product: Running;
  bare: Running;
  stock: Running;
  sql: Connection["sql"];
  db: Connection["db"];
  /** Memory of the product in MB before its first page. */
  resident: number;
  /** Cookies of the demo patient on a later page: session and cached stylesheets. */
  patient: string;
  /** Session cookie only, as on a first page. */
  session: string;
  doctorId: string;
  wishes: Wish[];
  /** Starts the product of a checkout on the same database, with more variables of its environment. */
  startProduct(root: string, extra?: Record<string, string>): Promise<Running>;
  end(): Promise<void>;
};

/** Starts the servers with patients and free slots for `bookings` posts. */
export async function makeWorld(bookings: number): Promise<World> {
  for (const variant of ["bare", "stock"] as const) buildBare(variant);
  const folder = mkdtempSync(join(tmpdir(), "nadi-bench-"));
  const address = await cloneTemplate("demo");
  copyDemoFiles(join(folder, "files"));
  const connection = connect(address, { max: 2 });
  const { sql, db } = connection;
  const running: Running[] = [];
  const end = async () => {
    await Promise.all(running.map((one) => one.stop()));
    await connection.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [{ id: me } = { id: "" }] = await sql<
      { id: string }[]
    >`select id from users where phone = ${DEMO.patient.phone} and role = 'patient'`;
    const [{ id: doctorId } = { id: "" }] = await sql<{ id: string }[]>`select id from users where email = ${DEMO.doctor.email}`;
    const [session = ""] = await openSessions(sql, [me]);
    const wishes = await makeWishes(sql, bookings);
    await sql`analyze`;

    const database = { DATABASE_URL: urlOf(address), DATA_DIR: folder, DEMO: "1" };
    const entry = `process.env.NODE_ENV = "production"; const { start } = await import("./build/server/index.js"); await start();`;
    const inline = ["--input-type=module", "-e", entry];
    const startProduct = async (root: string, extra: Record<string, string> = {}) => {
      const one = await serve(["server.ts"], root, "/healthz", { ...database, ...(root === ROOT && profiling()), ...extra });
      running.push(one);
      return one;
    };
    await startProduct(ROOT);
    running.push(await serve(inline, join(CACHE, "bare"), "/healthz", database));
    running.push(await serve(inline, join(CACHE, "stock"), "/", database));
    const [product, bare, stock] = running as [Running, Running, Running];
    const resident = product.resident();
    const seen = await fetch(`http://localhost:${product.port}/choose-role`);
    const patient = [session, ...seen.headers.getSetCookie().map((line) => line.split(";")[0])].join("; ");
    return { product, resident, bare, stock, sql, db, patient, session, doctorId, wishes, startProduct, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** `BENCH_PROFILE=folder` writes a CPU profile of the product there. */
const profiling = (): Record<string, string> =>
  process.env.BENCH_PROFILE ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(process.env.BENCH_PROFILE)}` } : {};

function buildBare(variant: "bare" | "stock"): void {
  rmSync(join(CACHE, variant), { recursive: true, force: true });
  const built = spawnSync(process.execPath, [join(ROOT, "node_modules/@react-router/dev/bin.cjs"), "build", "--logLevel", "error"], {
    cwd: join(import.meta.dirname, "bare"),
    env: { ...process.env, BENCH_STOCK: variant === "stock" ? "1" : "0" },
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`the ${variant} page was not built:\n${built.stdout}${built.stderr}`);
}

/** Starts a server and waits until it responds. It logs to a file, as in production. */
export async function serve(args: string[], cwd: string, path: string, env: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "nadi-bench-log-"));
  const log = openSync(join(folder, "log"), "w");
  const child = spawn(process.execPath, args, {
    cwd,
    // The demo's sealed rows open with its key alone.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", PORT: String(port), ENCRYPTION_KEY: DEMO_KEY, ...env },
    stdio: ["ignore", log, log],
  });
  const exited = new Promise<void>((ok) => child.once("exit", () => ok()));
  const running: Running = {
    port,
    peak: () => peakOf(child.pid as number),
    resident: () => residentOf(child.pid as number),
    used: () => processorTimeOf(child.pid as number),
    usedNow: () => threadTimeOf(child.pid as number),
    async stop() {
      child.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let i = 0; i < 100 && child.exitCode === null; i++) {
    const answer = await fetch(`http://localhost:${port}${path}`).catch(() => null);
    if (answer?.ok) return running;
    await new Promise((again) => setTimeout(again, 100));
  }
  const logged = readFileSync(join(folder, "log"), "utf8");
  await running.stop();
  throw new Error(`a server of the bench did not start:\n${logged}`);
}

/** Creates sessions and returns their cookies. */
export async function openSessions(sql: Connection["sql"], userIds: string[]): Promise<string[]> {
  const rows = userIds.map((id) => ({ id, token: randomToken() }));
  const given = rows.map(({ id, token }) => ({ id, hash: hashToken(token) }));
  await sql`
    insert into sessions (token_hash, user_id, expires_at)
    select hash, id, now() + interval '1 day' from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as given(id uuid, hash text)`;
  return rows.map(({ token }) => `nadi_session=${token}`);
}

/** Inserts enough patients for the limit of 20 bookings an hour, and slots every five minutes from next month on. */
export async function makeWishes(sql: Connection["sql"], count: number): Promise<Wish[]> {
  const patients = await sql<{ id: string }[]>`
    insert into users (role, phone) select 'patient', '+918' || lpad(n::text, 9, '0') from generate_series(1, ${Math.ceil(count / 15)}::int) n returning id`;
  await sql`insert into patients (id, name) select id, 'Bench Patient' from users where phone like '+918%' on conflict do nothing`;
  const slots = await sql<{ doctor_id: string; date: string; time: string }[]>`
    insert into availability_slots (doctor_id, date, time)
    select d.id, current_date + 20 + day, time '08:00' + five * interval '5 minutes'
    from generate_series(0, 60) day, generate_series(0, 120) five, doctors d where d.registration_status = 'verified'
    order by five, day limit ${count}
    returning doctor_id, date::text, time::text`;
  const cookies = await openSessions(
    sql,
    patients.map(({ id }) => id),
  );
  return slots.map(({ doctor_id, date, time }, n) => ({
    cookie: cookies[n % cookies.length] as string,
    doctorId: doctor_id,
    date,
    time: time.slice(0, 5),
  }));
}
