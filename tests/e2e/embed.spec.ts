/** The frame of free times on another website, without third-party cookies and without scripts; the poster and the pages by short name. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { instantInIndia } from "#app/lib/dates.ts";
import { addSlots, dayFromNow } from "../factories/people.ts";
import { makeClinic } from "../factories/queues.ts";
import { expectFits, NARROW, PHONE, WIDE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO, loginAs } from "../setup/people.ts";

type Site = { url: string; cookies: (string | undefined)[]; stop: () => Promise<void> };
/** Serves a page on its own origin, and notes the cookies of each request. */
async function website(body: () => string, { host = "127.0.0.1", headers = {} } = {}): Promise<Site> {
  const cookies: Site["cookies"] = [];
  const site = createServer((req, res) => {
    if (req.url !== "/") return void res.writeHead(404).end();
    cookies.push(req.headers.cookie);
    res
      .writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers })
      .end(`<!doctype html><html lang="en"><title>A clinic</title><link rel="icon" href="data:,"><h1>A clinic</h1>${body()}</html>`);
  });
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  return {
    // 127.0.0.1 is another site than the server's "localhost", so that the server's cookies are third-party ones there.
    url: `http://${host}:${(site.address() as AddressInfo).port}`,
    cookies,
    stop: () => new Promise((done) => site.close(() => done())),
  };
}

/** Makes the page's browser block third-party cookies, as its setting does. */
async function blockThirdPartyCookies(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCookieControls", { enableThirdPartyCookieRestriction: true });
}

/** Opens a website with a frame of the server's site that sets and reads a cookie. Returns what the browser sent in two visits, and what it stored. */
async function cookiesInFrame(page: Page): Promise<{ sent: (string | undefined)[]; stored: string[] }> {
  const framed = await website(() => "", { host: "localhost", headers: { "set-cookie": "third=1; Path=/; SameSite=None; Secure" } });
  const site = await website(() => `<iframe src="${framed.url}/"></iframe>`);
  try {
    for (let visit = 0; visit < 2; visit++) {
      await page.goto(site.url);
      await expect(page.frameLocator("iframe").getByRole("heading")).toBeVisible();
    }
    return { sent: framed.cookies, stored: (await page.context().cookies()).map(({ name }) => name) };
  } finally {
    await Promise.all([site.stop(), framed.stop()]);
  }
}

test("a listed website shows the free times with third-party cookies blocked, and a click opens the booking in the top window", async ({
  page,
  server,
  logIn,
  faults,
}) => {
  const { place, doctor } = await makeClinic(server.db, { doctor: "Dr. Frame Vemuri" });
  const [owner] = await server.sql<{ email: string }[]>`select email from users where id = ${place.owner.userId}`;
  const asOwner = await loginAs(server, { role: "staff", email: owner!.email });
  const at = `/clinic/${place.id}/web`;
  const snippet = /&lt;iframe[\s\S]*?&lt;\/p&gt;/.exec((await asOwner.get(at)).text)![0];
  const decoded = snippet
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/http:\/\/[^/"]+/g, server.url);
  const site = await website(() => decoded);
  expect((await asOwner.post(at, { intent: "origins", origins: site.url })).status).toBe(303);
  // The next noon: the frame shows the times that are left of the day.
  const today = dayFromNow(1);
  server.clock.to(instantInIndia(today, "12:00").getTime());
  await addSlots(server.db, doctor.id, [{ date: today, time: "17:30" }]);

  // Without the setting this browser stores and sends them: the test below could fail.
  expect(await cookiesInFrame(page)).toEqual({ sent: [undefined, "third=1"], stored: ["third"] });
  await page.context().clearCookies();
  await blockThirdPartyCookies(page);
  expect(await cookiesInFrame(page)).toEqual({ sent: [undefined, undefined], stored: [] });
  try {
    const frame = page.frameLocator("iframe");
    const open = async () => {
      const asked = page.waitForResponse(/\/embed\//);
      await page.goto(site.url);
      await expect(frame.getByRole("heading", { name: "Dr. Frame Vemuri" })).toBeVisible();
      const response = await asked;
      expect((await response.request().allHeaders()).cookie).toBeUndefined();
      expect(await response.headerValue("set-cookie")).toBeNull();
    };
    await open();
    expect(await page.context().cookies()).toEqual([]);
    await expect(page.getByRole("link", { name: /^Book an appointment at/ })).toHaveAttribute("href", /\/h\//);
    await frame.getByRole("link", { name: "5:30 PM" }).click();
    // The booking asks a visitor for a login first, in the top window.
    await expect(page).toHaveURL(/\/dual-patient\?.*patient-detail/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(page.frames()).toHaveLength(1);
    // A patient who is logged in books at once. The frame does not know them.
    await logIn(DEMO.patient);
    await open();
    await frame.getByRole("link", { name: "5:30 PM" }).click();
    await expect(page).toHaveURL(/^[^?]*\/patient\/appointments\/patient-detail\?/);
    await expect(page.getByText("Dr. Frame Vemuri").first()).toBeVisible();
    await expect(page.getByText("5:30 PM").first()).toBeVisible();
    expect(page.frames()).toHaveLength(1);
  } finally {
    await site.stop();
  }
  // A website that is not listed shows an empty frame and the plain link.
  const stranger = await website(() => decoded);
  try {
    faults.allow(/frame-ancestors|Refused to frame|violates|ERR_BLOCKED/);
    await page.goto(stranger.url);
    await expect(page.getByRole("link", { name: /^Book an appointment at/ })).toBeVisible();
    await expect(page.frameLocator("iframe").getByText("Dr. Frame Vemuri")).toHaveCount(0);
  } finally {
    await stranger.stop();
  }
});

test("the page by short name, the frame and the poster fit every screen and language", { tag: "@js" }, async ({ page, server }) => {
  const [{ slug }] = await server.sql<[{ slug: string }]>`
    select n.slug from short_names n join hospitals h on h.id = n.hospital_id where h.doctors_count > 1 and n.is_current order by h.doctors_count desc limit 1`;
  for (const path of [`/h/${slug}`, `/embed/${slug}`, `/h/${slug}/poster?size=a5`])
    for (const lang of ["en", "te", "hi"]) {
      await page.goto(`${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
      await expectFits(page, `${path} ${lang}`, [NARROW, PHONE, WIDE], lang === "te" ? [PHONE] : []);
    }
});
