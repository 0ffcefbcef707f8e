/** `/arrive/{key}` over HTTP: the QR code of a counter. Plain forms, without scripts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { dayFromNow, makePatient, makeVisit, type Person, recentSlot } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let [own, other]: Awaited<ReturnType<typeof makeClinic>>[] = [] as never;
let [patient, stranger]: Person[] = [] as never;
let [phone, second, reception]: LoggedIn[] = [] as never;
let path = "";

beforeAll(async () => {
  server = await startServer({ seed: false });
  [own, other] = [await makeClinic(server.db, { doctor: "Dr. Anitha Vemuri" }), await makeClinic(server.db, { doctor: "Dr. Other Place" })];
  [patient, stranger] = [await makePatient(server.db, { name: "Lakshmi Devi" }), await makePatient(server.db)];
  phone = await loginAs(server, { role: "patient", phone: patient.phone });
  second = await loginAs(server, { role: "patient", phone: stranger.phone });
  const [user] = await server.sql<{ email: string }[]>`select email from users where id = ${own.reception.userId}`;
  reception = await loginAs(server, { role: "staff", email: user!.email });
  await reception.post(`/clinic/${own.place.id}/screen`, { intent: "replace", kind: "arrive" });
  path = /\/arrive\/[\w-]{20}/.exec((await reception.get(`/clinic/${own.place.id}/screen/poster`)).text)![0];
});
beforeEach(async () => {
  await server.sql`delete from queue_sessions`;
  await server.sql`delete from appointments`;
});
afterAll(() => server?.stop());

/** An appointment that began a few minutes ago. */
const visitToday = (doctor = own!.doctor, over: { status?: "pending" | "accepted"; date?: string; time?: string } = {}) =>
  makeVisit(server.db, { patient: patient!, doctor }, { ...recentSlot(), status: "accepted", ...over });
const entries = () =>
  server.sql<{ id: string; state: string; kind: string; number: number; patient_id: string; arrived_at: Date | null }[]>`
    select id, state, kind, number, patient_id, arrived_at from queue_entries order by number`;
const plan = () =>
  planDay(
    { db: server.db, actor: null, now: new Date(), integrations: {} as never, requestId: "test", ip: "" },
    {
      practiceId: own!.doctor.id,
      date: dayFromNow(0),
    },
  );
const page = async (who: Browser = phone!) => plain((await who.get(path)).text);
const setWalkIns = (intent: "allow-walk-ins" | "stop-walk-ins") => reception!.post(`/clinic/${own!.place.id}/screen`, { intent });

describe("the code of the counter", () => {
  it("sends a visitor to the login and back", async () => {
    const visitor = new Browser(server.url);
    const answer = await visitor.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.text).toContain(`/dual-patient?redirectTo=${encodeURIComponent(path)}`);
    const posted = await visitor.post(path, { intent: "arrive", entryId: "00000000-0000-4000-8000-000000000000" });
    expect([posted.status, posted.location]).toEqual([303, `/dual-patient?redirectTo=${encodeURIComponent(path)}`]);
    expect(plain((await reception!.get(path)).text)).toContain("This code is for patients.");
  });

  it("marks a patient with an appointment today as arrived, once for two presses", async () => {
    await visitToday();
    const { text } = await phone!.get(path);
    expect(plain(text)).toMatch(/Token 1.*Dr\. Anitha Vemuri.*I have arrived/);
    // The page shows the token that the press will store.
    expect(await entries()).toEqual([]);
    expect(text).not.toContain("/q/");
    const entryId = / name="entryId" value="([^"]+)"/.exec(text)![1]!;
    const presses = await Promise.all([1, 2].map(() => phone!.post(path, { intent: "arrive", entryId })));
    expect(presses.map(({ status }) => status)).toEqual([303, 303]);
    expect(await page()).toContain("You have arrived. Wait until your number is called.");
    expect((await entries())[0]!.state).toBe("arrived");
    const audit = await server.sql`select 1 from audit_log where action = 'change-queue' and details->>'change' = 'arrive'`;
    expect(audit).toHaveLength(1);
  });

  it("refuses the entry of another patient and of another place", async () => {
    await visitToday();
    await plan();
    const [entry] = await entries();
    expect((await second!.post(path, { intent: "arrive", entryId: entry!.id })).status).toBe(404);
    await server.sql`delete from appointments`;
    await server.sql`delete from queue_sessions`;
    const session = await makeSession(server.db, other!.doctor.id);
    const [foreign] = await server.sql<{ id: string }[]>`
      insert into queue_entries (session_id, number, kind, patient_id, name, phone, state, code, due_at, person_key)
      values (${session}, 1, 'walk-in', ${patient!.id}, 'x', 'x', 'expected', 'code-of-another-place', now(), 'k') returning id`;
    expect((await phone!.post(path, { intent: "arrive", entryId: foreign!.id })).status).toBe(404);
    expect((await entries()).every(({ state }) => state === "expected")).toBe(true);
  });

  it("says clearly why there is nothing to report: no booking, another day, another place, not accepted, too early", async () => {
    await setWalkIns("stop-walk-ins");
    expect(await page()).toMatch(/You have no appointment here today\..*Please go to the front desk\./);
    await visitToday(own!.doctor, { date: dayFromNow(3), time: "10:30" });
    expect(await page()).toMatch(/no appointment here today\. Your next appointment here is on .* at 10:30 AM with Dr\. Anitha Vemuri/);
    await visitToday(other!.doctor, { time: "23:30" });
    expect(await page()).toMatch(/Your appointment today at 11:30 PM with Dr\. Other Place is at another place/);
    await server.sql`delete from appointments`;
    await visitToday(own!.doctor, { status: "pending" });
    expect(await page()).toMatch(/has not accepted your appointment today at \d{1,2}:\d{2} [AP]M yet/);
  });

  it("says that the queue has ended, not that there is no appointment", async () => {
    await visitToday();
    await plan();
    await server.sql`update queue_entries set state = 'lapsed'`;
    await server.sql`update queue_sessions set state = 'closed', closed_at = now()`;
    const text = await page();
    expect(text).toMatch(/The queue of your appointment today at \d{1,2}:\d{2} [AP]M with Dr\. Anitha Vemuri has ended\./);
    expect(text).not.toContain("no appointment here today");
  });

  it("refuses an arrival long before the booked time", async () => {
    await visitToday();
    await plan();
    const later = new Date(Date.now() + 5 * 3_600_000);
    await server.sql`update queue_entries set due_at = ${later}`;
    expect(await page()).toMatch(/You can report your arrival from \d/);
    const [entry] = await entries();
    expect((await phone!.post(path, { intent: "arrive", entryId: entry!.id })).status).toBe(409);
    expect((await entries())[0]!.state).toBe("expected");
  });

  it("answers a wrong or replaced key with 404 and a clear sentence", async () => {
    const wrong = await phone!.get(`/arrive/${"A".repeat(20)}`);
    expect([wrong.status, plain(wrong.text).includes("This code is not valid. Ask at the front desk.")]).toEqual([404, true]);
    expect((await phone!.post(`/arrive/${"A".repeat(20)}`, { intent: "arrive", entryId: patient!.id })).status).toBe(404);
  });
});

