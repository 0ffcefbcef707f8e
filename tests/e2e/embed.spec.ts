/** The frame of free times on another website, without third-party cookies and without scripts; the poster and the pages by short name. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { addSlots, dayFromNow } from "../factories/people.ts";
import { makeClinic } from "../factories/queues.ts";
import { expectFits, NARROW, PHONE, WIDE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { loginAs } from "../setup/people.ts";

type Html = { url: string; stop: () => Promise<void> };
/** A website of a clinic on its own origin. */
async function website(body: () => string): Promise<Html> {
  const site = createServer((_, res) =>
    res
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><html lang="en"><title>A clinic</title><h1>A clinic</h1>${body()}</html>`),
  );
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  return {
    // Another site than the server's "localhost", so that its cookies are third-party ones.
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    stop: () => new Promise((done) => site.close(() => done())),
  };
}

test("a listed website shows the free times without cookies, and a click opens the booking in the top window", async ({
  page,
  server,
  faults,
}) => {
  const { place, doctor } = await makeClinic(server.db, { doctor: "Dr. Frame Vemuri" });
  await addSlots(server.db, doctor.id, [{ date: dayFromNow(0), time: "23:59" }]);
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
  try {
    expect((await asOwner.post(at, { intent: "origins", origins: site.url })).status).toBe(303);
    await page.goto(site.url);
    const frame = page.frameLocator("iframe");
    await expect(frame.getByRole("heading", { name: "Dr. Frame Vemuri" })).toBeVisible();
    expect(await page.context().cookies(server.url)).toEqual([]);
    await expect(page.getByRole("link", { name: /^Book an appointment at/ })).toHaveAttribute("href", /\/h\//);
    await frame.getByRole("link", { name: "11:59 PM" }).click();
    // The booking asks for a login first, in the top window.
    await expect(page).toHaveURL(/\/dual-patient\?.*patient-detail/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
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
