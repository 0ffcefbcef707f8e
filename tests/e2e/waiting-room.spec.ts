/**
 * A waiting room in browsers: reception, doctor, television and four phones (two without scripts) follow one session. After each event every screen is
 * checked. The time until the last screen with scripts is right is an annotation of the test, not an assertion.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { timeInIndia } from "#app/lib/dates.ts";
import { dropDatabase } from "../../scripts/databases.ts";
import { dayFromNow, makePatient, makeVisit, newPhone, typed } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { expect, test } from "../setup/browser.ts";
import { cloneTemplate } from "../setup/database.ts";
import { NO_NETWORK } from "../setup/faults.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { freePort, startServer, type TestServer } from "../setup/server.ts";

let database: Awaited<ReturnType<typeof cloneTemplate>>;
let dataDir: string;
let PORT: string;
/** A server of this file, which the test cuts off. The one after it has the same port, database and folder. */
let server: TestServer;
test.beforeAll(async () => {
  database = await cloneTemplate("demo");
  dataDir = mkdtempSync(join(tmpdir(), "nadi-room-"));
  PORT = String(await freePort());
  server = await startServer({ database, dataDir, env: { PORT } });
});
test.afterAll(async () => {
  await server?.stop();
  await dropDatabase(database);
  rmSync(dataDir, { recursive: true, force: true });
});

