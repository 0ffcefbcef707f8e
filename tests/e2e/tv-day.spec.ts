/** A television that stays on: its memory does not grow (in three hours; `PROVE=1`: in a day), and it goes on after its page was killed. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CDPSession, chromium, type Page } from "@playwright/test";
import { newPhone, typed } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { expect, test } from "../setup/browser.ts";
import { findBrowser } from "../setup/find-browser.ts";
import { loginAs } from "../setup/people.ts";
import type { TestServer } from "../setup/server.ts";

/** Three hours have 7,200 answers and 300 changes. */
const HOURS = process.env.PROVE ? 12 : 3;
/** The screen asks every 1.5 s. */
const POLLS = (HOURS * 60 * 60) / 1.5;
/** A call, an arrival or an end every 36 seconds. */
const CHANGES = HOURS * 100;

/** A television has little memory. */
const small = async () => {
  const launch = await findBrowser();
  return chromium.launch({ ...launch, args: [...launch.args, "--js-flags=--max-old-space-size=64"] });
};

/** Makes a clinic with an open queue and a screen. Returns the path of the screen, and a member's page of the queue. */
async function makeScreen(server: TestServer, newContext: (options?: object) => Promise<import("@playwright/test").BrowserContext>) {
  const { doctor, reception, place } = await makeClinic(server.db, { doctor: "Dr. Anitha Vemuri" });
  await makeSession(server.db, doctor.id);
  const [member] = await server.sql<{ email: string }[]>`select email from users where id = ${reception.userId}`;
  const { token } = await loginAs(server, { role: "staff", email: member!.email });
  const context = await newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies([{ name: "nadi_session", value: token, url: server.url }]);
  const desk = await context.newPage();
  await desk.goto(`/clinic/${place.id}/screen`);
  await desk.getByRole("button", { name: "Create the address" }).click();
  const path = new URL((await desk.getByRole("link", { name: "Open the screen" }).getAttribute("href"))!).pathname;
  await desk.goto("/desk/queue");
  return { path, desk };
}

async function giveToken(desk: Page, number: number) {
  await desk.getByLabel("Phone number").fill(typed(newPhone()));
  await desk.getByLabel("Patient name").fill(`Patient ${String.fromCharCode(64 + number)}`);
  await desk.getByRole("button", { name: `Give token ${number}` }).click();
  await expect(desk.getByText(`Token ${number} for`)).toBeVisible();
}

/** What is alive after a collection. */
async function measured(devtools: CDPSession) {
  await devtools.send("HeapProfiler.collectGarbage");
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((one) => one.name === name)!.value;
  return { nodes: of("Nodes"), heap: of("JSHeapUsedSize") };
}

test("hours of updates leave memory and elements of the screen where they were", { tag: "@js" }, async ({ server, newContext }) => {
  test.setTimeout(900_000);
  const { path } = await makeScreen(server, newContext);
  const first = await (await fetch(server.url + path)).text();
  const policy = (await fetch(server.url + path)).headers.get("content-security-policy")!;
  // A server of this test has the day: the page as it is, with another call, tag and number at each change.
  const day = { polls: 0, changes: 0 };
  let night = Promise.resolve();
  const stub = createServer(async (request, response) => {
    await night;
    const isPage = request.headers["if-none-match"] === undefined;
    if (!isPage) day.polls++;
    const changes = Math.floor((day.polls * CHANGES) / POLLS);
    if (!isPage && changes === day.changes) return response.writeHead(304, { date: new Date().toUTCString() }).end();
    day.changes = changes;
    const html = first
      .replace(/data-tag='[^']*'/, `data-tag='"${changes}"'`)
      .replace(/data-calls="\d+"/, `data-calls="${changes}"`)
      .replace(/<b>.*?<\/b>/, `<b>${changes}</b>`);
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }).end(html);
  }).listen(0, "127.0.0.1");
  const browser = await small();
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    // The pauses of the day are left out.
    await page.addInitScript(() => {
      window.setTimeout = ((work: () => void) => void Promise.resolve().then(work)) as unknown as typeof window.setTimeout;
    });
    await page.goto(`http://127.0.0.1:${(stub.address() as AddressInfo).port}${path}`);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    const after = async (share: number) => {
      await expect.poll(() => day.polls, { timeout: 600_000, intervals: [200] }).toBeGreaterThan(POLLS * share);
      // Nothing new comes while it is measured.
      const { promise, resolve } = Promise.withResolvers<void>();
      night = promise;
      const alive = await measured(devtools);
      resolve();
      return alive;
    };
    const [morning, evening] = [await after(0.1), await after(1)];
    test.info().annotations.push({ type: "a day", description: JSON.stringify({ morning, evening, ...day }) });
    expect(evening.nodes / morning.nodes).toBeLessThan(1.05);
    expect(evening.heap / morning.heap).toBeLessThan(1.05);
    expect(Number(await page.locator("li b").first().textContent())).toBeGreaterThanOrEqual(CHANGES);
  } finally {
    await browser.close();
    stub.close();
  }
});

test("a screen whose page was killed shows the queue again when the television loads it again", {
  tag: "@js",
}, async ({ server, newContext }) => {
  const { path, desk } = await makeScreen(server, newContext);
  await giveToken(desk, 1);
  const browser = await small();
  try {
    const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
    const tv = await context.newPage();
    await tv.goto(server.url + path);
    await expect(tv.locator("li strong")).toHaveText("1");
    const killed = tv.waitForEvent("crash");
    await tv.goto("chrome://crash").catch(() => undefined);
    await killed;
    await giveToken(desk, 2);
    await desk.getByRole("button", { name: /Next patient/ }).click();
    // What a kiosk does with a dead page: a new one of the same address.
    const again = await context.newPage();
    await again.goto(server.url + path);
    await expect(again.locator("li.called b")).toHaveText("1");
    await expect(again.locator("li strong")).toHaveText("2");
    // It follows the next change.
    await giveToken(desk, 3);
    await expect(again.locator("li strong")).toHaveText("2, 3");
  } finally {
    await browser.close();
  }
});