describe("a patient without a booking", () => {
  it("takes a token where the place allows it, once for two presses of a form", async () => {
    const session = await makeSession(server.db, own!.doctor.id);
    expect(await page()).not.toContain("Take a token");
    await setWalkIns("allow-walk-ins");
    const answer = await phone!.get(path);
    expect(plain(answer.text)).toMatch(/Take a token without a booking.*Dr\. Anitha Vemuri/);
    expect(answer.text).toContain('value="Lakshmi Devi"');
    const formKey = /name="formKey" value="([\w-]+)"/.exec(answer.text)![1]!;
    const fields = { intent: "take", sessionId: session, name: "Lakshmi Devi", formKey };
    const presses = await Promise.all([1, 2].map(() => phone!.post(path, fields)));
    expect(presses.map(({ status }) => status)).toEqual([303, 303]);
    expect(presses[0]!.location).toMatch(/^\/q\/[\w-]{20}$/);
    expect(presses[1]!.location).toBe(presses[0]!.location);
    expect(await entries()).toMatchObject([{ number: 1, kind: "scan", state: "arrived", patient_id: patient!.id }]);
    expect(await page()).toContain("You have arrived.");
  });

  it("asks which patient is here when the name waits already: the same, or a twin", async () => {
    const session = await makeSession(server.db, own!.doctor.id);
    await setWalkIns("allow-walk-ins");
    const take = (formKey: string, who?: string) =>
      phone!.post(path, { intent: "take", sessionId: session, name: "B/O Lakshmi", formKey, ...(who && { who }) });
    const first = await take("key-of-the-first");
    // The page offers a token for another patient, because a phone may bring several.
    expect(await page()).toMatch(/Token 1.*Token for another patient/);
    const asked = await take("key-of-the-second");
    expect(asked.status).toBe(409);
    expect(plain(asked.text)).toMatch(/This patient already has token 1\..*B\/O Lakshmi: the patient with token 1.*for example a twin/);
    expect(asked.text).toMatch(/name="name"[^>]*value="B\/O Lakshmi"/);
    const values = [...asked.text.matchAll(/name="who"[^>]*value="([^"]*)"/g)].map(([, value]) => value!);
    expect(values).toEqual(["B/O Lakshmi||", "twin"]);
    const [same, twin] = [await take("key-of-the-same-1", values[0]), await take("key-of-the-twin-1", values[1])];
    expect([same.location, twin.status]).toEqual([first.location, 303]);
    expect(twin.location).not.toBe(first.location);
    expect(await entries()).toHaveLength(2);
    for (const [lang, word] of [
      ["te", "మరో పేషెంట్‌కు టోకెన్"],
      ["hi", "दूसरे मरीज़ के लिए टोकन"],
      ["en", "Token for another patient"],
    ] as const) {
      phone!.cookies.set("lang", lang);
      expect(await page()).toContain(word);
    }
  });

  it("is refused without the setting, in a session of another place, in a closed one, and with too many tokens", async () => {
    const session = await makeSession(server.db, own!.doctor.id);
    const take = (sessionId: string, name: string) => phone!.post(path, { intent: "take", sessionId, name, formKey: `key-of-${name}` });
    await setWalkIns("stop-walk-ins");
    expect((await take(session, "A B")).status).toBe(403);
    await setWalkIns("allow-walk-ins");
    expect((await take(await makeSession(server.db, other!.doctor.id), "A B")).status).toBe(404);
    expect((await take(await makeSession(server.db, own!.doctor.id, { part: "evening", state: "closed" }), "A B")).status).toBe(409);
    expect((await take(session, " ")).status).toBe(400);
    for (const name of ["One", "Two", "Three", "Four"]) expect((await take(session, name)).status).toBe(303);
    expect((await take(session, "Five")).status).toBe(409);
    expect(await entries()).toHaveLength(4);
  });
});
