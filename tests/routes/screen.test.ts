/** `/tv/{key}` over HTTP: the screen of a waiting room without scripts and without a login, and the page with its address. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addEntry } from "#app/domains/waiting-room/queue/add-entry.server.ts";
import { formatTime, timeInIndia } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import { newPhone } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let [own, other]: Awaited<ReturnType<typeof makeClinic>>[] = [] as never;
let reception: Browser;
const SECRET = "Secretia Patientova";
const linksPage = () => `/clinic/${own!.place.id}/screen`;

beforeAll(async () => {
  server = await startServer({ seed: false });
  [own, other] = [await makeClinic(server.db, { doctor: "Dr. Anitha Vemuri" }), await makeClinic(server.db, { doctor: "Dr. Other Place" })];
  const [user] = await server.sql<{ email: string }[]>`select email from users where id = ${own.reception.userId}`;
  reception = await loginAs(server, { role: "staff", email: user!.email });
});
beforeEach(async () => {
  await server.sql`delete from queue_sessions`;
  await server.sql`delete from place_links`;
  await server.sql`delete from rate_limits`;
});
afterAll(() => server?.stop());

/** Presses "Create" or "Replace" as the page shows it. Returns the path of the screen. */
async function makeScreen(): Promise<string> {
  const from = /name="kind" value="tv"\/?>\s*<input type="hidden" name="from" value="([\w-]+)"/.exec(
    (await reception.get(linksPage())).text,
  );
  const answer = await reception.post(linksPage(), { intent: "replace", kind: "tv", ...(from && { from: from[1]! }) });
  expect(answer.status, answer.text.slice(0, 300)).toBe(303);
  return /\/tv\/[\w-]{20}/.exec((await reception.get(linksPage())).text)![0];
}
const walkIn = (sessionId: string, doctorId: string, priority: "normal" | "emergency" = "normal") =>
  server.db.transaction((db) =>
    addEntry({ db, actor: null, now: new Date(), integrations: {} as never, requestId: "test", ip: "" } as never, {
      session: { id: sessionId, doctorId },
      kind: "walk-in",
      state: "arrived",
      name: `${SECRET} ${Math.random()}`,
      phone: newPhone(),
      dueAt: new Date(),
      priority,
    }),
  );
const press = async (intent: string, sessionId: string, entryId = "") => {
  const answer = await reception.post("/desk/queue", { intent, sessionId, entryId });
  expect(answer.status, answer.text.slice(0, 200)).toBe(303);
};
const screen = (path: string, headers?: Record<string, string>) => new Browser(server.url).get(path, headers);
const shows = (path: string, text: string | RegExp) =>
  expect.poll(async () => plain((await screen(path)).text), { timeout: 10_000 }).toMatch(text);

