/** Pages with the rows of years against the demo's data: the same users, alternating requests. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connect } from "#app/db/client.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { findWrongRatings } from "#app/domains/directory/ratings.server.ts";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import { findWrongBalances } from "#app/domains/patients/wallet/queries.server.ts";
import { sweepWebhooks } from "#app/domains/places/webhooks/sweep-webhooks.server.ts";
import { sweepFiles } from "#app/domains/platform/files/sweep-files.server.ts";
import { sweepNotifications } from "#app/domains/platform/notifications/mark-notifications.server.ts";
import { sweepUnclaimed } from "#app/domains/privacy/own-data/delete-account.server.ts";
import { sweepQueues } from "#app/domains/waiting-room/queue/sweep-queues.server.ts";
import { cloneTemplate, copyDemoFiles, urlOf } from "../../tests/setup/database.ts";
import { DEMO } from "../../tests/setup/people.ts";
import { median } from "../bench/table.ts";
import { makeWishes, openSessions, ROOT, type Running, serve, type Wish } from "../bench/world.ts";
import { databaseName, dropDatabase } from "../databases.ts";
import { Clients } from "./product/clients.ts";
import { below, indian } from "./product/figures.ts";
import { makeOldWorld, requireDisk, type Size, skipSealing } from "./product/old-world.ts";
import type { Figure, Proof } from "./proof.ts";

const LIMIT = 1.3;
/** Pairs of requests for each page; the first ones warm up. */
const pairsOf = (short: boolean) => (short ? 8 : 60);
const WARM = 6;
const FULL: Size = { visits: 10_000_000, patients: 1_000_000, notifications: 10_000_000, audit: 10_000_000 };
const SHORT: Size = { visits: 50_000, patients: 5_000, notifications: 50_000, audit: 50_000 };

type Account = "patient" | "doctor" | "admin" | "reception";
type Page = { name: string; account: Account; path: string };
type Side = {
  address: Awaited<ReturnType<typeof cloneTemplate>>;
  connection: Connection;
  server: Running;
  clients: Clients;
  cookies: Record<Account, string>;
  wishes: Wish[];
};

