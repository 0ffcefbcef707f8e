/** Notifications of browsers over HTTP: the page, the service worker's reports, and delivery by the real worker. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readable } from "../factories/booking.ts";
import { askCode, tryCode } from "../factories/logins.ts";
import { makeDoctor, makePatient, makeVisit, newPhone, type Person, type TestDoctor } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { type PushService, startPushService } from "../setup/push-service.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let [server, service]: [TestServer, PushService] = [] as never;
let [patient, doctor]: [Person, TestDoctor] = [] as never;
let people: Record<"patient" | "doctor", LoggedIn>;
const page = { patient: "/patient/settings/push", doctor: "/doctor/settings/push" };
const roles = ["patient", "doctor"] as const;

beforeAll(async () => {
  service = await startPushService();
  server = await startServer({ seed: false, env: { WEBHOOK_TEST_ORIGIN: service.origin } });
  doctor = await makeDoctor(server.db, { name: "Dr. Lock Screen" });
  patient = await makePatient(server.db);
});
beforeEach(async () => {
  await server.sql`delete from push_subscriptions`;
  await server.sql`delete from user_settings`;
  service.delivered.length = service.faults.length = 0;
  people = {
    patient: await loginAs(server, { role: "patient", phone: patient.phone }),
    doctor: await loginAs(server, { role: "doctor", email: doctor.email }),
  };
});
afterAll(async () => {
  await server?.stop();
  await service?.close();
});

const stored = () => server.sql<{ id: string; user_id: string }[]>`select id, user_id from push_subscriptions order by created_at`;
/** Presses "Turn on notifications" in a browser. */
async function turnOn(who: (typeof roles)[number], browser: Browser = people[who]) {
  const { path, ...address } = service.subscribe();
  expect((await browser.post(page[who], { intent: "on", ...address }, { "user-agent": "Firefox/130.0 Android" })).status).toBe(303);
  return { path, endpoint: address.endpoint };
}
const report = async (browser: Browser, fields: Record<string, string>) => {
  const answer = await browser.post("/push/browser", fields);
  return answer.status === 200 ? JSON.parse(answer.text).on : answer.status;
};

describe.each(roles)("the page of a %s", (role) => {
  it("is linked from the settings, turns this browser on and off, and lists others", async () => {
    expect((await people[role].get(`/${role}/settings`)).text).toContain(page[role]);
    expect(readable((await people[role].get(page[role])).text)).toMatch(/This device\s*Off/);
    await turnOn(role);
    expect(readable((await people[role].get(page[role])).text)).toMatch(/This device\s*On/);
    const account = role === "patient" ? { phone: patient.phone } : { email: doctor.email };
    const second = await loginAs(server, { role, ...account });
    const shown = readable((await second.get(page[role])).text);
    expect(shown).toMatch(/This device\s*Off/);
    expect(shown).toContain("Firefox on Android");
    const [row] = await stored();
    expect((await second.post(page[role], { intent: "off", browser: row!.id })).status).toBe(303);
    expect(await stored()).toEqual([]);
  });
  it("saves the kinds", async () => {
    expect((await people[role].post(page[role], { intent: "choose", reminders: "on", waitlist: "on" })).status).toBe(303);
    const text = (await people[role].get(page[role])).text;
    const checked = [...text.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].filter(([input]) => /\bchecked\b/.test(input));
    expect(checked.map(([input]) => /name="(\w+)"/.exec(input)![1])).toEqual(
      role === "patient" ? ["reminders", "waitlist"] : ["reminders"],
    );
  });
  it("refuses a bad address with a sentence, and another origin", async () => {
    const bad = await people[role].post(page[role], { intent: "on", endpoint: "https://10.0.0.1/", p256dh: "x", auth: "y" });
    expect(bad.status).toBe(400);
    expect(readable(bad.text)).toContain("We cannot send notifications to this browser.");
    const { path: _, ...address } = service.subscribe();
    const foreign = await people[role].post(page[role], { intent: "on", ...address }, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    expect(await stored()).toEqual([]);
  });
});

it("does not remove the browser of another user", async () => {
  await turnOn("patient");
  const [row] = await stored();
  expect((await people.doctor.post(page.doctor, { intent: "off", browser: row!.id })).status).toBe(303);
  expect(await stored()).toHaveLength(1);
});

it("a change of a doctor reaches the patient's browser, and none after the logout", { timeout: 60_000 }, async () => {
  const { path } = await turnOn("patient");
  const between = { patient, doctor };
  const [one, two] = [await makeVisit(server.db, between, { time: "10:00" }), await makeVisit(server.db, between, { time: "10:30" })];
  expect((await people.doctor.post(`/doctor/appointments/${one}/accept`)).status).toBe(303);
  await vi.waitFor(() => expect(service.delivered).toHaveLength(1), { timeout: 20_000 });
  expect(service.faults).toEqual([]);
  const message = JSON.parse(service.delivered[0]!.text);
  expect([service.delivered[0]!.path, message.title, message.path]).toEqual([path, "Appointment accepted", `/patient/appointments/${one}`]);
  expect(service.delivered[0]!.text).not.toMatch(/Lock Screen|Proof|\+91/);

  expect((await people.patient.post("/logout")).status).toBe(303);
  expect(await stored()).toEqual([]);
  expect((await people.doctor.post(`/doctor/appointments/${two}/accept`)).status).toBe(303);
  const waiting = () => server.sql`select from pgboss.job where name = 'notification-push' and state <> 'completed'`;
  expect(await waiting()).toEqual([]);
});

describe("the service worker reports", () => {
  it("the same user: the subscription stays, also after a new login", async () => {
    const { endpoint } = await turnOn("patient");
    expect(await report(people.patient, { endpoint })).toBe(true);
    const again = await loginAs(server, { role: "patient", phone: patient.phone });
    expect(await report(again, { endpoint })).toBe(true);
    expect(readable((await again.get(page.patient)).text)).toMatch(/This device\s*On/);
  });
  it("a visitor: it stays until another user logs in", async () => {
    const { endpoint } = await turnOn("patient");
    expect(await report(new Browser(server.url), { endpoint })).toBe(true);
    expect(await report(people.doctor, { endpoint })).toBe(false);
    expect(await stored()).toEqual([]);
    expect(await report(people.patient, { endpoint })).toBe(false);
  });
  it("a replaced subscription", async () => {
    const { endpoint } = await turnOn("patient");
    const { path: _, endpoint: next, ...keys } = service.subscribe();
    expect(await report(people.patient, { endpoint, next, ...keys })).toBe(true);
    expect(await report(people.patient, { endpoint })).toBe(false);
    expect(await report(people.patient, { endpoint: next })).toBe(true);
  });
  it("nothing useful: 400; and a GET has nothing", async () => {
    expect(await report(people.patient, {})).toBe(400);
    expect((await people.patient.get("/push/browser")).status).toBe(405);
  });
});

it("another user who logs in on the browser ends the subscription of the one before", async () => {
  await turnOn("patient");
  const phone = newPhone();
  const answer = await tryCode(people.patient, await askCode(server, people.patient, phone));
  expect(answer.status).toBe(303);
  expect(await stored()).toEqual([]);
});
