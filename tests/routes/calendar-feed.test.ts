/** `/calendar/{key}.ics` over HTTP, read by the parsers that calendar apps use: ical.js (Thunderbird) and node-ical. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ICAL from "ical.js";
import nodeIcal from "node-ical";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
let patient: Person;
let people: Record<"patient" | "doctor", LoggedIn>;
const page = { patient: "/patient/settings/calendar", doctor: "/doctor/settings/calendar" };
const [SECRET, HISTORY] = ["Sleepless nights", "Diabetes since 2011"];
const day = dayFromNow(6);

beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao; Clinic, North" });
  patient = await makePatient(server.db);
  await addSlots(
    server.db,
    doctor.id,
    ["10:00", "10:30", "11:00"].map((time) => ({ date: day, time })),
  );
  people = {
    patient: await loginAs(server, { role: "patient", phone: patient.phone }),
    doctor: await loginAs(server, { role: "doctor", email: doctor.email }),
  };
});
beforeEach(async () => {
  await server.sql`delete from calendar_feeds`;
  await server.sql`delete from rate_limits`;
});
afterAll(() => server?.stop());

/** Presses "Create address" and returns the path of the calendar. */
async function makeFeed(who: "patient" | "doctor"): Promise<string> {
  expect((await people[who].post(page[who], { intent: "replace" })).status).toBe(303);
  return /\/calendar\/[\w-]{32}\.ics/.exec((await people[who].get(page[who])).text)![0];
}
/** As a calendar app: without cookies. */
const app = (path: string, headers?: Record<string, string>) => new Browser(server.url).get(path, headers);
type Read = { uid: string; status: string; summary: string; start: string; sequence: number };
const byTime = (a: Read, b: Read) => (a.start < b.start ? -1 : 1);
const readers: Record<string, (text: string) => Read[]> = {
  "ical.js": (text) =>
    new ICAL.Component(ICAL.parse(text) as never)
      .getAllSubcomponents("vevent")
      .map((component) => {
        const event = new ICAL.Event(component);
        return {
          uid: event.uid,
          status: String(component.getFirstPropertyValue("status")),
          summary: event.summary,
          start: event.startDate.toJSDate().toISOString(),
          sequence: event.sequence,
        };
      })
      .sort(byTime),
  "node-ical": (text) =>
    Object.values(nodeIcal.sync.parseICS(text))
      .flatMap((event) => (event?.type === "VEVENT" ? [event] : []))
      .map((event) => ({
        uid: event.uid,
        status: String(event.status),
        summary: String(event.summary),
        start: event.start.toISOString(),
        sequence: Number(event.sequence),
      }))
      .sort(byTime),
};

describe.each(Object.keys(readers))("%s reads the calendar", (name) => {
  const read = readers[name]!;
  it.each(["patient", "doctor"] as const)("of a %s, with accepted, waiting and cancelled appointments", async (who) => {
    await server.sql`delete from appointments`;
    const between = { patient, doctor };
    const made = { reason: SECRET, history: HISTORY, date: day } as const;
    const ids = [
      await makeVisit(server.db, between, { ...made, time: "10:00", status: "accepted" }),
      await makeVisit(server.db, between, { ...made, time: "10:30" }),
      await makeVisit(server.db, between, { ...made, time: "11:00", status: "accepted" }),
    ];
    const path = await makeFeed(who);
    const before = read((await app(path)).text);
    expect(before.map(({ uid, status }) => [uid, status])).toEqual([
      [ids[0], "CONFIRMED"],
      [ids[1], "TENTATIVE"],
      [ids[2], "CONFIRMED"],
    ]);
    expect(before[0]!.start).toBe(new Date(`${day}T10:00:00+05:30`).toISOString());
    expect(before[0]!.summary).toContain(who === "patient" ? "Dr. Asha Rao; Clinic, North" : "Proof Patient");

    await server.sql`update appointments set updated_at = now() - interval '1 hour'`;
    const old = read((await app(path)).text);
    await server.sql`update appointments set status = 'cancelled', cancelled_by = 'patient', cancelled_at = now(), updated_at = now() where id = ${ids[2]!}`;
    const answer = await app(path);
    const after = read(answer.text);
    expect(after).toHaveLength(3);
    expect(after[2]).toMatchObject({ uid: ids[2], status: "CANCELLED" });
    expect(after[2]!.summary).toMatch(/^Cancelled: /);
    expect(after[2]!.sequence).toBeGreaterThan(old[2]!.sequence);
    for (const text of [SECRET, HISTORY, patient.phone, patient.phone.slice(3)]) expect(answer.text).not.toContain(text);
  });
});