describe("the screen of a waiting room", () => {
  it("shows called and next numbers of its own place in three languages, without names of patients", async () => {
    const [id, elsewhere] = [await makeSession(server.db, own!.doctor.id), await makeSession(server.db, other!.doctor.id)];
    const tokens = [];
    for (let i = 0; i < 5; i++) tokens.push(await walkIn(id, own!.doctor.id));
    await walkIn(elsewhere, other!.doctor.id);
    const path = await makeScreen();
    await press("call", id, tokens[0]!.id);
    await shows(path, /Dr\. Anitha Vemuri.*1.*2, 3, 4/);
    const answer = await screen(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    expect(answer.text).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>');
    expect(answer.text).toContain('class="called"');
    for (const words of ["ఇప్పుడు పిలుస్తున్న టోకెన్", "अभी बुलाया गया टोकन", "Now calling"]) expect(answer.text).toContain(words);
    for (const hidden of ["Secretia", "Other Place", tokens[0]!.code, id]) expect(answer.text).not.toContain(hidden);
    await press("enter", id, tokens[0]!.id);
    await expect.poll(async () => (await screen(path)).text, { timeout: 10_000 }).not.toContain('class="called"');
  });

  it("names the doctor in each language, in Telugu by the Telugu name", async () => {
    await server.sql`update doctors set translations = jsonb_set(translations, '{te}', '{"name":"డా. అనిత వేమూరి"}') where id = ${own!.doctor.id}`;
    await makeSession(server.db, own!.doctor.id);
    const path = await makeScreen();
    const read = async () => (await screen(path)).text;
    await expect.poll(read, { timeout: 10_000 }).toContain('<span lang="te">డా. అనిత వేమూరి</span>');
    expect(await read()).toContain('<span lang="en">Dr. Anitha Vemuri</span>');
    await server.sql`update doctors set translations = '{}' where id = ${own!.doctor.id}`;
  });
  it("says late, paused, emergency, and that no queue is open", async () => {
    const id = await makeSession(server.db, own!.doctor.id, { state: "planned", startsAt: timeInIndia(new Date()), endsAt: "23:59" });
    await walkIn(id, own!.doctor.id);
    const path = await makeScreen();
    await shows(path, /Starts at \d/);
    const at = timeInIndia(new Date(Date.now() + 40 * 60_000));
    expect((await reception.post("/desk/queue", { intent: "expect", sessionId: id, at })).status).toBe(303);
    await shows(path, `Doctor expected at ${formatTime(at)}`);
    await press("open", id);
    await walkIn(id, own!.doctor.id, "emergency");
    await press("pause", id);
    await shows(path, /Paused for now.*\+1 emergency/);
    await press("resume", id);
    await shows(path, /Next.*2, 1/);
    expect((await reception.post(`/desk/queue/${id}/close`)).status).toBe(303);
    await shows(path, /Closed at \d+:\d\d [AP]M\. Not seen\? Please ask at the desk\./);
    server.clock.advance(minutes(61));
    await shows(path, /No queue is open now/);
    server.clock.set(0);
  });

  it("sends an unchanged screen as 304, and a changed one in full", async () => {
    const id = await makeSession(server.db, own!.doctor.id);
    const one = await walkIn(id, own!.doctor.id);
    const path = await makeScreen();
    await shows(path, /Next.*1/);
    const tag = (await screen(path)).headers.get("etag")!;
    expect((await screen(path, { "if-none-match": tag })).status).toBe(304);
    await press("call", id, one.id);
    await expect.poll(async () => (await screen(path, { "if-none-match": tag })).status, { timeout: 10_000 }).toBe(200);
  });

  it("answers a wrong key with 404, also the key of the counter, and limits guesses", async () => {
    await makeScreen();
    await reception.post(linksPage(), { intent: "replace", kind: "arrive" });
    const poster = await reception.get(`${linksPage()}/poster`);
    const counter = /\/arrive\/([\w-]{20})/.exec(poster.text)![1]!;
    for (const key of [counter, "A".repeat(20), "x".repeat(300), "%27;drop"]) {
      const answer = await screen(`/tv/${key}`);
      expect(answer.status, key).toBe(404);
      expect(answer.text).toContain("This screen address is not valid");
    }
    let last = 0;
    for (let i = 0; i < 70 && last !== 429; i++) last = (await screen(`/tv/${`${i}`.padStart(20, "B")}`)).status;
    expect(last).toBe(429);
    expect((await screen(await makeScreen())).status).toBe(200);
  });
});

describe("the page with the addresses", () => {
  it("replaces an address once for two presses, and the old one opens nothing", async () => {
    const first = await makeScreen();
    const from = /name="from" value="([\w-]+)"/.exec((await reception.get(linksPage())).text)![1]!;
    const presses = await Promise.all([1, 2].map(() => reception.post(linksPage(), { intent: "replace", kind: "tv", from })));
    expect(presses.map(({ status }) => status)).toEqual([303, 303]);
    const second = /\/tv\/[\w-]{20}/.exec((await reception.get(linksPage())).text)![0];
    expect(second).not.toBe(first);
    expect((await screen(first)).status).toBe(404);
    expect((await screen(second)).status).toBe(200);
    const rows = await server.sql<{ key: string; key_hash: string }[]>`select key, key_hash from place_links`;
    expect(rows).toHaveLength(1);
    // Neither column has the key in plain text.
    expect(JSON.stringify(rows)).not.toContain(second.slice(4));
    const audit = await server.sql`select details from audit_log where action = 'replace-place-link' order by at desc limit 2`;
    expect(audit.length).toBe(2);
  });

  it("is refused to members of other places and to those who run no queue", async () => {
    const path = await makeScreen();
    const [user] = await server.sql<{ email: string }[]>`select email from users where id = ${other!.reception.userId}`;
    const stranger = await loginAs(server, { role: "staff", email: user!.email });
    for (const url of [linksPage(), `${linksPage()}/poster`]) expect((await stranger.get(url)).status).toBe(404);
    expect((await stranger.post(linksPage(), { intent: "replace", kind: "tv" })).status).toBe(404);
    expect((await stranger.post(linksPage(), { intent: "allow-walk-ins" })).status).toBe(404);
    expect((await screen(path)).status).toBe(200);
  });
});