test("every screen follows a session: booked, walk-in, emergency, power cut, skipped and back, left, late, closed", { tag: "@js" }, async ({
  newContext: newBrowser,
  faults,
}) => {
  const newContext = (options: Parameters<typeof newBrowser>[0]) => newBrowser({ baseURL: server.url, ...options });
  /** Opens a browser of a user. */
  const openAs = async ({ token }: LoggedIn, viewport: { width: number; height: number }) => {
    const context = await newContext({ viewport });
    await context.addCookies([{ name: "nadi_session", value: token, url: server.url }]);
    return context.newPage();
  };
  /** Waits until screens with scripts show an event, and notes after how long the last one did. */
  const follow = async (event: string, screens: Promise<unknown>[]) => {
    const from = performance.now();
    await Promise.all(screens);
    test.info().annotations.push({ type: event, description: `${Math.round(performance.now() - from)} ms` });
  };
  const { doctor, reception, place } = await makeClinic(server.db, { doctor: "Dr. Anitha Vemuri" });
  const patient = await makePatient(server.db, { name: "Lakshmi Devi" });
  await makeVisit(
    server.db,
    { patient, doctor },
    { date: dayFromNow(0), time: timeInIndia(new Date()), status: "accepted", name: "Lakshmi Devi" },
  );
  const [member] = await server.sql<{ email: string }[]>`select email from users where id = ${reception.userId}`;
  const desk = await openAs(await loginAs(server, { role: "staff", email: member!.email }), { width: 1280, height: 800 });

  // The television.
  await desk.goto(`/clinic/${place.id}/screen`);
  await desk.getByRole("button", { name: "Create the address" }).click();
  const address = await desk.getByRole("link", { name: "Open the screen" }).getAttribute("href");
  const tv = await (await newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
  await tv.goto(new URL(address!).pathname);
  await expect(tv.locator("main")).toContainText("No queue is open now");

  // The doctor's phone.
  const small = await openAs(await loginAs(server, { role: "doctor", email: doctor.email }), { width: 390, height: 844 });

  await desk.goto("/desk/queue");
  await expect(desk.getByText("Lakshmi Devi").first()).toBeVisible();
  await small.goto("/doctor/queue");
  await expect(small.getByText("Lakshmi Devi").first()).toBeVisible();
  await desk.getByRole("button", { name: /^(Show this time|Tell 1 patient)$/ }).click();
  await follow("late", [
    expect(tv.locator("li")).toContainText(/Doctor expected at \d/),
    ...[desk, small].map((page) => expect(page.getByText(/Doctor expected at \d/).first()).toBeVisible()),
  ]);
  const [session] = await server.sql<{ id: string }[]>`select id from queue_sessions where doctor_id = ${doctor.id}`;

  const giveToken = async (name: string, button: string | RegExp = /^Give token/) => {
    await desk.getByLabel("Phone number").fill(typed(newPhone()));
    await desk.getByLabel("Patient name").fill(name);
    await desk.getByRole("button", { name: button }).click();
    await expect(desk.getByText(`for ${name}.`)).toBeVisible();
    const [entry] = await server.sql<{ code: string; number: number }[]>`
      select code, number from queue_entries where session_id = ${session!.id} order by number desc limit 1`;
    return entry!;
  };
  const [booked] = await server.sql<{ code: string }[]>`select code from queue_entries where session_id = ${session!.id}`;
  const walkIn = await giveToken("Charan Mekala");
  const leaves = await giveToken("Basha Shaik");

  /** A phone at its token. Without scripts it loads itself again every 5 s; the page is loaded again here, because browsers of tests do not. */
  const open = async (code: string, scripts: boolean): Promise<Page> => {
    const phone = await (await newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: scripts })).newPage();
    await phone.goto(`/q/${code}`);
    if (!scripts) expect(await phone.content()).toContain('http-equiv="refresh" content="5"');
    return phone;
  };
  const phones = {
    booked: await open(booked!.code, true),
    walkIn: await open(walkIn.code, false),
    leaves: await open(leaves.code, false),
  };
  for (const phone of Object.values(phones)) await expect(phone.getByText(/The doctor is expected at \d/)).toBeVisible();
  /** "Now seeing" and "Before you" of a phone. Those without scripts load the page again. */
  const shows = async (phone: Page, seeing: string, before: number) => {
    const asExpected = async () => {
      await expect(phone.locator(".two p").nth(0)).toHaveText(new RegExp(`^Now seeing\\s*${seeing}`));
      await expect(phone.locator(".two p").nth(1)).toHaveText(new RegExp(`^Before you\\s*${before}`));
    };
    if (phone !== phones.walkIn && phone !== phones.leaves) return asExpected();
    const loadAgain = async () => {
      await phone.reload();
      await asExpected();
    };
    await expect(loadAgain).toPass({ timeout: 60_000 });
  };
  const nextIs = (patient: string) =>
    [desk, small].map((page) => expect(page.getByRole("button", { name: new RegExp(`Next patient\\s*${patient}`) })).toBeVisible());
  const called = (patient: string) =>
    [desk, small].map((page) => expect(page.getByRole("button", { name: `With the doctor: ${patient}` })).toBeVisible());

  await small.getByRole("button", { name: /^Doctor is in/ }).click();
  await follow("doctor is in", [
    ...[desk, small].map((page) => expect(page.getByText(/Doctor in since/)).toBeVisible()),
    expect(phones.booked.getByText("The doctor is not here yet.")).toHaveCount(0),
    expect(tv.locator("li")).not.toContainText("expected at"),
  ]);
  await phones.booked.getByRole("button", { name: "I have arrived" }).click();
  await follow("arrived", [...nextIs("1, Lakshmi Devi"), expect(tv.locator("li strong")).toHaveText("1, 2, 3")]);
  await shows(phones.booked, "–", 0);
  await shows(phones.walkIn, "–", 1);
  await shows(phones.leaves, "–", 2);

  // An emergency goes first, and everyone sees it.
  const emergency = await giveToken("Lingamma Boya", "Emergency: see this patient first");
  const urgent = await open(emergency.code, true);
  await follow("emergency", [
    ...nextIs("4, Lingamma Boya, emergency"),
    expect(tv.locator("li strong")).toHaveText("4, 1, 2"),
    expect(tv.locator("li small")).toContainText("+1 emergency"),
    expect(phones.booked.getByText("+1 emergency")).toBeVisible(),
  ]);
  await shows(phones.booked, "–", 1);
  await shows(phones.walkIn, "–", 2);
  for (const phone of [phones.walkIn, phones.leaves]) {
    await phone.reload();
    await expect(phone.getByText("+1 emergency")).toBeVisible();
  }
  const chimes = Number(await tv.locator("html").getAttribute("data-chimes"));
  await desk.getByRole("button", { name: /Next patient/ }).click();
  await follow("called", [
    expect(tv.locator("li.called b")).toHaveText("4"),
    expect(tv.locator("html")).toHaveAttribute("data-chimes", String(chimes + 1)),
    expect(urgent.getByText("Please go in now")).toBeVisible(),
    ...called("4, Lingamma Boya"),
  ]);
  const seeing4 = async () => {
    await shows(phones.booked, "4", 0);
    await shows(phones.walkIn, "4", 1);
    await shows(phones.leaves, "4", 2);
  };
  await seeing4();

  // The power fails. After the restart all screens go on, with the patient who was called.
  faults.allow(NO_NETWORK);
  faults.allow(/ERR_CONNECTION|websocket/i);
  server.child.kill("SIGKILL");
  await once(server.child, "exit");
  const before = server;
  server = await startServer({ database, dataDir, env: { PORT } });
  await before.stop();
  // A page may load itself at the same moment, which ends the other load.
  const load = (page: Page, path: string) => expect(async () => void (await page.goto(path))).toPass();
  await load(desk, "/desk/queue");
  await load(small, "/doctor/queue");
  await load(phones.walkIn, `/q/${walkIn.code}`);
  await load(phones.leaves, `/q/${leaves.code}`);
  await follow("after the power cut", [
    expect(tv.locator("li.called b")).toHaveText("4"),
    expect(urgent.getByText("Please go in now")).toBeVisible(),
    ...called("4, Lingamma Boya"),
  ]);
  await seeing4();

  // Called, not there, and back after two others.
  await small.getByRole("button", { name: /Next patient/ }).click();
  await follow("next", [
    expect(phones.booked.getByText("Please go in now")).toBeVisible(),
    expect(tv.locator("li b")).toHaveText("1"),
    expect(urgent.getByText("Please go in now")).toHaveCount(0),
    ...called("1, Lakshmi Devi"),
  ]);
  await shows(phones.walkIn, "1", 0);
  await desk.getByRole("button", { name: /^Skip/ }).click();
  const skippedOn = (page: Page) => page.getByRole("heading", { name: /^Skipped/ });
  await follow("skipped", [
    expect(phones.booked.getByText("you were not there")).toBeVisible(),
    expect(tv.locator("li b")).not.toHaveText("1"),
    ...[desk, small].map((page) => expect(skippedOn(page)).toBeVisible()),
  ]);
  await phones.booked.getByRole("button", { name: "I am at the clinic" }).click();
  await follow("back", [
    expect(phones.booked.locator(".two").first()).toContainText("Before you"),
    ...[desk, small].map((page) => expect(skippedOn(page)).toHaveCount(0)),
  ]);

  // Left by a plain form.
  await phones.leaves.getByText("I am not coming").click();
  await phones.leaves.getByRole("button", { name: "I am leaving the queue" }).click();
  await expect(phones.leaves.getByText("You have left the queue")).toBeVisible();
  await follow("left", [
    expect(tv.locator("li strong")).toHaveText("2, 1"),
    ...[desk, small].map((page) => expect(page.getByText("Basha Shaik").first()).toBeHidden()),
  ]);
  await shows(phones.walkIn, "–", 0);
  await shows(phones.booked, "–", 1);

  await small.getByRole("button", { name: /Next patient/ }).click();
  await follow("the walk-in is called", [expect(tv.locator("li.called b")).toHaveText("2"), ...called("2, Charan Mekala")]);
  await shows(phones.booked, "2", 0);
  await phones.walkIn.reload();
  await expect(phones.walkIn.getByText("Please go in now")).toBeVisible();
  await desk
    .getByRole("link", { name: "Close queue" })
    .or(desk.getByRole("button", { name: "Close queue" }))
    .first()
    .click();
  await desk.getByRole("button", { name: /^Close( the queue|, send| without)/ }).click();
  await expect(desk.getByText(/The queue is closed\./)).toBeVisible();
  await follow("closed", [
    expect(tv.locator("main")).toContainText("Closed at"),
    expect(small.getByRole("button", { name: /Next patient/ })).toHaveCount(0),
    ...[phones.booked, urgent].map((phone) => expect(phone.locator("main .two p")).toHaveCount(0)),
  ]);
  for (const phone of [phones.walkIn, phones.leaves]) {
    await phone.reload();
    await expect(phone.locator("main .two p")).toHaveCount(0);
  }
  expect(await tv.content()).not.toContain("Lakshmi");
});

