/** SOS without a network: the stored page (public/sw.js), the dialog of browsers without it (app/server/no-network.js), and the open emergency page. */
import type { BrowserContext, Page } from "@playwright/test";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { NO_NETWORK } from "../setup/faults.ts";
import { DEMO } from "../setup/people.ts";
import { type TestServer, workerPids } from "../setup/server.ts";

test.use({ serviceWorkers: "allow" });

const PATH = "/patient/emergency-contact";
const STORED = `${PATH}/offline`;

/** Waits until the worker controls this page and has stored the emergency page. */
async function withStoredSos(page: Page, path: string) {
  await page.goto(path);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.goto(path);
  await expect.poll(() => page.evaluate(async (stored) => (await caches.match(stored)) !== undefined, STORED)).toBe(true);
}

/** Stops the server's processes: the system accepts connections and nothing answers, also to the worker, which `page.route` cannot hold. */
function hold(server: TestServer): () => void {
  signal(server, "SIGSTOP");
  return () => signal(server, "SIGCONT");
}
function signal({ pid }: TestServer, name: NodeJS.Signals) {
  for (const one of [pid, ...workerPids(pid)]) process.kill(one, name);
}
test.afterEach(({ server }) => signal(server, "SIGCONT"));

const sos = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^SOS/ });
const LIST = "/doctorspages/Cards-data";
const NONE = "No internet. Calls work.";
const SLOW = "Nadi does not answer yet. Calls work.";
const LANGUAGES = [
  ["en-IN", NONE],
  ["te-IN", "ఇంటర్నెట్ లేదు. కాల్స్ వెళ్తాయి."],
  ["hi-IN", "इंटरनेट नहीं है। कॉल लगती है।"],
] as const;

/** The numbers are the first links, and only this sentence is shown. */
async function expectNumbers(page: Page, sentence: string, within = "main") {
  await expect(page.getByText(sentence)).toBeVisible();
  await expect(page.locator("[data-network]:visible")).toHaveCount(1);
  const links = page.locator(`${within} a`);
  await expect(links.nth(0)).toHaveAttribute("href", "tel:108");
  await expect(links.nth(1)).toHaveAttribute("href", "tel:112");
}
const expectDialog = (page: Page, sentence: string) => expectNumbers(page, sentence, "dialog#no-network");
const expectLivePage = (page: Page) => expect(page.locator('form:has([value="press"]) button')).toBeVisible({ timeout: 60_000 });

for (const path of [LIST, "/hospitalpages/Cards-data", "/patient-dashboard", "/patient/calendar", "/patient/chat"])
  test(`SOS on ${path} opens the stored page while the network hangs, and returns when it answers`, { tag: "@js" }, async ({
    page,
    server,
    logIn,
    faults,
  }) => {
    faults.allow(NO_NETWORK, /net::ERR/);
    await logIn(DEMO.patient);
    await withStoredSos(page, path);
    const release = hold(server);
    await sos(page).click();
    await expectNumbers(page, SLOW);
    await expect(page.getByRole("heading", { name: "Say this first" })).toBeVisible();
    await expect(page.getByText(/Saved on this phone on .*20\d\d/)).toBeVisible();
    await expect(page.locator('main a[href^="tel:+91"]').first()).toBeVisible();
    release();
    await expectLivePage(page);
    await expect(page.locator("[data-network]")).toHaveCount(0);
  });

