/**
 * `npm run bench -- --first-visit`: time until a first visit can be used, on a slow line (400 kbit/s, 400 ms) and a phone with a slow
 * processor (CPU ÷ 6), with an empty cache. Pages work without scripts, so a page can be used when it is painted and read to its end.
 */
import { loadavg } from "node:os";
import { type Browser, chromium } from "@playwright/test";
import { findBrowser } from "../../tests/setup/find-browser.ts";
import { placesOf } from "../../tests/setup/pages.ts";
import { DEMO, loginAs } from "../../tests/setup/people.ts";
import { startServer } from "../../tests/setup/server.ts";
import { median, print } from "./table.ts";

const RUNS = 5;
const SLOWER = 6;
const LINE = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** Milliseconds. A patient's page waits for its sheet, which takes a round trip more. */
const LIMIT = { visitor: 1500, patient: 2000 };

type Visit = { name: string; of: keyof typeof LIMIT; path: string };
const visitsOf = (doctor: string): Visit[] => [
  { name: "splash", of: "visitor", path: "/" },
  { name: "choose role", of: "visitor", path: "/choose-role" },
  { name: "login of patients", of: "visitor", path: "/dual-patient" },
  { name: "doctor list", of: "visitor", path: "/doctorspages/Cards-data" },
  { name: "doctor", of: "visitor", path: `/details/doctor/${doctor}` },
  { name: "emergency", of: "visitor", path: "/patient/emergency-contact" },
  { name: "dashboard", of: "patient", path: "/patient-dashboard" },
  { name: "doctor list", of: "patient", path: "/doctorspages/Cards-data" },
  { name: "date and time", of: "patient", path: `/patient/appointments/datetime?doctorId=${doctor}` },
  { name: "calendar", of: "patient", path: "/patient/calendar" },
];

/** Opens a page with an empty cache. `usable`: when it could be used, in ms. `bytes`: on the wire until it was loaded. */
export async function visit(browser: Browser, url: string, token: string | null): Promise<{ usable: number; bytes: number }> {
  const context = await browser.newContext(PHONE);
  try {
    if (token) await context.addCookies([{ name: "nadi_session", value: token, url, httpOnly: true, sameSite: "Lax" }]);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", LINE);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    let bytes = 0;
    cdp.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(url, { waitUntil: "domcontentloaded" });
    const usable = await page.evaluate(async () => {
      const painted = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
      while (painted() === undefined) await new Promise((ok) => requestAnimationFrame(ok));
      const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return Math.max(painted() as number, navigation?.domInteractive ?? 0);
    });
    await page.waitForLoadState("load");
    return { usable, bytes };
  } finally {
    await context.close();
  }
}

export async function measureFirstVisit(): Promise<void> {
  const server = await startServer();
  const browser = await chromium.launch({ ...(await findBrowser()), headless: true });
  try {
    const { doctor } = await placesOf(server);
    const { token } = await loginAs(server, DEMO.patient);
    const visits = visitsOf(doctor);
    const [before = 0] = loadavg();
    const times = new Map<Visit, number[]>(visits.map((one) => [one, []]));
    for (let run = 0; run < RUNS; run++)
      for (const one of visits) {
        const { usable } = await visit(browser, `${server.url}${one.path}`, one.of === "patient" ? token : null);
        times.get(one)?.push(usable);
      }
    console.log(`\nFirst visit, 400 kbit/s, 400 ms, CPU ÷ ${SLOWER}; load of the machine ${before.toFixed(1)}\n`);
    const rows = visits.map((one) => [one.name, one.of, ...[median(times.get(one) ?? []), LIMIT[one.of]].map((ms) => ms.toFixed(0))]);
    print(["", "", "usable after ms", "limit"], rows);
    const slow = visits.filter((one) => median(times.get(one) ?? []) > LIMIT[one.of]);
    if (slow.length) throw new Error(`slower than the limit: ${slow.map(({ name, of }) => `${name} (${of})`).join(", ")}`);
  } finally {
    await browser.close();
    await server.stop();
  }
}