const proof: Proof = {
  title:
    "Pages of the demo's users with 10 million visits, 1 million patients, 10 million notifications and 10 million rows of the audit log of three years (short form: 0.5 %), against the demo's data. Two servers, requests in turn; a ratio is the median of the pairs.",
  async run({ short, report }) {
    const size = short ? SHORT : FULL;
    const pairs = pairsOf(short);
    const folder = mkdtempSync(join(tmpdir(), "nadi-old-rows-"));
    const sides: Partial<Side>[] = [];
    const prepare = async (fill: (sql: Connection["sql"]) => Promise<void>) => {
      const address = await cloneTemplate("demo");
      const connection = connect(address, { max: 1 });
      const side: Partial<Side> = { address, connection };
      sides.push(side);
      await fill(connection.sql);
      return side;
    };
    try {
      const demo = await prepare(async (sql) => void (await sql`vacuum analyze`));
      // Made with the template that was just copied.
      copyDemoFiles(join(folder, "files"));
      const began = performance.now();
      const old = await prepare(async (sql) => {
        await requireDisk(sql, size);
        await makeOldWorld(sql, size);
      });
      const [made] = await old.connection!.sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
      report({
        what: "visits, patients, notifications, rows of the audit log",
        value: Object.values(size).map(indian).join(", "),
      });
      report({
        what: "size of the database, and how long it took to fill",
        value: `${((made?.bytes ?? 0) / 2 ** 30).toFixed(1)} GB, ${((performance.now() - began) / 60_000).toFixed(1)} minutes`,
      });
      const both = [await start(demo, join(folder, "demo"), folder, pairs), await start(old, join(folder, "old"), folder, pairs)] as const;
      for (const page of await pagesOf(both[0].connection.sql)) report(await compare(page.name, both, pairs, (side) => get(side, page)));
      report(await compare("a booking", both, pairs, book));
      for (const figure of await timeJobs(old.connection!)) report(figure);
    } finally {
      for (const { clients } of sides) clients?.close();
      await Promise.all(sides.map(({ server }) => server?.stop()));
      await Promise.all(sides.map(({ connection }) => connection?.end()));
      for (const { address } of sides) if (address) await dropDatabase(address);
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
export default proof;

async function start(side: Partial<Side>, data: string, files: string, pairs: number): Promise<Side> {
  const { sql } = side.connection!;
  cpSync(join(files, "files"), join(data, "files"), { recursive: true });
  await skipSealing(sql);
  side.wishes = await makeWishes(sql, pairs);
  const users = await sql<{ account: Account; id: string }[]>`
    select case when role = 'staff' then 'reception' else role end as account, id from users
    where (role = 'patient' and phone = ${DEMO.patient.phone})
      or email in ${sql([DEMO.doctor.email, DEMO.admin.email, DEMO.reception.email])}`;
  const opened = await openSessions(
    sql,
    users.map(({ id }) => id),
  );
  side.cookies = Object.fromEntries(users.map(({ account }, i) => [account, opened[i]])) as Record<Account, string>;
  side.server = await serve(["server.ts"], ROOT, "/healthz", { DATABASE_URL: urlOf(side.address!), DATA_DIR: data, DEMO: "1" });
  side.clients = new Clients(side.server.port, 1);
  console.log(`  ${databaseName(side.address!)} is ready`);
  return side as Side;
}

/** The ids of the demo's rows are the same in both databases. */
async function pagesOf(sql: Connection["sql"]): Promise<Page[]> {
  const [ids] = await sql<{ visit: string; doctor: string; seen: string }[]>`
    select (select id from appointments where patient_id = p.id and status in ('pending', 'accepted') order by date desc limit 1) as visit,
      d.id as doctor, (select id from appointments where doctor_id = d.id and status = 'completed' order by date desc limit 1) as seen
    from users p, users d where p.role = 'patient' and p.phone = ${DEMO.patient.phone} and d.email = ${DEMO.doctor.email}`;
  const of = (account: Account, pages: Record<string, string>): Page[] =>
    Object.entries(pages).map(([name, path]) => ({ name: `${account}: ${name}`, account, path }));
  return [
    ...of("patient", {
      dashboard: "/patient-dashboard",
      appointments: "/patient/calendar",
      "past appointments": "/patient/calendar?tab=past",
      "an appointment": `/patient/appointments/${ids!.visit}`,
      notifications: "/patient/notifications",
      "free times of a doctor": `/patient/appointments/datetime?doctorId=${ids!.doctor}`,
      "who opened my records": "/patient/data/opened",
    }),
    ...of("doctor", {
      dashboard: "/doctor-dashboard",
      appointments: "/doctor/appointments",
      "completed appointments": "/doctor/appointments?tab=completed",
      "appointments, search by name": "/doctor/appointments?tab=completed&q=lak",
      "an appointment": `/doctor/patient/${ids!.seen}`,
      statistics: "/doctor/stats",
      notifications: "/doctor/notifications",
    }),
    ...of("reception", { desk: "/desk", requests: "/desk?show=requests", queue: "/desk/queue" }),
    ...of("admin", {
      overview: "/admin",
      users: "/admin/users",
      "users, search by name": "/admin/users?q=ramana",
      "users, search by phone": "/admin/users?q=9000000001",
      appointments: "/admin/appointments",
      "appointments, search by reference": "/admin/appointments?q=NADIDEMO0001",
      figures: "/admin/figures",
      payments: "/admin/payments",
      "audit log": "/admin/audit",
      "audit log, one action": "/admin/audit?action=read-visit",
    }),
  ];
}

const get = async (side: Side, { name, account, path }: Page): Promise<number> => {
  const { status, ms, location } = await side.clients.get(path, side.cookies[account]);
  if (status !== 200) throw new Error(`${name}: ${path} was answered with ${status} ${location}`);
  return ms;
};
const book = async (side: Side): Promise<number> => {
  const { status, ms, body } = await side.clients.book(side.wishes.pop()!);
  if (status !== 303) throw new Error(`a booking was answered with ${status}: ${body.slice(0, 200)}`);
  return ms;
};

/** A statement that takes longer ends the job, today and each time after. */
const STATEMENT = 5_000;
const JOBS: Record<string, (ctx: Ctx) => Promise<unknown>> = {
  "sweep of notifications": sweepNotifications,
  "sweep of deliveries of webhooks": sweepWebhooks,
  "sweep of files": sweepFiles,
  "sweep of accounts that were never claimed": sweepUnclaimed,
  "sweep of queues": sweepQueues,
  "comparison of ratings with reviews": findWrongRatings,
  "comparison of balances with their ledger": findWrongBalances,
  "words of the search": ({ db }) => refreshSearchWords(db),
};
/** Runs the parts of the hourly sweep that read much, once each, as the job does. */
async function timeJobs({ db }: Connection): Promise<Figure[]> {
  const ctx = { db, actor: null, now: new Date(), integrations: {}, requestId: "proof", ip: "" } as unknown as Ctx;
  const figures: Figure[] = [];
  for (const [name, work] of Object.entries(JOBS)) {
    const began = performance.now();
    await work(ctx);
    figures.push(below(`hourly: ${name}`, performance.now() - began, STATEMENT));
  }
  return figures;
}

/** Alternates, so that a slow second of the machine affects both alike. Each side is first equally often. */
async function compare(what: string, both: readonly [Side, Side], pairs: number, ask: (side: Side) => Promise<number>): Promise<Figure> {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < pairs; n++)
    for (const which of n % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const took = await ask(both[which]);
      if (n >= WARM) times[which].push(took);
    }
  const [demo, old] = times;
  const ratio = median(old.map((ms, i) => ms / demo[i]!));
  return {
    what,
    value: `${median(demo).toFixed(1)} ms, ${median(old).toFixed(1)} ms: ${ratio.toFixed(2)}×`,
    target: `≤ ${LIMIT}×`,
    met: ratio <= LIMIT,
    timed: true,
  };
}
