/** Two desks of one queue in browsers: a press on one shows on the other, and a press without a network is sent once when it is back. */

import type { Page } from "@playwright/test";
import { timeInIndia } from "#app/lib/dates.ts";
import { dayFromNow, makePatient, makeVisit, newPhone, typed } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { expectFits, PHONE, WIDE } from "../setup/axe.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { NO_NETWORK } from "../setup/faults.ts";
import { faultsOfLayout } from "../setup/layout.ts";
import { swept } from "../setup/swept.ts";

const SHOW_TIME = "Show this time";
/** A session that starts now, so that its doctor can be announced for later. */
const startsNow = () => ({ state: "planned" as const, startsAt: timeInIndia(new Date()), endsAt: "23:59" });
const emailOf = (server: { sql: import("postgres").Sql }, id: string) =>
  server.sql<{ email: string }[]>`select email from users where id = ${id}`.then(([row]) => row!.email);

test("the menu of a row closes on Escape and after its action @js", async ({ page, server, logIn }) => {
  const { doctor, reception } = await makeClinic(server.db);
  for (const [time, name] of [
    ["09:00", "Anil Kumar"],
    ["09:01", "Bhavani Devi"],
  ] as const)
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor }, { date: dayFromNow(0), time, status: "accepted", name });
  await makeSession(server.db, doctor.id);
  await logIn({ role: "staff", email: await emailOf(server, reception.userId) });
  await page.goto("/desk?seen=1");
  await hydrated(page);
  const menu = page.getByLabel("More actions for Anil Kumar");
  const notComing = page.getByRole("button", { name: /^Not coming/ });
  await menu.click();
  await expect(notComing).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(notComing).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.click();
  await notComing.click();
  await expect(page.getByRole("row").filter({ hasText: "Anil Kumar" })).toContainText(/Left \d/);
  // An open menu would cover the button of the row below.
  await page.getByRole("button", { name: "Check in: Bhavani Devi" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Bhavani Devi" })).toContainText(/Here \d/);
});

test("the lines of an expected time do not touch in Telugu, where that of noon is the longest @no-js", async ({ page, server, logIn }) => {
  const { doctor, reception } = await makeClinic(server.db);
  await makeSession(server.db, doctor.id, { state: "planned", startsAt: "11:20", endsAt: "14:00" });
  server.clock.set(Date.parse(`${dayFromNow(0)}T11:00:00+05:30`) - Date.now());
  await logIn({ role: "staff", email: await emailOf(server, reception.userId) });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/desk/queue");
  await page.getByRole("link", { name: "Add a walk-in" }).click();
  await page.getByLabel("Phone number").fill(typed(newPhone()));
  await page.getByLabel("Patient name").fill("Anil Kumar");
  await page.getByRole("button", { name: "Give token 1" }).click();
  await expect(page.getByText("Token 1 for")).toBeVisible();
  await server.sql`update users set language = 'te' where id = ${reception.userId}`;
  await page.goto("/desk/queue");
  await expect(page.getByText(/ఉదయం 11:\d\d – మధ్యాహ్నం 12:\d\d/)).toBeVisible();
  expect(await faultsOfLayout(page, "te")).toEqual([]);
});

