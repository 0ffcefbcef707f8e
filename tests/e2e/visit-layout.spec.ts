/** Layout and accessibility of every page of a visit, of records, of shared records, of prints and of the check at /rx. */
import type { Page } from "@playwright/test";
import { expectFits, NARROW, PHONE, WIDE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { faultsOfEnlarged, withLargeText } from "../setup/large-text.ts";
import { faultsOfLargeText, faultsOfLayout } from "../setup/layout.ts";
import { swept } from "../setup/swept.ts";
import { makeVisitWorld } from "../setup/visit-world.ts";

const WHO = ["writer", "reader", "patient"] as const;
/** Of scripts. Doctors and staff have more than patients (tests/e2e/weight.spec.ts). */
const BUDGET = 230 * 1024;
/** Codes and secrets that do not exist, and an ended link. */
const REFUSED = /^(404|410) GET \/(rx|s)\//;

test("visit pages pass axe and do not scroll sideways", { tag: "@js" }, async ({ page, server, logIn, faults }) => {
  faults.allow(REFUSED);
  const world = await makeVisitWorld(server);
  for (const who of WHO) {
    await logIn(world[who]);
    for (const path of swept([...world.pages[who], ...world.prints[who]])) {
      await page.goto(path);
      await expect(page.locator("h1").first(), path).toBeVisible();
      await expectFits(page, path, [NARROW, PHONE, WIDE], [PHONE, WIDE]);
    }
  }
  await page.context().clearCookies();
  for (const path of swept(world.open)) {
    await page.goto(path);
    await expectFits(page, path, [NARROW, PHONE, WIDE], [PHONE]);
  }
});

test("visit pages load at most 230 KB of scripts", { tag: "@js" }, async ({ page, server, logIn }) => {
  const world = await makeVisitWorld(server);
  const heavy: Record<string, number> = {};
  for (const who of WHO) {
    await logIn(world[who]);
    for (const path of swept(world.pages[who])) {
      const live = page.waitForEvent("websocket", { predicate: (socket) => socket.url().includes("/socket.io") });
      await page.goto(path);
      await live;
      await page.waitForLoadState("networkidle");
      const total = await page.evaluate(() =>
        (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
          .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      );
      if (total > BUDGET) heavy[path] = total;
    }
  }
  expect(heavy).toEqual({});
});

/** Measures a page at its own size and with text of 200 %. `large`: pages of patients and visitors. */
async function measure(page: Page, path: string, language: "en" | "te", large: boolean): Promise<string[]> {
  await page.goto(path);
  const found = await faultsOfLayout(page, language);
  if (large && language === "te") found.push(...(await faultsOfLargeText(page, language)));
  if (large && language === "en")
    for (const by of ["browser", "text"] as const)
      for (const fault of await withLargeText(page, by, 200, () => faultsOfEnlarged(page, language))) found.push(`${by} 200 %: ${fault}`);
  return found.map((fault) => `${path.replace(/[0-9a-f-]{36}/g, "…")}  ${fault}`);
}

for (const language of ["en", "te"] as const)
  test(`${language}: visit pages fit a small phone, also with large text`, { tag: "@no-js" }, async ({
    page,
    context,
    server,
    logIn,
    faults,
  }) => {
    faults.allow(REFUSED);
    const world = await makeVisitWorld(server, language);
    const found: string[] = [];
    await page.setViewportSize({ width: 360, height: 740 });
    const choose = () => context.addCookies([{ name: "lang", value: language, url: server.url }]);
    await choose();
    for (const who of WHO) {
      const { userId } = await logIn(world[who]);
      await server.sql`update users set language = ${language} where id = ${userId}`;
      for (const path of world.pages[who]) found.push(...(await measure(page, path, language, who === "patient")));
    }
    await context.clearCookies();
    await choose();
    for (const path of world.open.filter((one) => !one.endsWith("/open"))) found.push(...(await measure(page, path, language, true)));
    expect(found).toEqual([]);
  });
