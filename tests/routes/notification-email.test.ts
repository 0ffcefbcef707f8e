/** The email address of a patient: entered, confirmed by the link in an email, used, changed, removed. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { book, bookedId } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let me: LoggedIn;
let to = "";
let count = 0;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());
beforeEach(async () => {
  me = await loginAs(server, { role: "patient", phone: newPhone() });
  to = `patient-${++count}@demo.test`;
});

const ask = (who: LoggedIn, email: string) => who.post("/patient/settings/email", { intent: "save", email });
const sentTo = (email: string) => server.outbox(email);
/** Returns the path of the newest link in the emails to an address. */
async function linkTo(email: string, count = 1): Promise<string> {
  await expect.poll(async () => (await sentTo(email)).length, { timeout: 10_000 }).toBe(count);
  return /\/confirm-email\/[\w-]+/.exec((await sentTo(email))[0]!.body)![0];
}
const stored = async () =>
  (await server.sql`select email, pending_email as pending from notification_emails where user_id = ${me.userId}`)[0] ?? null;
const settings = async () => plain((await me.get("/patient/settings")).text);

it("is used after the button of its page, which works once and without a login", async () => {
  expect(await settings()).toContain("Add an email address to get them.");
  expect((await ask(me, `  ${to.toUpperCase()} `)).status).toBe(303);
  expect(await stored()).toEqual({ email: null, pending: to });
  expect(await settings()).toContain(`We sent a link to ${to}`);
  const link = await linkTo(to);
  const elsewhere = new Browser(server.url);
  const page = await elsewhere.get(link);
  expect(page.status).toBe(200);
  expect(page.headers.get("cache-control")).toContain("no-store");
  // A mail program that opens the link confirms nothing.
  expect(await stored()).toEqual({ email: null, pending: to });
  const answers = await Promise.all([elsewhere.post(link, {}), elsewhere.post(link, {})]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  expect(await stored()).toEqual({ email: to, pending: null });
  expect((await elsewhere.get(link)).status).toBe(404);
  expect(await settings()).toContain(`Emails about your appointments, to ${to}.`);
});

it("receives the notifications of an appointment once it is confirmed, unless emails are switched off", async () => {
  const slots = ["10:00", "10:30", "11:00"].map((time) => ({ date: dayFromNow(5), time }));
  const doctor = await makeDoctor(server.db, { slots });
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  /** A job decides later whether an email is sent: waits for all of them. */
  const decided = () =>
    expect
      .poll(
        async () =>
          (
            await server.sql`select from pgboss.job where name in ('notification-email', 'email') and state in ('created', 'active', 'retry')`
          ).count,
        { timeout: 10_000 },
      )
      .toBe(0);
  const accept = async (slot: number) => {
    const id = bookedId(await book(me, doctor.id, slots[slot]!))!;
    expect((await asDoctor.post(`/doctor/appointments/${id}/accept`, {})).status).toBe(303);
    await decided();
  };
  await ask(me, to);
  const link = await linkTo(to);
  await accept(0);
  await me.post(link, {});
  await accept(1);
  await expect.poll(async () => (await sentTo(to)).map(({ subject }) => subject), { timeout: 10_000 }).toHaveLength(2);
  await me.post("/patient/settings", { intent: "save", sms: "on" });
  await accept(2);
  const phone = (await server.sql`select phone from users where id = ${me.userId}`)[0]!.phone as string;
  await expect.poll(async () => (await sentTo(phone)).some(({ body }) => /accepted/i.test(body)), { timeout: 10_000 }).toBe(true);
  expect(await sentTo(to)).toHaveLength(2);
});

it("stays in use while a new one waits, and an earlier link stops working", async () => {
  await ask(me, to);
  await me.post(await linkTo(to), {});
  const next = `next-${to}`;
  await ask(me, next);
  const first = await linkTo(next);
  await ask(me, next);
  const second = await linkTo(next, 2);
  expect(await stored()).toEqual({ email: to, pending: next });
  expect((await me.get(first)).status).toBe(404);
  expect((await me.post(first, {})).status).toBe(404);
  expect((await me.post(second, {})).status).toBe(303);
  expect(await stored()).toEqual({ email: next, pending: null });
});

it("answers the same for an address of another account, and both may use it", async () => {
  const other = await loginAs(server, { role: "patient", phone: newPhone() });
  const answers = [await ask(other, to), await ask(me, to)];
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  await expect.poll(async () => (await sentTo(to)).length, { timeout: 10_000 }).toBe(2);
  for (const { body } of await sentTo(to)) expect((await me.post(/\/confirm-email\/[\w-]+/.exec(body)![0], {})).status).toBe(303);
  expect(await server.sql`select 1 from notification_emails where email = ${to}`).toHaveLength(2);
});

it("expires after a day, and ends with the account", async () => {
  await ask(me, to);
  const link = await linkTo(to);
  server.clock.advance(24 * 60 * 60 * 1000 + 1000);
  expect((await me.get(link)).status).toBe(404);
  expect((await me.post(link, {})).status).toBe(404);
  expect(await stored()).toEqual({ email: null, pending: to });
  expect(plain((await me.get("/patient/settings/email")).text)).not.toContain("We sent a link");
  expect((await me.post("/patient/data/delete", { word: "delete" })).status).toBe(303);
  expect(await stored()).toBeNull();
});

it("is removed, with the link that waits", async () => {
  await ask(me, to);
  const link = await linkTo(to);
  expect((await me.post("/patient/settings/email", { intent: "remove" })).location).toBe("/patient/settings");
  expect(await stored()).toBeNull();
  expect((await me.get(link)).status).toBe(404);
  expect((await me.post("/patient/settings/email", { intent: "remove" })).status).toBe(303);
});

it("refuses what is no address beside its field, and preserves it", async () => {
  for (const email of ["", "nobody", "a@b", `${"a".repeat(250)}@demo.test`, "two@demo.test, three@demo.test", "line\nbreak@demo.test"]) {
    const answer = await ask(me, email);
    expect(answer.status, email).toBe(400);
    expect(answer.text).toContain('aria-invalid="true"');
  }
  expect((await ask(me, "nobody")).text).toContain('value="nobody"');
  expect(await stored()).toBeNull();
});

it("is limited to five links an hour, and to three for one address", async () => {
  for (let n = 0; n < 3; n++) expect((await ask(me, to)).status).toBe(303);
  expect((await ask(me, to)).status).toBe(429);
  const other = await loginAs(server, { role: "patient", phone: newPhone() });
  expect((await ask(other, to)).status).toBe(429);
  expect((await ask(other, `other-${to}`)).status).toBe(303);
});

it("has its pages for patients only, and never shows another patient's address", async () => {
  await ask(me, to);
  const doctor = await makeDoctor(server.db);
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  const visitor = new Browser(server.url);
  const stranger = await loginAs(server, { role: "patient", phone: newPhone() });
  for (const who of [asDoctor, visitor]) expect((await who.get("/patient/settings/email")).status).toBeGreaterThanOrEqual(300);
  expect((await stranger.get("/patient/settings/email")).text).not.toContain(to);
  expect((await visitor.get("/confirm-email/unknown-link")).status).toBe(404);
  expect(server.output()).not.toContain(to);
  const link = await linkTo(to);
  expect(server.output()).not.toContain(link.split("/").at(-1));
});