test("a token given at the desk appears on the doctor's open page, and a call of the doctor at the desk", { tag: "@js" }, async ({
  page,
  browser,
  server,
  logIn,
}) => {
  const { doctor, reception } = await makeClinic(server.db);
  const session = await makeSession(server.db, doctor.id);
  await logIn({ role: "staff", email: await emailOf(server, reception.userId) });
  await page.goto("/desk/queue");
  const { loginAs } = await import("../setup/people.ts");
  const { token } = await loginAs(server, { role: "doctor", email: doctor.email });
  const context = await browser.newContext();
  await context.addCookies([{ name: "nadi_session", value: token, url: server.url }]);
  const small = await context.newPage();
  await small.goto(`${server.url}/doctor/queue`);
  await expect(small.getByText("No patient is waiting.").first()).toBeVisible();
  const sockets = async () => Number((await (await fetch(`${server.url}/metrics`)).text()).match(/^realtime_sockets (\d+)/m)?.[1] ?? 0);
  await expect.poll(sockets).toBeGreaterThan(1);

  await page.getByLabel("Phone number").fill(typed(newPhone()));
  await page.getByLabel("Patient name").fill("Charan Mekala");
  // A change elsewhere reloads the page's data and leaves the typed name.
  await small.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: /^Resume/ })).toBeVisible();
  await small.getByRole("button", { name: /^Resume/ }).click();
  await expect(page.getByLabel("Patient name")).toHaveValue("Charan Mekala");
  await page.getByRole("button", { name: "Give token 1" }).click();
  await expect(page.getByText("Token 1 for Charan Mekala.")).toBeVisible();
  // The patient's own page follows with its script.
  const [entry] = await server.sql<{ code: string }[]>`select code from queue_entries where session_id = ${session}`;
  const phone = await context.newPage();
  const refused: string[] = [];
  phone.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  await phone.goto(`${server.url}/q/${entry!.code}`);
  await expect(phone.getByText("Please go in now")).toHaveCount(0);
  await small.getByRole("button", { name: /Next patient/ }).click();
  await expect(phone.getByText("Please go in now")).toBeVisible();
  expect(refused).toEqual([]);
  await expect(small.getByText("Token 1 is called.")).toBeVisible();
  await expect(page.getByRole("button", { name: "With the doctor: 1, Charan Mekala" })).toBeVisible();
  // A button of the patient's page: the origin check accepts its form.
  await page.getByLabel("Phone number").fill(typed(newPhone()));
  await page.getByLabel("Patient name").fill("Bujji Naidu");
  await page.getByRole("button", { name: "Give token 2" }).click();
  await expect(page.getByText("Token 2 for Bujji Naidu.")).toBeVisible();
  const [second] = await server.sql<{ code: string }[]>`select code from queue_entries where session_id = ${session} and number = 2`;
  await phone.goto(`${server.url}/q/${second!.code}`);
  await phone.getByText("I am not coming").click();
  await phone.getByRole("button", { name: "I am leaving the queue" }).click();
  await expect(phone.getByText("You have left the queue")).toBeVisible();

  // "Next patient" too early: undone, the patient before is inside again.
  const visit = { date: dayFromNow(0), time: "09:00", status: "accepted", name: "Padma Booked" } as const;
  await makeVisit(server.db, { patient: await makePatient(server.db), doctor }, visit);
  await page.getByRole("button", { name: "With the doctor: 1, Charan Mekala" }).click();
  await expect(page.getByRole("button", { name: "Done: 1, Charan Mekala" })).toBeVisible();
  // The agenda has the state of the queue, and each page follows the other, also in the first moments after its load.
  const row = (on: Page) => on.getByRole("row").filter({ hasText: "Padma Booked" });
  await Promise.all([page.goto("/desk"), small.goto(`${server.url}/doctor/appointments?view=agenda`)]);
  await page.getByRole("button", { name: "Check in: Padma Booked" }).click();
  for (const on of [page, small]) await expect(row(on).getByText(/Here \d/)).toBeVisible();
  await small.goto(`${server.url}/doctor/queue`);
  await small.getByRole("button", { name: /Next patient/ }).click();
  await expect(row(page).getByText("Called")).toBeVisible();
  await small.getByRole("button", { name: "Undo, 1 is still inside" }).click();
  await expect(row(page).getByText(/Here \d/)).toBeVisible();
  await expect(small.getByRole("button", { name: "Done: 1, Charan Mekala" })).toBeVisible();
  // Two presses take cash.
  await page.getByRole("link", { name: "Take ₹500: Padma Booked" }).click();
  await page.getByRole("button", { name: "Record payment" }).click();
  await expect(page.getByText("Payment recorded")).toBeVisible();
  await context.close();
});

test("a press without a network is shown as not sent, and sent once when the network is back", { tag: "@js" }, async ({
  page,
  server,
  logIn,
  faults,
}) => {
  const { doctor, reception } = await makeClinic(server.db);
  const id = await makeSession(server.db, doctor.id, { ...startsNow() });
  await logIn({ role: "staff", email: await emailOf(server, reception.userId) });
  await page.goto("/desk/queue");
  const late = page.getByRole("button", { name: SHOW_TIME });
  await expect(late).toBeVisible();
  await page.waitForLoadState("networkidle");
  faults.allow(NO_NETWORK);
  await page.route("**/*", (route) => route.abort("internetdisconnected"));
  await late.click();
  await expect(page.getByRole("alert").getByText("1 press is not sent yet.")).toBeVisible();
  await page.unroute("**/*");
  await expect(page.getByRole("alert").getByText("1 press is not sent yet.")).toHaveCount(0);
  const read = async () =>
    (await server.sql<{ late: number }[]>`select late_minutes as late from queue_sessions where id = ${id}`)[0]!.late;
  await expect.poll(read).toBeGreaterThanOrEqual(20);
});

