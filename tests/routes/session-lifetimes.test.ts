/** Lifetimes of sessions by role: the absolute limit, the idle limit, and what counts as activity. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { makeMember, makePlace } from "../factories/members.ts";
import { makeDoctor, makeStaff, newPhone } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestServer;
const users = {} as Record<"patient" | "doctor" | "reviewer" | "admin" | "staff", string>;
const PAGES = {
  patient: "/patient/settings",
  doctor: "/doctor/settings",
  reviewer: "/reviewer",
  admin: "/admin",
  staff: "/account/security",
};
type Role = keyof typeof PAGES;

beforeAll(async () => {
  server = await startServer({ seed: false });
  users.patient = (await loginAs(server, { role: "patient", phone: newPhone() })).userId;
  users.doctor = (await makeDoctor(server.db, {})).id;
  users.reviewer = (await makeStaff(server.db, "reviewer")).userId;
  users.admin = (await makeStaff(server.db, "admin")).userId;
  users.staff = (await makeMember(server.db, (await makePlace(server.db)).id, "reception")).userId;
});
afterAll(() => server?.stop());
afterEach(() => server.clock.set(0));

/** Returns a browser with a session that was opened and used a moment ago, as by a login. */
async function open(role: Role, kind: "browser" | "api" = "browser") {
  const token = randomToken();
  const life = { patient: "30 days", doctor: "7 days", reviewer: "12 hours", admin: "12 hours", staff: "12 hours" }[role];
  await server.sql`insert into sessions (token_hash, user_id, kind, expires_at)
    values (${hashToken(token)}, ${users[role]}, ${kind}, now() + ${life}::interval)`;
  const browser = new Browser(server.url);
  browser.cookies.set("nadi_session", token);
  return Object.assign(browser, { token, page: PAGES[role] });
}
const isIn = async (browser: Browser & { page: string }, headers?: Record<string, string>) =>
  (await browser.get(browser.page, headers)).status === 200;

describe("the idle limit", () => {
  it.each([
    ["reviewer", 29 * MINUTE, 31 * MINUTE],
    ["admin", 29 * MINUTE, 31 * MINUTE],
    ["doctor", 11 * HOUR, 12 * HOUR + MINUTE],
    // The idle limit of the desk is the absolute one.
    ["staff", 11 * HOUR, 12 * HOUR + MINUTE],
  ] as const)("ends the session of an idle %s", async (role, before, after) => {
    const early = await open(role);
    const late = await open(role);
    server.clock.set(before);
    expect(await isIn(early)).toBe(true);
    server.clock.set(after);
    expect(await isIn(late)).toBe(false);
    // The first one was used in between.
    expect(await isIn(early)).toBe(role !== "staff");
  });

  it("does not apply to patients", async () => {
    const patient = await open("patient");
    server.clock.set(29 * DAY);
    expect(await isIn(patient)).toBe(true);
    server.clock.set(31 * DAY);
    expect(await isIn(patient)).toBe(false);
  });

  it("a session that expired stays expired, also when the clock is set back", async () => {
    const reviewer = await open("reviewer");
    server.clock.set(40 * MINUTE);
    expect(await isIn(reviewer)).toBe(false);
    expect(await isIn(reviewer)).toBe(false);
  });

  it("applies to a form as it does to a page", async () => {
    const admin = await open("admin");
    server.clock.set(31 * MINUTE);
    const answer = await admin.post("/account/security", { intent: "end-others" });
    // The login page with the form (tests/routes/expired-session.test.ts).
    expect(answer.text).toContain("Doctor login");
  });

  it("applies to the token of an app", async () => {
    const { token } = await open("reviewer", "api");
    const call = () => fetch(`${server.url}/api/reviewer/cases`, { headers: { authorization: `Bearer ${token}` } });
    expect((await call()).status).toBe(200);
    server.clock.set(31 * MINUTE);
    expect((await call()).status).toBe(401);
  });
});

describe("the absolute limit", () => {
  it.each([
    ["reviewer", 20 * MINUTE, 12 * HOUR],
    ["admin", 20 * MINUTE, 12 * HOUR],
    ["doctor", 11 * HOUR, 7 * DAY],
    ["staff", 3 * HOUR, 12 * HOUR],
  ] as const)("ends the session of an active %s", async (role, step, limit) => {
    const browser = await open(role);
    for (let at = step; at < limit; at += step) {
      server.clock.set(at);
      expect(await isIn(browser), `after ${at / HOUR} h`).toBe(true);
    }
    server.clock.set(limit + MINUTE);
    expect(await isIn(browser)).toBe(false);
  });
});