/** khal, a calendar for the terminal (Debian's package `khal`). Each call subscribes to the text again and lists what khal then shows. */
function openKhal() {
  const home = mkdtempSync(join(tmpdir(), "nadi-khal-"));
  mkdirSync(join(home, "events"));
  const formats = ["timeformat = %H:%M", "dateformat = %Y-%m-%d", "longdateformat = %Y-%m-%d", "datetimeformat = %Y-%m-%d %H:%M"];
  const zones = ["longdatetimeformat = %Y-%m-%d %H:%M", "local_timezone = Asia/Kolkata", "default_timezone = Asia/Kolkata"];
  const calendars = ["[calendars]", "[[feed]]", `path = ${join(home, "events")}`, "[sqlite]", `path = ${join(home, "khal.db")}`];
  writeFileSync(join(home, "config"), [...calendars, "[locale]", ...formats, ...zones, ""].join("\n"));
  const khal = (...args: string[]) =>
    execFileSync("khal", ["-c", join(home, "config"), ...args], { encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" } });
  return {
    read(text: string) {
      writeFileSync(join(home, "feed.ics"), text);
      khal("import", "--batch", "-a", "feed", join(home, "feed.ics"));
      const lines = khal("list", "--day-format", "", "--format", "{uid}|{start-long-full}|{cancelled}|{title}", dayFromNow(0), "30d");
      return lines
        .trim()
        .split("\n")
        .map((line) => line.split("|").map((part) => part.trim()));
    },
    close: () => rmSync(home, { recursive: true }),
  };
}

it.runIf(spawnSync("khal", ["--version"]).status === 0)(
  "khal shows a cancelled appointment as cancelled after it loads again",
  async () => {
    await server.sql`delete from appointments`;
    const id = await makeVisit(server.db, { patient, doctor }, { date: day, time: "10:00", status: "accepted" });
    const path = await makeFeed("patient");
    const khal = openKhal();
    try {
      expect(khal.read((await app(path)).text)).toEqual([[id, `${day} 10:00`, "", "Appointment with Dr. Asha Rao; Clinic, North"]]);
      await server.sql`update appointments set status = 'cancelled', cancelled_by = 'patient', cancelled_at = now(), updated_at = now() where id = ${id}`;
      expect(khal.read((await app(path)).text)).toEqual([[id, `${day} 10:00`, "CANCELLED", expect.stringMatching(/^Cancelled: /)]]);
    } finally {
      khal.close();
    }
  },
);

describe("the address of a calendar", () => {
  it("needs no login, sets no cookie and is no page for search engines", async () => {
    const answer = await app(await makeFeed("patient"));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect([answer.headers.get("set-cookie"), answer.headers.get("x-robots-tag")]).toEqual([null, "noindex"]);
  });
  it("answers 304 while nothing changes, also later, and 200 after a change", async () => {
    await server.sql`delete from appointments`;
    const id = await makeVisit(server.db, { patient, doctor }, { date: day, time: "10:00", status: "accepted" });
    const path = await makeFeed("patient");
    const etag = (await app(path)).headers.get("etag")!;
    for (let i = 0; i < 2; i++) expect((await app(path, { "if-none-match": etag })).status).toBe(304);
    await server.sql`update appointments set time = '10:30', updated_at = now() + interval '1 second' where id = ${id}`;
    expect((await app(path, { "if-none-match": etag })).status).toBe(200);
  });
  it("is stored as a hash and sealed", async () => {
    const key = /calendar\/([\w-]{32})/.exec(await makeFeed("doctor"))![1]!;
    const [row] = await server.sql`select calendar_feeds::text as all from calendar_feeds`;
    expect(row!.all).not.toContain(key);
  });
  it("answers 404 after it was replaced or switched off", async () => {
    const first = await makeFeed("doctor");
    const second = await makeFeed("doctor");
    expect(second).not.toBe(first);
    expect([(await app(first)).status, (await app(second)).status]).toEqual([404, 200]);
    expect((await people.doctor.post(page.doctor, { intent: "end" })).status).toBe(303);
    expect((await app(second)).status).toBe(404);
    expect(readable((await people.doctor.get(page.doctor)).text)).not.toContain("/calendar/");
  });
  it("answers 404 for a disabled account", async () => {
    const path = await makeFeed("doctor");
    await server.sql`update users set status = 'disabled' where id = ${doctor.id}`;
    expect((await app(path)).status).toBe(404);
    await server.sql`update users set status = 'active' where id = ${doctor.id}`;
  });
  it("shows each owner only their own appointments", async () => {
    await server.sql`delete from appointments`;
    const other = await makePatient(server.db);
    const id = await makeVisit(server.db, { patient: other, doctor }, { date: day, time: "10:00", status: "accepted" });
    expect((await app(await makeFeed("patient"))).text).not.toContain(id);
    expect((await app(await makeFeed("doctor"))).text).toContain(id);
  });
  it("limits wrong keys of an address", async () => {
    const path = await makeFeed("patient");
    await server.sql`delete from rate_limits`;
    const statuses = [];
    for (let i = 0; i < 121; i++)
      statuses.push((await app(`/calendar/${"x".repeat(30)}${String(i).padStart(2, "0").slice(-2)}.ics`)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    expect((await app(path)).status).toBe(200);
  });
  it("is created, replaced and ended in the log", async () => {
    await makeFeed("patient");
    await people.patient.post(page.patient, { intent: "end" });
    const rows = await server.sql<
      { action: string }[]
    >`select action from audit_log where actor_id = ${patient.id} order by at desc limit 2`;
    expect(rows.map(({ action }) => action)).toEqual(["end-calendar-feed", "replace-calendar-feed"]);
  });
  it("says that calendars load it rarely", async () => {
    expect(readable((await people.patient.get(page.patient)).text)).toContain("only once or twice a day");
  });
});
