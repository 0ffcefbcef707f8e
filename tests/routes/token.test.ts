/** `/q/{code}` over HTTP: what a patient of a queue sees without scripts and without a login, in every state. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntry } from "#app/domains/waiting-room/queue/add-entry.server.ts";
import { formatTime, timeInIndia } from "#app/lib/dates.ts";
import type { Phone } from "#app/lib/phone.ts";
import { addSlots, dayFromNow, newPhone } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let clinic: Awaited<ReturnType<typeof makeClinic>>;
let reception: Browser;
const SECRET = "Secretia Patientova";
const DESK = "/desk/queue";

beforeAll(async () => {
  server = await startServer({ seed: false });
  clinic = await makeClinic(server.db);
  await server.sql`update hospitals set phone = '+918630000100' where id = ${clinic.place.id}`;
  await server.sql`update doctors set translations = '{"te":{"name":"డా. ఆశ"},"hi":{"name":"डॉ. आशा"}}' where id = ${clinic.doctor.id}`;
  const [user] = await server.sql<{ email: string }[]>`select email from users where id = ${clinic.reception.userId}`;
  reception = await loginAs(server, { role: "staff", email: user!.email });
});
afterAll(() => server?.stop());

const newSession = async (state: "planned" | "open" = "open") => {
  await server.sql`delete from queue_sessions`;
  // A planned one starts now, so that the doctor can be announced for later.
  return makeSession(server.db, clinic.doctor.id, {
    state,
    ...(state === "planned" && { startsAt: timeInIndia(new Date()), endsAt: "23:59" }),
  });
};
const walkIn = (sessionId: string, priority: "normal" | "emergency" = "normal") =>
  server.db.transaction((db) =>
    addEntry({ db, actor: null, now: new Date(), integrations: {} as never, requestId: "test", ip: "" } as never, {
      session: { id: sessionId, doctorId: clinic.doctor.id },
      kind: "walk-in",
      state: "arrived",
      name: `${SECRET} ${Math.random()}`,
      phone: newPhone() as Phone,
      dueAt: new Date(),
      priority,
    }),
  );
const press = async (sessionId: string, intent: string, entryId = "") => {
  const answer = await reception.post(DESK, { intent, sessionId, entryId });
  expect(answer.status, answer.text.slice(0, 200)).toBe(303);
};
const visitor = () => new Browser(server.url);
const page = (code: string, query = "", headers?: Record<string, string>) => visitor().get(`/q/${code}${query}`, headers);
/** The page once it shows a text: the copy of the session is dropped by a notification after the commit. */
const shows = (code: string, text: string | RegExp, query = "") =>
  expect.poll(async () => plain((await page(code, query)).text), { timeout: 10_000 }).toMatch(text);

