/** All scripts of a patient's page together, with the live connection, are at most 170 KB compressed. */
import type { Page } from "@playwright/test";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";
import { swept } from "../setup/swept.ts";

const BUDGET = 170 * 1024;

test("limits the size of scripts on patient pages", { tag: "@js" }, async ({ page, server, logIn }) => {
  const { userId } = await logIn(DEMO.patient);
  const [slot] = await server.sql<{ doctor: string; date: string; time: string }[]>`
    select d.id as doctor, s.date::text, to_char(s.time, 'HH24:MI') as time from doctors d join availability_slots s on s.doctor_id = d.id
    where d.registration_status = 'verified' and s.date > current_date + 2 and not exists
      (select from appointments a where a.doctor_id = d.id and a.date = s.date and a.time = s.time) order by 2, 3 limit 1`;
  const [seen] = await server.sql<
    { id: string }[]
  >`select id from appointments where patient_id = ${userId} and status = 'completed' limit 1`;
  const [visit] = await server.sql<{ id: string }[]>`select id from appointments where patient_id = ${userId} limit 1`;
  const { doctor, date, time } = slot!;
  const heavy: Record<string, number> = {};
  const paths = [
    "/patient-dashboard",
    "/doctorspages/Cards-data",
    `/details/doctor/${doctor}`,
    `/patient/appointments/datetime?doctorId=${doctor}`,
    `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: doctor, date, time })}`,
    `/patient/appointments/payment/${visit!.id}`,
    `/patient/appointments/${visit!.id}`,
    "/patient/calendar",
    "/patient/profile",
    "/patient/profile/edit",
    "/patient/wallet",
    `/patient/appointments/${seen!.id}/review`,
    "/patient/family/add",
    "/patient/ai-chat",
    "/location",
    "/hospitalpages/Cards-data",
    "/patient/appointments/Query",
    "/patient/notifications",
  ];
  const measure = async (tab: Page, path: string) => {
    const live = tab.waitForEvent("websocket", { predicate: (socket) => socket.url().includes("/socket.io") });
    await tab.goto(path);
    await live;
    await tab.waitForLoadState("networkidle");
    const total = await tab.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    expect(total, path).toBeGreaterThan(50 * 1024);
    if (total > BUDGET) heavy[path] = total;
  };
  // Two tabs: one loads while the other waits until its network is quiet.
  const waiting = swept(paths);
  const work = async (tab: Page) => {
    for (let path = waiting.shift(); path; path = waiting.shift()) await measure(tab, path);
  };
  await Promise.all([work(page), work(await page.context().newPage())]);
  expect(heavy).toEqual({});
});

/** Follows two links and returns the files requested until each page was there. Delays a page's data until the files of `hold` were requested. */
async function followLinks(page: Page, hold: string[][] = []): Promise<string[][]> {
  const isFile = (url: string) => /\.(js|css)$/.test(url) && !/\/socket[.-]/.test(url);
  const pages: string[][] = [];
  // From the start: a page may request files of the next one before its link is pressed.
  const requested = new Set<string>();
  page.on("request", (request) => isFile(request.url()) && requested.add(new URL(request.url()).pathname));
  await page.goto("/doctorspages/Cards-data");
  await page.waitForLoadState("networkidle");
  const links = [page.locator("main h2 a, main h3 a").first(), page.getByRole("link", { name: "Book Now" }).first()];
  for (const [step, link] of links.entries()) {
    const missing = () => (hold[step] ?? []).filter((file) => !requested.has(file));
    await page.route("**/*.data*", async (route) => {
      await expect.poll(missing, "files that the page requests only after its data").toEqual([]);
      await route.continue();
    });
    const before = page.url();
    await link.click();
    await page.waitForURL((now) => now.href !== before);
    await page.waitForLoadState("networkidle");
    await page.unroute("**/*.data*");
    pages.push([...requested]);
  }
  return pages;
}

test("requests all files of the next page beside its data", { tag: "@js" }, async ({ newContext, logIn, context }) => {
  await logIn(DEMO.patient);
  const open = async () => (await newContext({ storageState: await context.storageState(), serviceWorkers: "block" })).newPage();
  const files = await followLinks(await open());
  expect(files[0]!.length).toBeGreaterThan(0);
  expect(files[1]!.length).toBeGreaterThan(files[0]!.length);
  // Once more, without a cache: the data arrives only after every one of these files was requested.
  await followLinks(await open(), files);
});
