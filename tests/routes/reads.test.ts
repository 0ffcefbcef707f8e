/**
 * A GET writes nothing: every page of every area, every file and list that a page links to, and what a key or a code opens, while all tables are watched.
 * Routes with ids of rows that the demo does not have are watched by access.test.ts, calls of the API by tests/api/calls.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signVisit } from "#app/domains/visit/documents/sign-visit.server.ts";
import { emptyDraft } from "#app/domains/visit/encounters/draft.ts";
import { saveDraft } from "#app/domains/visit/encounters/save-draft.server.ts";
import { EMPTY_LINE } from "#app/domains/visit/medicines/line.ts";
import { addEntry } from "#app/domains/waiting-room/queue/add-entry.server.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { dayFromNow, makeVisit, newPhone } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { EVERY_GROUP, OWNER_PAGES } from "../setup/every-page.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { ROUTES } from "../setup/routes.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { testDb } from "../setup/test-db.ts";
import { takeWrites, watchWrites } from "../setup/watch-writes.ts";

/** Of all routes with a page or a file, those with fewer parameters first. The API is tested by call. */
const PATTERNS = ROUTES.filter(({ hasChildren }) => !hasChildren)
  .map(({ pattern }) => pattern)
  .filter((pattern) => pattern !== "/*" && !/^\/api1?\//.test(pattern))
  .sort((a, b) => a.split(":").length - b.split(":").length);
const patternOf = (path: string) =>
  PATTERNS.find((pattern) => new RegExp(`^${pattern.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`).test(path));

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await watchWrites(server, { jobs: [] });
});
afterAll(() => server?.stop());

