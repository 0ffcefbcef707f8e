/** Questions to support over HTTP: entry points, forms with their errors, threads of others, and the inbox of administrators. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable, valuesOf } from "../factories/booking.ts";
import { makePlace } from "../factories/members.ts";
import { dayFromNow, makeDoctor, makeStaff, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { errorsOf } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
let server: TestServer;
let doctor: TestDoctor;
let [patient, stranger, asDoctor, owner, admin, colleague]: LoggedIn[] = [] as never;
let visit: string;
beforeAll(async () => {
  server = await startServer({ seed: false });
  const login = async ({ userId, role }: { userId: string; role: string }) => {
    const [row] = await server.sql<{ email: string }[]>`select email from users where id = ${userId}`;
    return loginAs(server, { role, email: row!.email });
  };
  doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao" });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
  await server.sql`update patients set name = 'Lakshmi Prasanna Devi' where id = ${patient!.userId}`;
  stranger = await loginAs(server, { role: "patient", phone: newPhone() });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  owner = await login((await makePlace(server.db)).owner);
  admin = await login(await makeStaff(server.db, "admin"));
  colleague = await login(await makeStaff(server.db, "admin"));
  const of = { id: patient!.userId, phone: newPhone(), actor: { userId: patient!.userId, role: "patient" as const } };
  visit = await makeVisit(server.db, { patient: of, doctor }, { date: dayFromNow(3), time: "10:00" });
});
afterAll(() => server?.stop());

const AREAS = { patient: "/patient/support", doctor: "/account/support", owner: "/account/support" };
const browserOf = (who: keyof typeof AREAS) => ({ patient, doctor: asDoctor, owner })[who]!;
/** Writes a question and returns its path. */
async function ask(who: keyof typeof AREAS, message: string, more: Record<string, string> = {}): Promise<string> {
  const [browser, base] = [browserOf(who), AREAS[who]];
  const { key } = valuesOf((await browser.get(`${base}/write`)).text);
  const answer = await browser.post(`${base}/write`, { key: key!, topic: "problem", message, ...more });
  expect(answer.status, readable(answer.text).slice(0, 300)).toBe(303);
  return answer.location!;
}
const idOf = (path: string) => path.split("/").at(-1)!;
const inboxOf = (path: string) => `/admin/support/${idOf(path)}`;

