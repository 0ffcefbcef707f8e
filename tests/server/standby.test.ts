/** Reads of public data from a streaming standby (docs/decisions/091): a real one, paused, frozen and killed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { book, bookedId } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { asApplication, cloneTemplate, PREFIX, urlOf } from "../setup/database.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { startStandby, type TestStandby, until } from "../setup/standby.ts";

// Test databases have no write-ahead log for standbys: this file has a cluster of its own.
const folder = mkdtempSync(join(tmpdir(), `${PREFIX}pair_`));
const { DATABASE_URL: _, TEST_DATABASE_URL: __, ...rest } = process.env;
const before = process.env;
process.env = { ...rest, DATA_DIR: folder };
const cluster = (command: string) => spawnSync(process.execPath, ["scripts/db.mjs", command], { encoding: "utf8", timeout: 60_000 });

const DAY = dayFromNow(4);
const SLOT = { date: DAY, time: "10:00" };
let server: TestServer;
let standby: TestStandby;
let doctor: TestDoctor;

beforeAll(async () => {
  expect(cluster("start").status).toBe(0);
  const database = await cloneTemplate("reference");
  standby = await startStandby(database);
  server = await startServer({ database, env: { DATABASE_REPLICA_URL: urlOf(standby.of(asApplication(database))) } });
}, 120_000);
afterAll(async () => {
  await server?.stop();
  await standby?.end();
  cluster("destroy");
  rmSync(folder, { recursive: true, force: true });
  process.env = before;
}, 60_000);

beforeEach(async () => {
  doctor = await makeDoctor(server.db, { slots: [SLOT, { date: DAY, time: "10:30" }] });
  await standby.caughtUp();
});

const newPatient = (): Promise<LoggedIn> => loginAs(server, { role: "patient", phone: newPhone() });
const pageOf = (who: LoggedIn) => who.get(`/details/doctor/${doctor.id}`);
let changes = 0;
/** Changes the doctor's name past the product, so that no process is told of it. Returns the new name. */
async function rename(): Promise<string> {
  const name = `Dr. Renamed ${++changes}`;
  await server.sql`update doctors set full_name = ${name} where id = ${doctor.id}`;
  return name;
}
async function readsFrom(source: "standby" | "primary" | "again"): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`);
  return Number(new RegExp(`^open_reads_total\\{from="${source}"\\} (\\d+)`, "m").exec(await answer.text())?.[1] ?? 0);
}
async function isRead(who: LoggedIn): Promise<boolean> {
  const before = await readsFrom("standby");
  await pageOf(who);
  return (await readsFrom("standby")) > before;
}
/** Resolves when a page of this reader comes from the standby. */
const readAgain = (who: LoggedIn) => until(() => isRead(who));
/** Pauses the standby while this reader's pages come from it: an event of an earlier change would send them to the primary. */
const pauseFor = (who: LoggedIn) =>
  until(async () => {
    const [{ waiting } = {}] = await server.sql`select count(*)::int as waiting from live_events`;
    await standby.caughtUp();
    await standby.pause();
    if (waiting === 0 && (await isRead(who))) return true;
    await standby.resume();
    return false;
  });

test("public pages are read from the standby, own pages from the primary", async () => {
  const patient = await newPatient();
  await pauseFor(patient);
  try {
    const name = await rename();
    expect((await pageOf(patient)).text).not.toContain(name);
    const person = { id: patient.userId, phone: newPhone(), actor: { userId: patient.userId, role: "patient" as const } };
    const visit = await makeVisit(server.db, { patient: person, doctor }, { date: DAY, time: "10:30" });
    expect((await patient.get(`/patient/appointments/${visit}`)).status).toBe(200);
    expect((await patient.get(`/patient/calendar?date=${DAY}`)).text).toContain("10:30 AM");
  } finally {
    await standby.resume();
  }
});

test("a booking is seen at once by everyone while the standby is paused", async () => {
  const [patient, other] = [await newPatient(), await newPatient()];
  await pauseFor(other);
  try {
    const id = bookedId(await book(patient, doctor.id, SLOT));
    expect((await patient.get(`/patient/appointments/${id}`)).status).toBe(200);
    expect((await patient.get(`/patient/calendar?date=${DAY}`)).text).toContain("10:00 AM");
    for (const who of [patient, other]) {
      const times = (await who.get(`/patient/appointments/datetime?doctorId=${doctor.id}&date=${DAY}`)).text;
      expect(times).not.toMatch(/value="10:00"/);
      expect(times).toMatch(/value="10:30"/);
    }
  } finally {
    await standby.resume();
  }
});

test("who has written something reads the primary until the standby has it", async () => {
  const [writer, reader] = [await newPatient(), await newPatient()];
  await pauseFor(reader);
  try {
    const name = await rename();
    expect((await pageOf(writer)).text).not.toContain(name);
    const written = await writer.post("/patient/favourites", { kind: "doctor", id: doctor.id, on: "1" });
    expect(written.setCookies.filter((line) => line.startsWith("seen="))).toHaveLength(1);
    expect((await pageOf(writer)).text).toContain(name);
    expect((await pageOf(reader)).text).not.toContain(name);
  } finally {
    await standby.resume();
  }
  await standby.caughtUp();
  await readAgain(writer);
});

test("a standby that is more than five seconds behind is not read", async () => {
  const patient = await newPatient();
  await pauseFor(patient);
  try {
    const name = await rename();
    expect((await pageOf(patient)).text).not.toContain(name);
    await until(async () => (await pageOf(patient)).text.includes(name));
  } finally {
    await standby.resume();
  }
  await readAgain(patient);
});

test.each(["nonsense", "FFFFFFFF/FFFFFFFF", "0/0", "%00"])(
  "a forged cookie (%s) changes nothing for others and fails no page",
  async (seen) => {
    const [forger, other] = [await newPatient(), await newPatient()];
    forger.cookies.set("seen", seen);
    expect((await pageOf(forger)).status).toBe(200);
    await readAgain(other);
  },
);

test("pages of a standby that is killed, frozen or promoted come from the primary", async () => {
  const patient = await newPatient();
  await readAgain(patient);
  const pages = async () => {
    for (let i = 0; i < 5; i++) expect((await pageOf(patient)).status).toBe(200);
  };
  await standby.kill();
  await pages();
  await standby.start();
  await readAgain(patient);

  standby.freeze();
  await pages();
  standby.thaw();
  await readAgain(patient);

  await standby.sql`select pg_promote()`;
  await until(async () => {
    const before = await readsFrom("standby");
    await pages();
    return (await readsFrom("standby")) === before;
  });
  const name = await rename();
  expect((await pageOf(patient)).text).toContain(name);
}, 120_000);