/** Every route that a secret opens. */
const KEYS = PATTERNS.filter((one) => /:(key|code|token|slug)$|^\/s\//.test(one)).sort();

/** Returns a path of each of KEYS that opens: made as its owner makes it, or with a secret of ours in a row of its own. */
async function keyPaths(): Promise<Record<string, string>> {
  const { db, sql } = server;
  const [patient, clinic, token] = [await loginAs(server, DEMO.patient), await makeClinic(db), randomToken()];
  const { place, doctor } = clinic;
  const [user] = await sql<{ email: string }[]>`select email from users where id = ${clinic.reception.userId}`;
  const desk = await loginAs(server, { role: "staff", email: user!.email });
  const ctx = { ...testDb().ctx(doctor.actor), db };
  const hash = hashToken(token);
  const made = async (who: Browser, path: string, form: Record<string, string>, shown: RegExp, on = path) => {
    expect((await who.post(path, form)).status, path).toBe(303);
    return shown.exec((await who.get(on)).text)![0];
  };
  const sessionId = await makeSession(db, doctor.id);
  const entry = await db.transaction((tx) =>
    addEntry(
      { ...ctx, db: tx },
      {
        session: { id: sessionId, doctorId: doctor.id },
        kind: "walk-in",
        state: "arrived",
        name: "A",
        phone: newPhone(),
        dueAt: new Date(),
        priority: "normal",
      },
    ),
  );
  const visitId = await makeVisit(
    db,
    { patient: { id: patient.userId, phone: DEMO.patient.phone, actor: { userId: patient.userId, role: "patient" } }, doctor },
    { date: dayFromNow(-1), time: "12:00", status: "accepted" },
  );
  await sql`update doctors set council_name = 'AP Council', council_number = 'R1', council_year = 2006,
    qualifications = '[{"degree":"MBBS","universityCollege":"","year":null}]' where id = ${doctor.id}`;
  const line = { ...EMPTY_LINE, name: "Paracetamol", strength: "500 mg", morning: "1", days: "3" };
  const { version } = await saveDraft(ctx, {
    visitId,
    version: 0,
    draft: { ...emptyDraft("te"), diagnosis: "Viral fever", lines: [line] },
  });
  await signVisit(ctx, { visitId, version });
  const [signed] = await sql<{ id: string; code: string }[]>`select id, code from visit_documents where encounter_id = ${visitId}`;
  const shared = await patient.post(`/patient/records/share/signed/${signed!.id}`, { intent: "share", days: "7", times: "5" });
  const share = /\/s\/[\w-]{22}(?![\w-])/.exec(shared.text)![0];
  const until = new Date(Date.now() + 86_400_000);
  await sql`insert into reviewer_invitations (token_hash, hospital_id, email, invited_by, expires_at)
    values (${hash}, ${place.id}, 'reviewer@new.test', ${doctor.id}, ${until})`;
  await sql`insert into memberships (hospital_id, role, email, token_hash, expires_at) values (${place.id}, 'billing', 'billing@new.test', ${hash}, ${until})`;
  await sql`insert into password_resets (email, phone, user_id, token_hash, expires_at, ip)
    values (${doctor.email}, ${doctor.phone}, ${doctor.id}, ${hash}, ${until}, '::1')`;
  expect((await patient.post("/patient/settings/email", { intent: "save", email: "patient@new.test" })).status).toBe(303);
  await sql`update notification_emails set token_hash = ${hash} where user_id = ${patient.userId}`;
  const slug = async (id: string) =>
    (await sql<{ slug: string }[]>`select slug from short_names where ${id} in (hospital_id, doctor_id) and is_current`)[0]!.slug;
  const screen = `/clinic/${place.id}/screen`;
  return {
    "/q/:code": `/q/${entry.code}`,
    "/rx/:code": `/rx/${signed!.code}`,
    "/s/:key": share,
    "/s/:key/open": `${share}/open`,
    "/tv/:key": await made(desk, screen, { intent: "replace", kind: "tv" }, /\/tv\/[\w-]{20}/),
    "/arrive/:key": await made(desk, screen, { intent: "replace", kind: "arrive" }, /\/arrive\/[\w-]{20}/, `${screen}/poster`),
    "/calendar/:key": await made(patient, "/patient/settings/calendar", { intent: "replace" }, /\/calendar\/[\w-]{32}\.ics/),
    "/join/:token": `/join/${token}`,
    "/invitation/:token": `/invitation/${token}`,
    "/confirm-email/:token": `/confirm-email/${token}`,
    "/forgot-password/:token": `/forgot-password/${token}`,
    "/embed/:slug": `/embed/${await slug(place.id)}`,
    "/h/:slug": `/h/${await slug(place.id)}`,
    "/d/:slug": `/d/${await slug(doctor.id)}`,
  };
}

const GROUPS = [...EVERY_GROUP, OWNER_PAGES];
const opened = new Set<string>();
const wrote: string[] = [];

/** Opens a page, its data and what it links to: of each kind one. */
async function read(who: Browser, paths: string[]) {
  const seen = new Set<string>();
  const queue: string[] = [];
  const add = (path: string, isLink: boolean) => {
    const { pathname, searchParams } = new URL(path, server.url);
    const pattern = patternOf(pathname);
    const kind = `${pattern} ${[...searchParams.keys()].sort()}`;
    if (!pattern || seen.has(path) || (isLink && seen.has(kind))) return;
    seen.add(path).add(kind);
    queue.push(path);
  };
  for (const path of paths) add(path, false);
  for (let path = queue.shift(); path; path = queue.shift()) {
    const answer = await who.get(path);
    const written = await takeWrites(server);
    if (written.length) wrote.push(`${path}: ${written}`);
    if (answer.status === 200) opened.add(patternOf(new URL(path, server.url).pathname)!);
    for (const [, href] of answer.text.matchAll(/\shref="(\/[^"#]*)"/g)) add(href!.replaceAll("&amp;", "&"), true);
    if (answer.location?.startsWith("/")) add(answer.location, true);
  }
}

describe("a GET changes no row", () => {
  it.each(GROUPS)("$whose pages, and what they link to", { timeout: 120_000 }, async ({ account, paths }) => {
    const browser = account ? await loginAs(server, account) : new Browser(server.url);
    const pages = await paths(server);
    await takeWrites(server);
    wrote.length = 0;
    await read(browser, pages);
    expect(wrote).toEqual([]);
  });

  // Also what only a form or a script opens, and what an account may not open. Paths with ids: tests/routes/access.test.ts.
  it.each(["visitor", ...Object.keys(DEMO)])("every path without ids, for a %s", { timeout: 120_000 }, async (name) => {
    const browser = name === "visitor" ? new Browser(server.url) : await loginAs(server, DEMO[name as keyof typeof DEMO]);
    wrote.length = 0;
    for (const pattern of PATTERNS.filter((one) => !one.includes(":"))) {
      expect((await browser.get(pattern)).status, pattern).toBeLessThan(500);
      const written = await takeWrites(server);
      if (written.length) wrote.push(`${pattern}: ${written}`);
    }
    expect(wrote).toEqual([]);
  });

  it("what a key or a code opens without a login", { timeout: 60_000 }, async () => {
    const visitor = new Browser(server.url);
    const paths = await keyPaths();
    expect(Object.keys(paths).sort()).toEqual(KEYS);
    await takeWrites(server);
    for (const [pattern, path] of Object.entries(paths))
      for (const one of [path, path]) {
        expect((await visitor.get(one)).status, one).toBe(200);
        // Opening a record counts: the first page of the link, which scanners of mail load, does not open it.
        expect(await takeWrites(server), one).toEqual(pattern === "/s/:key/open" ? ["record_shares"] : []);
      }
    // Scanners of emails and SMS ask for the head of a link too.
    for (const path of Object.values(paths)) {
      expect((await fetch(server.url + path, { method: "HEAD", redirect: "manual" })).status, path).toBeLessThan(400);
      expect(await takeWrites(server), `HEAD ${path}`).toEqual([]);
    }
  });

  it("opened most routes, and pages of every area", () => {
    expect(opened.size).toBeGreaterThan(170);
    for (const area of ["patient", "doctor", "desk", "clinic", "reviewer", "admin", "account", "hospital"])
      expect(
        [...opened].some((pattern) => pattern.startsWith(`/${area}/`) || pattern === `/${area}`),
        area,
      ).toBe(true);
  });
});
