/**
 * `npm run bench -- --interactions`: time from an input to the next paint on a phone with a slow processor (CPU ÷ 6), and what the
 * next page of the booking journey loads after the first one.
 */
import { loadavg } from "node:os";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findBrowser } from "../../tests/setup/find-browser.ts";
import { placesOf } from "../../tests/setup/pages.ts";
import { DEMO, loginAs } from "../../tests/setup/people.ts";
import { startServer, type TestServer } from "../../tests/setup/server.ts";
import { median, print } from "./table.ts";

const RUNS = 5;
const SLOWER = 6;
const LIMIT = 200;
/** The smallest threshold that browsers allow. Faster interactions are not reported. */
const SHORTEST = 16;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

type Interaction = {
  name: string;
  /** A new patient has no upcoming visit. */
  isNew?: boolean;
  path: (doctor: string) => string;
  /** Does it and waits for the result. */
  act: (page: Page) => Promise<unknown>;
};
const INTERACTIONS: Interaction[] = [
  {
    name: "typing a city's name",
    path: () => "/location",
    async act(page) {
      await page.getByRole("combobox").pressSequentially("vijay", { delay: 120 });
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "typing in the search of doctors",
    path: () => "/doctorspages/Cards-data",
    act: (page) => page.locator("#q").pressSequentially("anjali", { delay: 120 }),
  },
  {
    name: "choosing a day",
    path: (doctor) => `/patient/appointments/datetime?doctorId=${doctor}`,
    async act(page) {
      const day = page.locator("table[data-calendar] a[href]:not([aria-current])").first();
      const to = (await day.getAttribute("href")) ?? "";
      await day.tap();
      await page.locator(`table[data-calendar] a[href="${to}"][aria-current]`).waitFor();
    },
  },
  {
    name: "choosing a time",
    path: (doctor) => `/patient/appointments/datetime?doctorId=${doctor}`,
    act: (page) => page.locator("label:has(input[name=time]:enabled:not(:checked))").first().tap(),
  },
  {
    name: "opening the enquiry dialog",
    isNew: true,
    path: () => "/patient-dashboard",
    async act(page) {
      await page.locator("a[data-dialog=enquiry]").filter({ visible: true }).first().tap();
      await page.locator("dialog[open]").waitFor();
    },
  },
  {
    name: "sending a chat message",
    isNew: true,
    path: () => "/patient/ai-chat?new",
    async act(page) {
      const words = page.getByLabel("Your message");
      await words.pressSequentially("I have a cough", { delay: 60 });
      await page.getByRole("button", { name: "Send" }).tap();
      await page.waitForURL(/ai-chat\?c=/);
    },
  },
];

/** Opens a page as a phone with a slow processor, and waits until its scripts have run. */
async function openSlow(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript((shortest) => {
    const slowest = new Map<number, number>();
    Object.assign(window, { slowest });
    const note = (entries: PerformanceEntryList) => {
      for (const { interactionId, duration } of entries as (PerformanceEntry & { interactionId: number })[])
        if (interactionId) slowest.set(interactionId, Math.max(duration, slowest.get(interactionId) ?? 0));
    };
    new PerformanceObserver((list) => note(list.getEntries())).observe({
      type: "event",
      durationThreshold: shortest,
      buffered: true,
    } as PerformanceObserverInit);
  }, SHORTEST);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  return page;
}

/** Returns the slowest interaction in ms. Browsers report an interaction after its paint. */
async function slowestOf(page: Page): Promise<number> {
  await page.evaluate(() => new Promise((ok) => requestAnimationFrame(() => setTimeout(ok, 100))));
  return page.evaluate(() => Math.max(0, ...(window as never as { slowest: Map<number, number> }).slowest.values()));
}

type Loaded = { roundTrips: number; bytes: number; requests: number };

/** Follows the journey from the list to a doctor and to the dates, and measures what each page loads. */
async function followJourney(context: BrowserContext, url: string): Promise<Loaded[]> {
  const page = await context.newPage();
  const live = page.waitForEvent("websocket");
  await page.goto(`${url}/doctorspages/Cards-data`);
  await live;
  await page.waitForLoadState("networkidle");
  const steps = [
    () => page.locator("main h2 a, main h3 a").first().tap(),
    () => page.getByRole("link", { name: "Book Now" }).first().tap(),
  ];
  const loaded: Loaded[] = [];
  for (const step of steps) {
    const before = page.url();
    await page.evaluate(() => performance.clearResourceTimings());
    await step();
    await page.waitForURL((now) => now.href !== before);
    await page.waitForLoadState("networkidle");
    loaded.push(await page.evaluate(measureLoaded));
  }
  await page.close();
  return loaded;
}

/** Runs in the browser. Pictures do not delay the page. */
function measureLoaded(): Loaded {
  const all = (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    .filter(({ name, initiatorType }) => initiatorType !== "img" && !name.includes("/socket.io/"))
    // From the cache: a stylesheet that was requested beside the data and is now applied.
    .filter(({ transferSize }) => transferSize > 0)
    .sort((a, b) => a.startTime - b.startTime);
  // The longest chain of requests in which each began after the one before it had ended.
  const depths: number[] = [];
  for (const one of all)
    depths.push(1 + Math.max(0, ...all.slice(0, depths.length).map((early, i) => (early.responseEnd <= one.startTime ? depths[i]! : 0))));
  return {
    roundTrips: Math.max(0, ...depths),
    bytes: all.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    requests: all.length,
  };
}

export async function measureInteractions(): Promise<void> {
  const server = await startServer();
  const browser = await chromium.launch({ ...(await findBrowser()), headless: true });
  try {
    const { doctor } = await placesOf(server);
    const rows: string[][] = [];
    for (const interaction of INTERACTIONS) {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        const account = interaction.isNew ? { role: "patient", phone: `+9198000000${run}0` } : DEMO.patient;
        const context = await contextFor(server, account, browser);
        const page = await openSlow(context, server.url + interaction.path(doctor));
        await interaction.act(page);
        times.push(await slowestOf(page));
        await context.close();
      }
      console.log(`${interaction.name}: ${times.join(", ")} ms`);
      const worst = Math.max(...times);
      const shown = (ms: number) => (ms < SHORTEST ? `< ${SHORTEST}` : ms.toFixed(0));
      rows.push([interaction.name, shown(median(times)), shown(worst), median(times) <= LIMIT ? "yes" : "no"]);
    }
    const context = await contextFor(server, DEMO.patient, browser);
    const journey = await followJourney(context, server.url);
    console.log(`\n${new Date().toISOString().slice(0, 10)} · CPU ÷ ${SLOWER} · ${RUNS} runs · load ${loadavg()[0]?.toFixed(1)}\n`);
    print(["interaction to next paint", "median ms", "worst ms", `median ≤ ${LIMIT}`], rows);
    console.log("");
    print(
      ["next page after the first", "round trips", "bytes", "requests"],
      ["list → doctor", "doctor → dates"].map((name, i) => [
        name,
        ...[journey[i]!.roundTrips, journey[i]!.bytes, journey[i]!.requests].map(String),
      ]),
    );
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function contextFor(server: TestServer, account: { role: string; phone?: string; email?: string }, browser: Browser) {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: "block", locale: "en-IN", timezoneId: "Asia/Kolkata" });
  const { token } = await loginAs(server, account);
  await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
  return context;
}