test("a screen without a network says so after 45 seconds, and goes on by itself", { tag: "@js" }, async ({
  page,
  server: shared,
  logIn,
  faults,
}) => {
  const { doctor, reception, place } = await makeClinic(shared.db);
  await makeSession(shared.db, doctor.id);
  const [member] = await shared.sql<{ email: string }[]>`select email from users where id = ${reception.userId}`;
  await logIn({ role: "staff", email: member!.email });
  await page.goto(`/clinic/${place.id}/screen`);
  await page.getByRole("button", { name: "Create the address" }).click();
  const path = new URL((await page.getByRole("link", { name: "Open the screen" }).getAttribute("href"))!).pathname;
  await page.clock.install();
  await page.goto(path);
  await expect(page.locator("main")).not.toHaveClass(/offline/);
  faults.allow(NO_NETWORK);
  await page.route("**/tv/*", (route) => route.abort("internetdisconnected"));
  await page.clock.runFor(40_000);
  await expect(page.locator("main")).not.toHaveClass(/offline/);
  for (let i = 0; i < 10; i++) await page.clock.runFor(2_000);
  await expect(page.locator("main")).toHaveClass(/offline/);
  await expect(page.getByRole("alert")).toContainText("No network. Please ask at the desk.");
  await page.unroute("**/tv/*");
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000);
      return page.locator("main").getAttribute("class");
    })
    .not.toMatch(/offline/);
});
