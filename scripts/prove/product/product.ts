/** Starts the built product for a proof: reference data, verified doctors with times, logged-in patients. */
import { makeDoctor } from "../../../tests/factories/people.ts";
import { cloneTemplate } from "../../../tests/setup/database.ts";
import { startServer, type TestServer } from "../../../tests/setup/server.ts";
import { makeWishes, type Wish } from "../../bench/world.ts";
import { dropDatabase } from "../../databases.ts";
import { familyOf } from "../../processes.ts";

const DOCTORS = 20;

/** The settings of production behind a proxy, with providers that do not exist. */
export const BEHIND_PROXY = {
  DEMO: "0",
  WEB_CONCURRENCY: "1",
  HOST: "127.0.0.1",
  CLOCK_FILE: undefined,
  SESSION_SECRET: "a secret of the proofs that is long enough",
  TRUST_PROXY: "1",
  SMS_PROVIDER: "msg91",
  MSG91_AUTH_KEY: "proof",
  MSG91_BASE_URL: "http://127.0.0.1:9",
  SMTP_URL: "smtp://127.0.0.1:9",
  UPI_VPA: "nadi@upi",
} as const;

type World = { server: TestServer; database: Awaited<ReturnType<typeof cloneTemplate>>; wishes: Wish[]; cookies: string[] };
type Env = Record<string, string | undefined>;
/**
 * Runs `work` with a server, free times and fifteen times fewer patients: each may book 20 times an hour.
 * @param options.env more variables, also made from the address of the database
 */
export async function withProduct(
  options: { times: number; env?: Env | ((database: World["database"]) => Env | Promise<Env>) },
  work: (world: World) => Promise<void>,
): Promise<void> {
  const database = await cloneTemplate("reference");
  const env = typeof options.env === "function" ? await options.env(database) : options.env;
  const server = await startServer({ database, env: { LOG_LEVEL: "warn", ...env } });
  try {
    for (let i = 0; i < DOCTORS; i++) await makeDoctor(server.db);
    const wishes = await makeWishes(server.sql, options.times);
    await server.sql`analyze`;
    await work({ server, database, wishes, cookies: [...new Set(wishes.map(({ cookie }) => cookie))] });
  } finally {
    await endAtOnce(server);
    await dropDatabase(database);
  }
}

/** Ends a server without draining, which takes 5 s behind a proxy and is measured by the proof of stops. */
export async function endAtOnce(server: TestServer): Promise<void> {
  const workers = familyOf(server.pid).slice(1);
  const stopped = server.stop("SIGKILL");
  for (const pid of workers) process.kill(pid, "SIGKILL");
  await stopped;
}

/** Compares acknowledged bookings with the database. */
export async function compare(sql: TestServer["sql"], acknowledged: readonly string[]) {
  const rows = await sql<{ id: string }[]>`select id from appointments where status in ('pending', 'accepted')`;
  const stored = new Set(rows.map(({ id }) => id));
  const [twice] = await sql<{ n: number }[]>`
    select count(*)::int as n from (
      select from appointments where status in ('pending', 'accepted') group by doctor_id, date, time having count(*) > 1) as slot`;
  return { lost: acknowledged.filter((id) => !stored.has(id)).length, twice: twice!.n, stored: rows.length };
}