describe("the pages of users", () => {
  it("are linked from the help pages of users, and not shown to visitors", async () => {
    for (const [who, path, link] of [
      [patient!, "/patient/contact-us", "/patient/support"],
      [patient!, "/patient/help", "/patient/support"],
      [asDoctor!, "/doctor/help", "/account/support"],
      [owner!, "/account/security", "/account/support"],
    ] as const)
      expect((await who.get(path)).text, path).toContain(`href="${link}"`);
    const visitor = new Browser(server.url);
    for (const path of ["/patient/contact-us", "/patient/help"]) expect((await visitor.get(path)).text).not.toContain("/patient/support");
    expect((await visitor.get("/patient/support")).location).toBe("/dual-patient?redirectTo=%2Fpatient%2Fsupport");
    expect((await visitor.get("/account/support")).location).toContain("/dual-doctor?redirectTo=");
    expect((await admin!.get("/account/support")).location).toBe("/admin/support");
  });
  it.each(["patient", "doctor", "owner"] as const)("a %s writes, reads the answer, replies and closes", async (who) => {
    const browser = browserOf(who);
    expect(readable((await browser.get(AREAS[who])).text)).toContain("No questions yet");
    const path = await ask(who, "The button <b>does</b> nothing.", who === "owner" ? {} : { appointment: visit });
    expect(path).toMatch(new RegExp(`^${AREAS[who]}/[0-9a-f-]{36}$`));
    const first = await browser.get(path);
    expect(first.text).toContain("The button &lt;b&gt;does&lt;/b&gt; nothing.");
    expect(readable(first.text)).toContain("Waiting for an answer");
    expect(readable(first.text).includes("10:00 AM")).toBe(who !== "owner");

    const { seen } = valuesOf((await admin!.get(inboxOf(path))).text);
    const answered = await admin!.post(inboxOf(path), {
      intent: "answer",
      key: `answer-of-${who}`,
      seen: seen!,
      message: "Please update the app.",
    });
    expect(answered.location).toBe("/admin/support");
    const list = readable((await browser.get(AREAS[who])).text);
    expect(list).toContain("Something does not work");
    expect(list).toContain("Answered");
    const thread = await browser.get(path);
    expect(readable(thread.text)).toContain("Please update the app.");
    expect(readable(thread.text)).toContain("Nadi support");
    if (who !== "owner") {
      const notices = readable((await browser.get(who === "patient" ? "/patient/notifications" : "/doctor/notifications")).text);
      expect(notices).toContain("Support has answered your question NS-");
    }
    const { key } = valuesOf(thread.text);
    expect((await browser.post(path, { intent: "reply", key: key!, message: "It works now." })).location).toBe(path);
    expect((await browser.post(path, { intent: "close" })).location).toBe(path);
    const closed = readable((await browser.get(path)).text);
    expect(closed).toContain("This question is closed.");
    expect(closed).not.toContain("Close question");
  });
  it("preserve the input and name each error", async () => {
    const empty = await patient!.post("/patient/support/write", { key: "some-key-1", topic: "", message: " " });
    expect([empty.status, errorsOf(empty)]).toEqual([
      400,
      expect.objectContaining({ topic: "Choose what it is about.", message: "Write your message." }),
    ]);
    const long = await patient!.post("/patient/support/write", { key: "some-key-2", topic: "other", message: "x".repeat(2001) });
    expect([long.status, errorsOf(long).message, valuesOf(long.text).message!.length]).toEqual([
      400,
      "Write at most 2000 characters.",
      2001,
    ]);
    const foreign = await stranger!.post("/patient/support/write", {
      key: "some-key-3",
      topic: "other",
      message: "Mine?",
      appointment: visit,
    });
    expect([foreign.status, errorsOf(foreign).appointment]).toEqual([400, "This appointment is not yours. Choose another one."]);
    expect(foreign.text).toContain("Mine?");
    expect((await stranger!.post("/patient/support/write", { topic: "other", message: "No key" })).status).toBe(400);
  });
  it("are 404 for others, also in the other area", async () => {
    const path = await ask("patient", "Secretia Question");
    for (const [who, there] of [
      [stranger!, path],
      [asDoctor!, `/account/support/${idOf(path)}`],
      [owner!, `/account/support/${idOf(path)}`],
    ] as const) {
      for (const answer of [await who.get(there), await who.post(there, { intent: "close" }), await who.get(`${there}.data`)]) {
        expect(answer.status).toBe(404);
        expect(answer.text).not.toContain("Secretia");
      }
      expect((await who.post(there, { intent: "reply", key: "some-key-4", message: "x" })).status).toBe(404);
    }
    for (const bad of [UNKNOWN, "nonsense"]) expect((await patient!.get(`/patient/support/${bad}`)).status).toBe(404);
    expect((await patient!.get(path)).headers.get("cache-control")).toBe("no-store");
    expect((await asDoctor!.get(inboxOf(path))).status).toBe(303);
  });
});