for (const [locale, sentence] of LANGUAGES)
  test(`a visitor's SOS opens the stored page in the language of the reader (${locale}), which fits a small phone and returns by itself`, {
    tag: "@js",
  }, async ({ newContext, faults }) => {
    faults.allow(NO_NETWORK);
    const context = await newContext({ locale, serviceWorkers: "allow", viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    await withStoredSos(page, LIST);
    await context.setOffline(true);
    await sos(page).click();
    await expectNumbers(page, sentence);
    expect(new URL(page.url()).pathname).toBe(PATH);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect((await axeOn(page).analyze()).violations).toEqual([]);
    await context.setOffline(false);
    await expectLivePage(page);
  });

test("the stored page stays until a slow answer arrives", { tag: "@js" }, async ({ page, server, logIn, faults }) => {
  faults.allow(/net::ERR/);
  await logIn(DEMO.patient);
  await withStoredSos(page, LIST);
  const release = hold(server);
  // The server answers the first try of the page at once, and the page itself later than the worker waits.
  await page.route(`**${PATH}`, (route) => (route.request().method() === "HEAD" ? route.fulfill({ status: 200 }) : route.continue()));
  // Playwright waits for the navigation before it reads the page, so only its number of documents is known meanwhile.
  let documents = 0;
  page.on("framenavigated", () => documents++);
  await sos(page).click();
  await page.waitForTimeout(4000);
  expect(documents).toBe(1);
  release();
  await expectLivePage(page);
});

test("two tabs open SOS while the network hangs, and both return", { tag: "@js" }, async ({ page, context, server, faults }) => {
  faults.allow(/net::ERR/);
  await withStoredSos(page, LIST);
  const second = await context.newPage();
  await second.goto("/hospitalpages/Cards-data");
  const release = hold(server);
  for (const tab of [page, second]) await sos(tab).click();
  for (const tab of [page, second]) await expectNumbers(tab, SLOW);
  release();
  for (const tab of [page, second]) await expectLivePage(tab);
});

test("a worker from before the stored page is replaced while its page is open", { tag: "@js" }, async ({ page, context, faults }) => {
  faults.allow(NO_NETWORK);
  await context.route("**/sw.js", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: "oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim()); onfetch = () => {};",
    }),
  );
  await page.goto(LIST);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  // The old worker stores nothing: the dialog of the page answers.
  await context.setOffline(true);
  await sos(page).click();
  await expectDialog(page, NONE);
  await page.getByRole("button", { name: "Close" }).click();
  await context.setOffline(false);
  await context.unroute("**/sw.js");
  // It stores the page before it takes over from the old one. Each look asks for it again, as each load of a page does: asked once, this
  // test has hung.
  const hasTakenOver = async (stored: string) => {
    const registration = await navigator.serviceWorker.ready;
    registration.update().catch(() => undefined);
    const { installing, waiting, active } = registration;
    const isActive = !installing && !waiting && active?.state === "activated" && navigator.serviceWorker.controller === active;
    return isActive && (await caches.match(stored)) !== undefined;
  };
  await expect.poll(() => page.evaluate(hasTakenOver, STORED)).toBe(true);
  await context.setOffline(true);
  await sos(page).click();
  await expectNumbers(page, NONE);
  await expect(page.getByRole("heading", { name: "Say this first" })).toBeVisible();
});

/** A first visit or a private window. */
const withoutWorker = (newContext: (options: object) => Promise<BrowserContext>, options: object = {}) =>
  newContext({ serviceWorkers: "block", ...options });