describe("the page of a token", () => {
  it("shows number, now seeing, patients before and a range, without names, in 4 KB and three languages", async () => {
    const id = await newSession();
    const tokens = [await walkIn(id), await walkIn(id), await walkIn(id), await walkIn(id)];
    await press(id, "call", tokens[0]!.id);
    await shows(tokens[3]!.code, /Your token ?4.*Expected ?\d+:\d\d(?: [AP]M)?(?:–| – )\d+:\d\d [AP]M.*Now seeing ?1.*Before you ?2/);
    const answer = await page(tokens[3]!.code);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    expect(answer.headers.get("referrer-policy")).toBe("same-origin");
    expect(answer.text).not.toContain("Secretia");
    expect(answer.text).toContain("tel:+918630000100");
    expect(answer.text).toContain('<noscript><meta http-equiv="refresh" content="5">');
    for (const [lang, word, doctor] of [
      ["te", "మీ టోకెన్", "డా. ఆశ"],
      ["hi", "आपका टोकन", "डॉ. आशा"],
      ["en", "Your token", "Dr. "],
    ] as const) {
      const { text } = await page(tokens[3]!.code, `?lang=${lang}`);
      expect(text).toContain(word);
      expect(text).toContain(doctor);
      expect(text).toContain(`<html lang="${lang}">`);
      expect(gzipSync(text).length).toBeLessThanOrEqual(4096);
    }
  });

  it("follows a patient through called, skipped and back, with the doctor, and done", async () => {
    const id = await newSession();
    const [own, second, third] = [await walkIn(id), await walkIn(id), await walkIn(id)];
    await shows(own.code, "Before you 0");
    await press(id, "call", own.id);
    await shows(own.code, "Please go in now");
    await press(id, "skip", own.id);
    await shows(own.code, /you were not there.*You have not lost your place.*You return after two others/);
    expect((await visitor().post(`/q/${own.code}`, { intent: "return" })).status).toBe(303);
    await shows(own.code, "Before you 2");
    for (const { id: entry } of [second, third, own]) await press(id, "call", entry);
    await press(id, "enter", own.id);
    await shows(own.code, "You are with the doctor");
    await press(id, "finish", own.id);
    await shows(own.code, "Your visit is finished");
    expect((await page(own.code)).text).not.toContain("http-equiv");
  });

  it("asks on a page that does not load itself again whether the patient leaves", async () => {
    const own = await walkIn(await newSession());
    await shows(own.code, "I am not coming");
    const asks = await page(own.code, "?lang=en&leave=1");
    expect(plain(asks.text)).toMatch(/is not given again.*I am leaving the queue.*Stay in the queue/);
    expect(asks.text).not.toMatch(/http-equiv|<script/);
    // The form is sent to the page of the token, so a refusal is shown on a page that loads itself again.
    const action = /<form method="post" action="([^"]+)"/.exec(asks.text)![1]!;
    expect(action).toBe("?lang=en");
    expect((await visitor().post(`/q/${own.code}${action}`, { intent: "leave" })).status).toBe(303);
    await shows(own.code, "You have left the queue", "?lang=en&leave=1");
  });

  it("says +1 emergency, late, paused and closed", async () => {
    const id = await newSession("planned");
    const own = await walkIn(id);
    await shows(own.code, /Expected ?\d.*The doctor is not here yet/);
    const at = timeInIndia(new Date(Date.now() + 40 * 60_000));
    const past = timeInIndia(new Date(Date.now() - 5 * 60_000));
    const refused = await reception.post(DESK, { intent: "expect", sessionId: id, at: past });
    expect(refused.status).toBe(400);
    expect(plain(refused.text)).toContain("Choose a later time.");
    // The typed time stays in the form.
    expect(refused.text).toMatch(new RegExp(`<input[^>]*name="at"[^>]*value="${past}"`));
    expect((await reception.post(DESK, { intent: "expect", sessionId: id, at: "soon" })).status).toBe(400);
    expect((await reception.post(DESK, { intent: "expect", sessionId: id, at })).status).toBe(303);
    await shows(own.code, `The doctor is expected at ${formatTime(at)}.`);
    await press(id, "open");
    await walkIn(id, "emergency");
    await press(id, "pause");
    await shows(own.code, /Before you 1 \+1 emergency.*The doctor has paused/);
    expect(plain((await page(own.code)).text)).not.toMatch(/Expected ?\d|minutes/);
    await press(id, "resume");
    await addSlots(server.db, clinic.doctor.id, [{ date: dayFromNow(1), time: "09:30" }]);
    expect((await reception.post(`${DESK}/${id}/close`)).status).toBe(303);
    await shows(
      own.code,
      /The clinic closed before your turn.*token 1 was not seen.*Choose another time.*9:30 AM.*See all times.*Did you pay/,
    );
    const closed = (await page(own.code)).text;
    const bookIt = new URLSearchParams({ doctorId: clinic.doctor.id, date: dayFromNow(1), time: "09:30" });
    for (const link of [`/patient/appointments/patient-detail?${bookIt}`.replaceAll("&", "&#38;"), "tel:+918630000100", "tel:108"])
      expect(closed).toContain(`href="${link}"`);
    expect(closed).not.toMatch(/You have left|http-equiv/);
    for (const [lang, word] of [
      ["te", "మీ వంతు రాకముందే క్లినిక్ మూసేశారు"],
      ["hi", "आपकी बारी से पहले क्लिनिक बंद हो गया"],
    ] as const) {
      const { text } = await page(own.code, `?lang=${lang}`);
      expect(text).toContain(word);
      expect(gzipSync(text).length).toBeLessThanOrEqual(4096);
    }
  });

  it("says nothing false about a patient of a session that nobody opened", async () => {
    const id = await newSession("planned");
    const own = await walkIn(id);
    await server.sql`update queue_sessions set date = date - 1, ends_at = '13:00' where id = ${id}`;
    // As the sweep of the hour would, which no one waits for.
    await expect
      .poll(async () => plain((await page(own.code)).text), { timeout: 25_000, interval: 1_000 })
      .toMatch(/This queue has ended.*we do not know if you were seen.*See all times/);
    expect(plain((await page(own.code)).text)).not.toMatch(/You have left|missed|closed before|Before you/);
  });

  it("lets the patient leave once, and refuses what is no longer possible", async () => {
    const id = await newSession();
    const own = await walkIn(id);
    for (const _ of [1, 2]) expect((await visitor().post(`/q/${own.code}`, { intent: "leave" })).status).toBe(303);
    await shows(own.code, "You have left the queue");
    expect((await visitor().post(`/q/${own.code}`, { intent: "return" })).status).toBe(409);
    expect((await visitor().post(`/q/${own.code}`, { intent: "call" })).status).toBe(400);
    expect((await visitor().post(`/q/${own.code}`, { intent: "leave" }, { origin: "https://other.test" })).status).toBe(403);
    const rows = await server.sql`select state from queue_entries where id = ${own.id}`;
    expect(rows[0]!.state).toBe("left");
  });

  it("stops the messages about a token, and sends them again", async () => {
    const own = await walkIn(await newSession());
    await shows(own.code, "We send an SMS when 3 patients are before you. Stop SMS about this token");
    for (const [intent, stopped, says] of [
      ["stop-sms", true, "SMS about this token are stopped. Send me SMS again"],
      ["allow-sms", false, "We send an SMS when 3 patients are before you."],
    ] as const) {
      expect((await visitor().post(`/q/${own.code}`, { intent })).status).toBe(303);
      expect((await server.sql`select sms_stopped from queue_entries where id = ${own.id}`)[0]!.sms_stopped).toBe(stopped);
      await shows(own.code, says);
    }
  });

  it("sends an unchanged page as 304, and a changed one in full", async () => {
    const id = await newSession();
    const [first, own] = [await walkIn(id), await walkIn(id)];
    await shows(own.code, "Before you 1");
    const tag = (await page(own.code)).headers.get("etag")!;
    expect((await page(own.code, "", { "if-none-match": tag })).status).toBe(304);
    await press(id, "leave", first.id);
    await expect.poll(async () => (await page(own.code, "", { "if-none-match": tag })).status, { timeout: 10_000 }).toBe(200);
  });

  it("answers an unknown code with 404 in the reader's language, and limits guesses", async () => {
    const answer = await page("AAAAAAAAAAAAAAAAAAAA", "?lang=te");
    expect(answer.status).toBe(404);
    expect(answer.text).toContain("ఈ టోకెన్ లేదు");
    expect((await page("x".repeat(300))).status).toBe(404);
    expect((await page("%27;drop")).status).toBe(404);
    let last = 0;
    for (let i = 0; i < 70 && last !== 429; i++) last = (await page(`${i}`.padStart(20, "B"))).status;
    expect(last).toBe(429);
    const own = await walkIn(await newSession());
    expect((await page(own.code)).status).toBe(200);
  });
});