test("a press that arrived but whose answer was lost is done once, and so are the presses of a minute without a network", {
  tag: "@js",
}, async ({ page, server, logIn, faults }) => {
  const { doctor, reception } = await makeClinic(server.db);
  const id = await makeSession(server.db, doctor.id, { ...startsNow() });
  const changes = async () =>
    (
      await server.sql<{ action: string }[]>`
        select action from audit_log where subject_type = 'queue' and subject_id = ${id} order by id`
    ).map(({ action }) => action);
  await logIn({ role: "staff", email: await emailOf(server, reception.userId) });
  await page.goto("/desk/queue");
  await hydrated(page);
  await page.clock.install();
  const unsent = page.getByRole("alert").getByText("not sent yet");
  const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
  const later = async (check: () => Promise<void>) =>
    expect(async () => {
      await page.clock.runFor(1_000);
      await check();
    }).toPass();
  faults.allow(NO_NETWORK);

  // A slow network: the press arrives, its answer does not.
  await page.route("**/*", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.abort("internetdisconnected");
  });
  await press(SHOW_TIME);
  await expect(unsent).toHaveText(/^1 press /);
  expect(await changes()).toEqual(["announce-delay"]);
  await page.unroute("**/*");
  await later(() => expect(unsent).toHaveCount(0, { timeout: 1 }));
  expect(await changes()).toEqual(["announce-delay"]);

  // No network for a minute.
  await page.route("**/*", (route) => route.abort("internetdisconnected"));
  await press(/^Doctor is in/);
  await expect(unsent).toHaveText(/^1 press /);
  await press(SHOW_TIME);
  await expect(unsent).toHaveText(/^2 presses /);
  await page.clock.runFor(60_000);
  await expect(unsent).toHaveText(/^2 presses /);
  expect(await changes()).toEqual(["announce-delay"]);
  await page.unroute("**/*");
  await later(() => expect(unsent).toHaveCount(0, { timeout: 1 }));
  expect((await changes()).filter((change) => change === "open-queue")).toHaveLength(1);
});

test("a change that cannot be loaded for lack of a network leaves the page as it is, and appears when the network is back", {
  tag: "@js",
}, async ({ page, server, logIn, faults }) => {
  const { doctor, reception } = await makeClinic(server.db);
  await makeSession(server.db, doctor.id, { ...startsNow() });
  await logIn({ role: "staff", email: await emailOf(server, reception.userId) });
  const watching = page.waitForEvent("websocket", { predicate: (socket) => socket.url().includes("/socket.io") });
  await page.goto("/desk/queue");
  await (await watching).waitForEvent("framesent", { predicate: ({ payload }) => String(payload).includes("watchQueue") });
  await page.waitForLoadState("networkidle");
  faults.allow(NO_NETWORK);

  // The socket stays open: only requests fail.
  await page.route("**/*", (route) => route.abort("internetdisconnected"));
  const failed = page.waitForEvent("requestfailed", { predicate: (request) => request.url().includes("/desk/queue.data") });
  const other = await page.context().newPage();
  await other.goto("/desk/queue");
  await other.getByRole("button", { name: SHOW_TIME }).click();
  await failed;
  await expect(page.getByRole("button", { name: SHOW_TIME })).toBeVisible();
  await expect(page.getByText("No internet")).toHaveCount(0);
  await page.unroute("**/*");
  await expect(page.getByText(/Doctor expected at \d/).first()).toBeVisible();
});

test("the pages of a queue pass axe and do not scroll sideways", { tag: "@js" }, async ({ page, server, logIn }) => {
  const { doctor, reception } = await makeClinic(server.db, { doctor: "Dr. Venkata Satyanarayana Murthy Chaganti" });
  const id = await makeSession(server.db, doctor.id);
  await logIn({ role: "staff", email: await emailOf(server, reception.userId) });
  await page.goto("/desk/queue");
  for (const [name, button] of [
    ["Lingamma Boya", "Emergency: see this patient first"],
    ["Jonnalagadda Venkata Sai Kiran Srinivasa", "Give token 2"],
  ] as const) {
    await page.getByLabel("Phone number").fill(typed(newPhone()));
    await page.getByLabel("Patient name").fill(name);
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(page.getByText(`for ${name}.`)).toBeVisible();
  }
  const [entry] = await server.sql<{ id: string }[]>`select id from queue_entries where session_id = ${id} limit 1`;
  for (const path of swept(["/desk/queue", `/desk/queue/${id}/close`, `/desk/queue/${id}/slip/${entry!.id}`])) {
    await page.goto(path);
    await expectFits(page, path, [PHONE, WIDE]);
  }
  await server.sql`update queue_sessions set state = 'planned', doctor_in_at = null, starts_at = ${timeInIndia(new Date())}, ends_at = '23:59' where id = ${id}`;
  await page.goto("/desk/queue");
  await page.getByRole("button", { name: SHOW_TIME }).click();
  await expect(page.getByText(/Doctor expected at \d/).first()).toBeVisible();
  await page.getByLabel("Doctor expected at").fill("00:01");
  await expectFits(page, "a session that waits for its doctor", [PHONE, WIDE]);
  const [token] = await server.sql<
    { code: string }[]
  >`select code from queue_entries where session_id = ${id} order by number desc limit 1`;
  await page.goto(`/q/${token!.code}`);
  await expectFits(page, "a token of it", [PHONE, WIDE]);
});