for (const [locale, sentence] of LANGUAGES)
  test(`without a worker a dialog shows the numbers (${locale}), and SOS opens when the network is back`, { tag: "@js" }, async ({
    newContext,
    faults,
  }) => {
    faults.allow(NO_NETWORK);
    const context = await withoutWorker(newContext, { locale, viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    await page.goto(LIST);
    await context.setOffline(true);
    await sos(page).click();
    await expectDialog(page, sentence);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect((await axeOn(page).analyze()).violations).toEqual([]);
    await context.setOffline(false);
    await expectLivePage(page);
    await page.goBack();
    await expect(sos(page)).toBeVisible();
    await expect(page.locator("dialog#no-network")).toBeHidden();
  });

for (const path of ["/patient-dashboard", "/patient/chat", "/hospitalpages/Cards-data"])
  test(`without a worker SOS on a patient's ${path} shows the numbers while the network hangs`, { tag: "@js" }, async ({
    newContext,
    context,
    server,
    logIn,
    faults,
  }) => {
    faults.allow(/net::ERR/);
    await logIn(DEMO.patient);
    const own = await withoutWorker(newContext, { storageState: await context.storageState() });
    const page = await own.newPage();
    await page.goto(path);
    const release = hold(server);
    await sos(page).click();
    await expectDialog(page, SLOW);
    release();
    await expectLivePage(page);
  });

test("without a worker the dialog of the role choice shows the numbers, and its link the sentence", { tag: "@js" }, async ({
  newContext,
  faults,
}) => {
  faults.allow(NO_NETWORK);
  const context = await withoutWorker(newContext);
  const page = await context.newPage();
  await page.goto("/choose-role");
  await context.setOffline(true);
  await page.getByRole("link", { name: /^SOS/ }).click();
  await expect(page.getByRole("link", { name: "Call 108: ambulance" })).toBeVisible();
  await page.getByRole("link", { name: "Call Emergency Services" }).click();
  await expectDialog(page, NONE);
});

test("a server that is down counts as no answer, and a closed dialog stays closed", { tag: "@js" }, async ({ newContext, faults }) => {
  faults.allow(/^503 HEAD/);
  const context = await withoutWorker(newContext);
  const page = await context.newPage();
  await page.goto(LIST);
  await page.route(`**${PATH}`, (route) => route.fulfill({ status: 503 }));
  await sos(page).click();
  await expectDialog(page, SLOW);
  await page.getByRole("button", { name: "Close" }).click();
  await page.unroute(`**${PATH}`);
  // Longer than the pause between two tries.
  await page.waitForTimeout(4000);
  expect(new URL(page.url()).pathname).toBe(LIST);
  await sos(page).click();
  await expectLivePage(page);
});

test("108 is beside SOS", { tag: "@no-js" }, async ({ page, logIn }) => {
  const number = page.getByRole("banner").getByRole("link", { name: "108" });
  await page.goto(LIST);
  await expect(number).toHaveAttribute("href", "tel:108");
  await logIn(DEMO.patient);
  for (const path of [LIST, "/patient-dashboard", "/patient/chat"]) {
    await page.goto(path);
    await expect(number, path).toBeVisible();
  }
});

test("the role choice shows both numbers without a network", { tag: "@no-js" }, async ({ page, context, faults }) => {
  // The page may still fetch the stylesheet of the next one.
  faults.allow(NO_NETWORK);
  await page.goto("/choose-role");
  await context.setOffline(true);
  await page.getByRole("link", { name: /^SOS/ }).click();
  await expect(page.getByRole("link", { name: "Call 108: ambulance" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Call 112: any emergency" })).toBeVisible();
});

test("the button on the open page says that there is no network, and finds hospitals when it is back", { tag: "@js" }, async ({
  page,
  context,
  faults,
}) => {
  faults.allow(NO_NETWORK, /Failed to fetch/);
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 16.507, longitude: 80.646 });
  await page.goto(PATH);
  await expect(page.locator('form:has([value="press"]) button')).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("button", { name: /SOS/ }).click();
  await expectNumbers(page, NONE);
  await context.setOffline(false);
  await expect(page.getByText("Contacting hospitals: call this one first (1 of 3)")).toBeVisible({ timeout: 15_000 });
  await expect(page.locator("[data-network]")).toHaveCount(0);
});

test("the form with a place says that the network hangs, and finds hospitals when it answers", { tag: "@js" }, async ({
  page,
  server,
  faults,
}) => {
  faults.allow(/net::ERR/);
  await page.goto(PATH);
  // A refused position opens the form.
  await page.getByRole("button", { name: /SOS/ }).click();
  await page.getByLabel("City, PIN code or area").fill("Vijayawada");
  const release = hold(server);
  await page.getByRole("button", { name: "Find hospitals" }).click();
  await expectNumbers(page, SLOW);
  release();
  await expect(page.getByText("Contacting hospitals: call this one first (1 of 3)")).toBeVisible({ timeout: 15_000 });
  await expect(page.locator("[data-network]")).toHaveCount(0);
});
