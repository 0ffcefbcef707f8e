/** Installable, and usable offline: public/sw.js, /offline, /patient/offline, the stored emergency page, /manifest.webmanifest. */
import type { Page } from "@playwright/test";
import { axeOn } from "../setup/axe.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { NO_NETWORK } from "../setup/faults.ts";
import { DEMO } from "../setup/people.ts";

test.use({ serviceWorkers: "allow" });

const SOS_STORED = "/patient/emergency-contact/offline";

/** Returns the URLs of everything that the worker stores. */
const storedPages = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    return found.sort();
  });

/** Waits until the worker controls this page. */
async function withWorker(page: Page, path: string) {
  await page.goto(path);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  // The first page that goes through it.
  await page.goto(path);
}
const words = (page: Page) => page.locator("main").innerText();

test("a patient sees 108, 112 and the coming visits without a network, and no later user of the browser does", { tag: "@js" }, async ({
  page,
  context,
  server,
  logIn,
  faults,
}) => {
  const { userId } = await logIn(DEMO.patient);
  const [visit] = await server.sql<{ doctor: string; phone: string }[]>`
    select d.full_name as doctor, h.phone from appointments a join doctors d on d.id = a.doctor_id join hospitals h on h.id = d.hospital_id
    where a.patient_id = ${userId} and a.status in ('pending', 'accepted') and a.date > current_date order by a.date, a.time limit 1`;
  await withWorker(page, "/patient/calendar");
  // These three pages and no others.
  await expect.poll(() => storedPages(page)).toEqual(["/offline", SOS_STORED, "/patient/offline"]);

  faults.allow(NO_NETWORK);
  await context.setOffline(true);
  await page.goto("/patient/profile?from=menu");
  await expect(page.getByRole("heading", { name: "No internet" })).toBeVisible();
  await expect(page.getByRole("link", { name: "108" })).toHaveAttribute("href", "tel:108");
  await expect(page.getByRole("link", { name: "112" })).toHaveAttribute("href", "tel:112");
  expect(await words(page)).toContain(visit!.doctor);
  await expect(page.locator(`a[href="tel:${visit!.phone}"]`).first()).toBeVisible();
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  // The stored page includes its styles.
  expect(await page.locator("h1").evaluate((h1) => getComputedStyle(h1).fontWeight)).toBe("700");

  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page).toHaveURL(/\/patient\/profile\?from=menu$/);
  await expect(page.getByRole("heading", { name: "No internet" })).toHaveCount(0);

  await page.goto("/patient/calendar");
  await hydrated(page);
  // The browser takes the page from its memory: it is hidden, and loaded again.
  const again = page.waitForEvent("load");
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    if (!document.body.hidden) throw new Error("the page is not hidden");
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await again;
  expect(await words(page)).toContain(visit!.doctor);

  await page.goto("/logout");
  await page.getByRole("button", { name: "Yes" }).click();
  await page.waitForURL("**/choose-role");
  // Back leads past the question to the login, and without a network to the page that says so.
  await page.goBack();
  await expect(page).toHaveURL(/\/choose-role$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/dual-patient\?/);
  expect(await page.locator("body").innerText()).not.toContain(visit!.doctor);
  await expect.poll(() => storedPages(page)).toEqual(["/offline", SOS_STORED]);
  await context.setOffline(true);
  await page.goto("/patient/calendar");
  await expect(page.getByRole("link", { name: "108" })).toBeVisible();
  expect(await words(page)).not.toContain(visit!.doctor);
});

test("a session that ended elsewhere removes the stored visits at the next page", { tag: "@js" }, async ({
  page,
  server,
  logIn,
  faults,
}) => {
  const { userId } = await logIn(DEMO.patient);
  await withWorker(page, "/patient-dashboard");
  await expect.poll(() => storedPages(page)).toContain("/patient/offline");
  await server.sql`delete from sessions where user_id = ${userId}`;
  // The worker refreshes after a pause, and at once after a form of another user.
  faults.allow(/^405 POST \/location$/);
  await page.evaluate(() => fetch("/location", { method: "POST", body: new FormData() }));
  await page.goto("/choose-role");
  await expect.poll(() => storedPages(page)).toEqual(["/offline", SOS_STORED]);
});

test("a doctor's browser stores no page of the doctor", { tag: "@js" }, async ({ page, context, logIn, faults }) => {
  await logIn(DEMO.doctor);
  await withWorker(page, "/doctor/appointments");
  await expect.poll(() => storedPages(page)).toEqual(["/offline", SOS_STORED]);
  faults.allow(NO_NETWORK);
  await context.setOffline(true);
  await page.goto("/doctor/appointments");
  await expect(page.getByRole("heading", { name: "No internet" })).toBeVisible();
});

test("a stored page of more than a week is not shown", { tag: "@js" }, async ({ page, context, logIn, faults }) => {
  await logIn(DEMO.patient);
  await withWorker(page, "/patient-dashboard");
  await expect.poll(() => storedPages(page)).toContain("/patient/offline");
  await page.evaluate(async () => {
    const cache = await caches.open("nadi-offline-1");
    const page = await cache.match("/patient/offline");
    const old = new Date(Date.now() - 8 * 24 * 3_600_000).toUTCString();
    await cache.put(
      "/patient/offline",
      new Response(await page!.text(), { headers: { "content-type": "text/html; charset=utf-8", date: old } }),
    );
  });
  faults.allow(NO_NETWORK);
  await context.setOffline(true);
  await page.goto("/patient/calendar");
  await expect(page.getByRole("heading", { name: "No internet" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your next appointments" })).toHaveCount(0);
});

test("the manifest has what a phone needs to install the app, and its images have the declared sizes", { tag: "@js" }, async ({
  page,
  server,
  request,
}) => {
  await page.goto("/choose-role");
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const answer = await request.get(server.url + href, { headers: { "accept-language": "te" } });
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const manifest = await answer.json();
  expect(manifest).toMatchObject({ name: "Nadi", lang: "te", display: "standalone", start_url: "/start" });
  for (const { src, sizes, type } of manifest.icons) {
    const picture = await request.get(server.url + src);
    expect(picture.headers()["content-type"]).toBe(type);
    if (sizes === "any") continue;
    const body = await picture.body();
    expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`, src).toBe(sizes);
  }
  for (const { src, sizes, type, label } of manifest.screenshots) {
    const picture = await request.get(server.url + src);
    expect([picture.headers()["content-type"], label.length > 3]).toEqual([type, true]);
    const [width, height] = await page.evaluate(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }, src);
    expect(`${width}x${height}`, src).toBe(sizes);
  }
  for (const { url } of manifest.shortcuts) expect((await request.get(server.url + url)).status()).toBe(200);
});

test("the app starts at the dashboard, and for a visitor at the first page", async ({ page, logIn }) => {
  await page.goto("/start");
  await expect(page).toHaveURL(/\/(choose-role)?$/);
  await logIn(DEMO.doctor);
  await page.goto("/start");
  await expect(page).toHaveURL(/\/doctor-dashboard$/);
});
