/**
 * `npm run bench -- --sealing`: what encrypted columns cost the doctor's pages. The processor time of a page comes from the
 * server; the number of values that its queries open, and the time of one, from this process. What they mean: docs/performance.md.
 */

import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { appointments } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { listDoctorAppointments, listWaiting, readToday } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { getDoctorStats, getNextSteps } from "#app/domains/practice/statistics/queries.server.ts";
import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { paise } from "#app/lib/money.ts";
import { DEMO_KEY } from "../../tests/setup/database.ts";
import { load, wire } from "./load.ts";
import { median, print } from "./table.ts";
import { makeWorld, openSessions, type World } from "./world.ts";

const ROUNDS = 7;
const ROUND_MS = 1_000;
const CONNECTIONS = 5;
/** Values of the micro figure, as long as a reason is. */
const VALUES = 20_000;
const REASON = "Cough at night, worse since Monday";

type Page = { name: string; path: string; queries: (ctx: Ctx<Actor>) => Promise<unknown>[] };
const PAGES: Page[] = [
  {
    name: "doctor's dashboard",
    path: "/doctor-dashboard",
    queries: (ctx) => [getDoctorStats(ctx, "6m"), readToday(ctx), listWaiting(ctx), getNextSteps(ctx)],
  },
  {
    name: "doctor's appointments, 20 rows",
    path: "/doctor/appointments",
    queries: (ctx) => [listDoctorAppointments(ctx, { tab: "upcoming", page: 1, search: "" })],
  },
];

export async function measureSealing(): Promise<void> {
  const world = await makeWorld(1);
  try {
    await addVisits(world);
    const [cookie = ""] = await openSessions(world.sql, [world.doctorId]);
    const micro = microseconds();
    const rows: string[][] = [];
    for (const { name, path, queries } of PAGES) {
      const values = await countOpened(world, queries);
      const cpu = await measureCpu(world, path, cookie);
      const cost = (values * micro) / 1000;
      rows.push([name, cpu.toFixed(2), String(values), cost.toFixed(3), `${((cost / cpu) * 100).toFixed(1)} %`]);
    }
    console.log(
      `\nopening one value of ${REASON.length} characters: ${micro.toFixed(1)} µs (the median of ${ROUNDS} rounds of ${VALUES})\n`,
    );
    print(["", "CPU ms", "values opened", "of it opening, ms", "share"], rows);
  } finally {
    await world.end();
  }
}

/** A full day today, and twenty visits that wait for an answer. */
async function addVisits({ db, sql, doctorId }: World): Promise<void> {
  const [patient] = await sql<{ id: string }[]>`select id from users where role = 'patient' limit 1`;
  const today = todayInIndia(new Date());
  const days = [...Array.from({ length: 10 }, () => today), ...Array.from({ length: 20 }, () => addDays(today, 40))];
  await db.insert(appointments).values(
    days.map((date, i) => {
      const id = crypto.randomUUID();
      const time = `${String(8 + Math.floor(i / 4)).padStart(2, "0")}:${["03", "18", "33", "48"][i % 4]}` as const;
      const person = { patientName: "Bench Patient", patientPhone: "+919000000009", patientAge: 41, patientGender: "female" as const };
      const reason = sealed(appointments.reason, id, REASON, [DEMO_KEY]);
      const visit = { id, patientId: patient?.id ?? "", doctorId, date, time, reason, fee: paise(50_000), ...person };
      return { ...visit, status: "pending" as const, paymentReference: `B-${i}`, idempotencyKey: id };
    }),
  );
}

/** How many sealed values the queries of a page open. */
async function countOpened({ db, doctorId }: World, queries: Page["queries"]): Promise<number> {
  const actor = { userId: doctorId, role: "doctor", provenAt: null };
  const ctx = { db, actor, now: new Date(), integrations: {}, requestId: "bench", ip: "" } as unknown as Ctx<Actor>;
  const { createDecipheriv } = crypto;
  let count = 0;
  crypto.createDecipheriv = ((...given: Parameters<typeof createDecipheriv>) => {
    count += 1;
    return createDecipheriv(...given);
  }) as typeof createDecipheriv;
  syncBuiltinESMExports();
  try {
    await Promise.all(queries(ctx));
  } finally {
    crypto.createDecipheriv = createDecipheriv;
    syncBuiltinESMExports();
  }
  return count;
}

/** Processor milliseconds of one answer, the median of rounds. */
async function measureCpu({ product }: World, path: string, cookie: string): Promise<number> {
  const request = () => wire(product.port, "GET", path, { cookie });
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const before = product.used();
    const { odd, answers } = await load({ port: product.port, request, expect: 200, connections: CONNECTIONS, ms: ROUND_MS });
    if (Object.keys(odd).length) throw new Error(`${path}: unexpected answers ${JSON.stringify(odd)}`);
    // The first round warms up.
    if (round > 0) times.push((product.used() - before) / answers);
  }
  return median(times);
}

/** Processor microseconds to open one value. */
function microseconds(): number {
  const about = (i: number) => `appointments|reason|${i}`;
  const values = Array.from({ length: VALUES }, (_, i) => encrypt(REASON, [DEMO_KEY], about(i)));
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (const [i, value] of values.entries()) decrypt(value, [DEMO_KEY], about(i));
    return process.cpuUsage(before).user / VALUES;
  });
  return median(times);
}