describe("activity", () => {
  /** Does this every 10 minutes for more than half an hour, and returns whether the session is still valid then. */
  async function keepsAlive(act: (browser: Awaited<ReturnType<typeof open>>) => Promise<unknown>) {
    const browser = await open("reviewer");
    for (const at of [10, 20, 29]) {
      server.clock.set(at * MINUTE);
      await act(browser);
    }
    server.clock.set(35 * MINUTE);
    return isIn(browser);
  }

  it("opening a page, following a link, sending a form", async () => {
    expect(await keepsAlive((browser) => browser.get("/reviewer"))).toBe(true);
    expect(await keepsAlive((browser) => browser.get("/reviewer.data?status=all", { referer: `${server.url}/reviewer` }))).toBe(true);
    expect(await keepsAlive((browser) => browser.post("/account/security", { intent: "end-others" }))).toBe(true);
    const reload = { referer: `${server.url}/reviewer`, "sec-fetch-user": "?1" };
    expect(await keepsAlive((browser) => browser.get("/reviewer", reload))).toBe(true);
  });

  it("excludes an open page that reloads its own data", async () => {
    const referer = `${server.url}/reviewer?status=all`;
    expect(await keepsAlive((browser) => browser.get("/reviewer.data?status=all", { referer }))).toBe(false);
    expect(await keepsAlive((browser) => browser.get("/reviewer.data?status=all&_routes=x", { referer }))).toBe(false);
    expect(await keepsAlive((browser) => browser.get("/reviewer?status=all", { referer }))).toBe(false);
  });

  it("excludes images of a page, and a status that it polls", async () => {
    const picture = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "image", referer: `${server.url}/reviewer/cases/x` };
    expect(await keepsAlive((browser) => browser.get("/files/00000000-0000-4000-8000-000000000000", picture))).toBe(false);
    expect(await keepsAlive((browser) => browser.get("/doctor/registration-status"))).toBe(false);
  });

  it("excludes the page that asks for the remaining time, except to stay logged in", async () => {
    expect(await keepsAlive((browser) => browser.get("/account/session"))).toBe(false);
    expect(await keepsAlive((browser) => browser.post("/account/session"))).toBe(true);
    const admin = await open("admin");
    server.clock.set(20 * MINUTE);
    const left = async (answer: Promise<{ text: string }>) => (JSON.parse((await answer).text) as { left: number }).left;
    expect(await left(admin.get("/account/session"))).toBeLessThanOrEqual(600);
    expect(await left(admin.post("/account/session"))).toBeGreaterThan(1780);
    server.clock.set(51 * MINUTE);
    expect(await left(admin.get("/account/session"))).toBe(0);
    expect(await left(admin.post("/account/session"))).toBe(0);
  });

  it("is stored at most each 15 seconds", async () => {
    const admin = await open("admin");
    const seen = async () =>
      Date.parse((await server.sql`select last_seen_at from sessions where token_hash = ${hashToken(admin.token)}`)[0]?.last_seen_at);
    server.clock.set(MINUTE);
    await isIn(admin);
    const first = await seen();
    server.clock.set(MINUTE + 5_000);
    await isIn(admin);
    expect(await seen()).toBe(first);
    server.clock.set(MINUTE + 30_000);
    await isIn(admin);
    expect(await seen()).toBeGreaterThan(first);
  });
});

it("a login opens a session with the lifetime of its role", async () => {
  const { openSession } = await import("#app/domains/platform/accounts/sessions.server.ts");
  const now = new Date();
  const ctx = { db: server.db, actor: null, now, integrations: {} as never, requestId: "test", ip: "" };
  for (const [role, life] of [
    ["patient", 30 * DAY],
    ["doctor", 7 * DAY],
    ["reviewer", 12 * HOUR],
    ["admin", 12 * HOUR],
    ["staff", 12 * HOUR],
  ] as const) {
    const token = await openSession(ctx, { userId: users[role], role }, "test");
    const [row] = await server.sql<{ expires_at: string }[]>`select expires_at from sessions where token_hash = ${hashToken(token)}`;
    expect(Date.parse(row!.expires_at) - now.getTime()).toBe(life);
  }
});

it("the list of open sessions omits expired ones", async () => {
  await server.sql`delete from sessions where user_id = ${users.admin}`;
  await open("admin");
  server.clock.set(20 * MINUTE);
  const other = await loginAs(server, {
    role: "admin",
    email: (await server.sql`select email from users where id = ${users.admin}`)[0]!.email,
  });
  expect((await other.get("/account/security")).text).toContain("Log out all other devices");
  server.clock.set(31 * MINUTE);
  expect((await other.get("/account/security")).text).toContain("You are not logged in on any other device.");
});

describe("the list of devices", () => {
  it("ends one session by its id, never this one or one of another user", async () => {
    const [here, there, stranger] = [await open("admin"), await open("admin"), await open("reviewer")];
    const idOf = async ({ token }: { token: string }) =>
      (await server.sql<{ id: string }[]>`select id from sessions where token_hash = ${hashToken(token)}`)[0]!.id;
    for (const browser of [here, stranger]) await here.post("/account/security", { intent: "end-session", session: await idOf(browser) });
    expect([await isIn(here), await isIn(there), await isIn(stranger)]).toEqual([true, true, true]);
    const answer = await here.post("/account/security", { intent: "end-session", session: await idOf(there) });
    expect((await here.follow(answer)).text).toContain("The device is logged out.");
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    expect((await here.post("/account/security", { intent: "end-session", session: "x" })).status).toBe(404);
  });

  it("shows the device, and an unknown place without a lookup service", async () => {
    const admin = await open("admin");
    await server.sql`update sessions set ip = '203.0.113.9', user_agent = 'Mozilla/5.0 (Linux; Android 14) Chrome/120.0' where token_hash = ${hashToken(admin.token)}`;
    const { text } = await admin.get("/account/security");
    expect(text).toContain("Chrome on Android");
    expect(text).toContain("Place unknown");
    expect(text).toContain("203.0.113.9");
  });
});