describe("the inbox", () => {
  it("counts open questions in the navigation, finds them, and shows no message in the list", async () => {
    const before = Number(/Support\s*(\d+)\s*waiting/.exec(readable((await admin!.get("/admin")).text))?.[1] ?? 0);
    const path = await ask("patient", "Secretia in the list");
    expect(readable((await admin!.get("/admin")).text)).toMatch(new RegExp(`Support\\s*${before + 1}\\s*waiting`));
    const [{ reference }] = (await server.sql`select reference from support_threads where id = ${idOf(path)}`) as unknown as [
      { reference: string },
    ];
    const list = await admin!.get(`/admin/support?q=${reference}`);
    expect(list.text).toContain(inboxOf(path));
    expect(readable(list.text)).toContain("Lakshmi Prasanna Devi");
    expect(list.text).not.toContain("Secretia in the list");
    expect(readable((await admin!.get("/admin/support?q=no-such-name")).text)).toContain("No questions here");
    for (const query of ["status=answered", "status=nonsense", "mine=1", "page=99", "status=all"])
      expect([200, 303], query).toContain((await admin!.get(`/admin/support?${query}`)).status);
  });
  it("refuses the second of two answers and shows the first, with the text preserved", async () => {
    const path = await ask("patient", "Who answers?");
    const here = inboxOf(path);
    const seen = valuesOf((await admin!.get(here)).text).seen!;
    const send = (who: LoggedIn, message: string) => who.post(here, { intent: "answer", key: `key-${message}`, seen, message });
    expect((await send(admin!, "The first answer")).status).toBe(303);
    const second = await send(colleague!, "The second answer");
    expect(second.status).toBe(409);
    expect(readable(second.text)).toContain("A new message has arrived meanwhile.");
    expect(readable(second.text)).toContain("The first answer");
    expect(valuesOf(second.text).message).toBe("The second answer");
    // The page now has the newest message, so the same button sends.
    const again = await colleague!.post(here, {
      intent: "answer-close",
      key: "another-key",
      seen: valuesOf(second.text).seen!,
      message: "More",
    });
    expect(again.status).toBe(303);
    expect(readable((await patient!.get(path)).text)).toContain("Closed");
  });
  it("is assigned, taken over and released, and refuses an outdated page", async () => {
    const path = await ask("doctor", "Who takes it?");
    const here = inboxOf(path);
    expect((await admin!.post(here, { intent: "assign", from: "" })).location).toBe(here);
    const late = await colleague!.post(here, { intent: "assign", from: "" });
    expect([late.status, readable(late.text).includes("The assignment has changed meanwhile.")]).toEqual([409, true]);
    expect((await colleague!.post(here, { intent: "assign", from: admin!.userId })).status).toBe(303);
    expect((await colleague!.get("/admin/support?mine=1")).text).toContain(here);
    expect((await admin!.get("/admin/support?mine=1")).text).not.toContain(here);
    expect((await colleague!.post(here, { intent: "release", from: colleague!.userId })).status).toBe(303);
    const { seen } = valuesOf((await admin!.get(here)).text);
    expect((await admin!.post(here, { intent: "close", seen: seen! })).location).toBe("/admin/support");
    expect(readable((await asDoctor!.get(path)).text)).toContain("This question is closed.");
  });
  it.each(["te", "hi"])("and the pages of users are in the reader's language (%s)", async (language) => {
    const path = await ask("owner", "In my language");
    // Its toast is in the language of the press.
    await owner!.get(path);
    await owner!.post("/language", { language });
    await admin!.post("/language", { language });
    for (const [who, page] of [
      [owner!, "/account/support"],
      [owner!, path],
      [owner!, "/account/support/write"],
      [admin!, "/admin/support"],
      [admin!, inboxOf(path)],
    ] as const)
      expect((await who.get(page)).text, page).not.toMatch(/Waiting for an answer|Your message|Assign to me/);
    for (const who of [owner!, admin!]) await who.post("/language", { language: "en" });
  });
});

it("the download has a patient's questions with the answers, and deleting the account deletes them", async () => {
  const leaving = await loginAs(server, { role: "patient", phone: newPhone() });
  const asked = await leaving.post("/patient/support/write", { key: "leaving-key", topic: "account", message: "Delete me" });
  expect(asked.status).toBe(303);
  await leaving.post("/patient/data/delete", { word: "delete" });
  expect(await server.sql`select from support_threads where user_id = ${leaving.userId}`).toHaveLength(0);
  expect(await server.sql`select from support_messages where author_id = ${leaving.userId}`).toHaveLength(0);
});
