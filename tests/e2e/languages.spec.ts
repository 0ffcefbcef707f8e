/** Layout and language of every page on a small phone. Boxes are measured (tests/setup/layout.ts), not pixels. */
import type { Page } from "@playwright/test";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { expect, test } from "../setup/browser.ts";
import { faultsOfLargeText, faultsOfLayout, splitWords } from "../setup/layout.ts";
import { MISSING_PAGE, PAGE_GROUPS, placesOf } from "../setup/pages.ts";
import { DEMO } from "../setup/people.ts";
import { STAFF_GROUPS, staffPlacesOf } from "../setup/staff-pages.ts";

/** Has the longest words: a layout that fits them with double text size fits the other languages. */
const LONGEST: Language = "te";

test.use({ viewport: { width: 360, height: 740 } });

/** Opens a page and waits for its stylesheets, not for its images. */
async function openStyled(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "domcontentloaded" });
  const isStyled = () => [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null);
  await expect.poll(() => page.evaluate(isStyled), path).toBe(true);
}

for (const language of LANGUAGES)
  for (const { whose, account, pages, beside } of PAGE_GROUPS)
    test(`${language}: ${whose} pages @no-js`, async ({ page, context, server, logIn, faults }) => {
      test.setTimeout(180_000);
      faults.allow(MISSING_PAGE);
      await context.addCookies([{ name: "lang", value: language, url: server.url }]);
      if (account) await logIn(DEMO[account]);
      const places = await placesOf(server);
      const found: string[] = [];
      for (const path of [...pages(places), ...(beside?.(places) ?? [])]) {
        // For developers, in English.
        if (path.startsWith("/dev/")) continue;
        await openStyled(page, path);
        await expect(page.locator("h1").first(), path).toBeVisible();
        const large = language === LONGEST && account !== "doctor" ? await faultsOfLargeText(page, language) : [];
        // Telugu words can be wider than any title.
        const split = language === "en" ? await page.evaluate(splitWords, "h1, h2, .title, .city") : [];
        for (const fault of [...(await faultsOfLayout(page, language)), ...split, ...large]) found.push(`${path}  ${fault}`);
      }
      expect(found).toEqual([]);
    });

for (const language of LANGUAGES)
  for (const { whose, account, pages } of STAFF_GROUPS)
    test(`${language}: ${whose} pages @no-js`, async ({ page, context, server, logIn }) => {
      test.setTimeout(180_000);
      await context.addCookies([{ name: "lang", value: language, url: server.url }]);
      await logIn(account);
      const found: string[] = [];
      for (const path of pages(await staffPlacesOf(server))) {
        await openStyled(page, path);
        await expect(page.locator("h1").first(), path).toBeVisible();
        for (const fault of await faultsOfLayout(page, language)) found.push(`${path}  ${fault}`);
      }
      expect(found).toEqual([]);
    });

/** The narrowest screen of WCAG 2.2 (1.4.10). */
for (const { whose, account, pages, beside } of PAGE_GROUPS)
  test(`${LONGEST} at 320 px: ${whose} pages @no-js`, async ({ page, context, server, logIn, faults }) => {
    test.setTimeout(180_000);
    faults.allow(MISSING_PAGE);
    await page.setViewportSize({ width: 320, height: 640 });
    await context.addCookies([{ name: "lang", value: LONGEST, url: server.url }]);
    if (account) await logIn(DEMO[account]);
    const places = await placesOf(server);
    const found: string[] = [];
    for (const path of [...pages(places), ...(beside?.(places) ?? [])]) {
      if (path.startsWith("/dev/")) continue;
      await openStyled(page, path);
      await expect(page.locator("h1").first(), path).toBeVisible();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > 320) found.push(`${path}  scrolls sideways: ${wide} px`);
      // Seven days of a month side by side leave 39 px each. WCAG 2.5.8 requires 24.
      const ofLayout = (await faultsOfLayout(page, LONGEST)).filter((fault) => !/^target (2[4-9]|3\d|4\d)×/.test(fault));
      for (const fault of ofLayout) found.push(`${path}  ${fault}`);
    }
    expect(found).toEqual([]);
  });

test("text uses the fonts of the suite, on any machine", { tag: "@js" }, async ({ page, context, server }) => {
  const devtools = await context.newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const fontsOf = async (text: string, family = "") => {
    await page.goto(`${server.url}/robots.txt`);
    await page.setContent(`<p${family && ` style="font-family: ${family}"`}>${text}</p>`);
    const { root } = await devtools.send("DOM.getDocument");
    const { nodeId } = await devtools.send("DOM.querySelector", { nodeId: root.nodeId, selector: "p" });
    const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
    return fonts.map(({ familyName }) => familyName).sort();
  };
  expect(await fontsOf("Doctors near you, ₹500")).toEqual(["Roboto"]);
  expect(await fontsOf("మీ దగ్గర డాక్టర్లు")).toContain("Noto Sans Telugu");
  expect(await fontsOf("आपके पास डॉक्टर")).toContain("Noto Sans Devanagari");
  for (const family of ["DejaVu Sans", "Arial", "monospace", "serif"]) expect(await fontsOf("Doctors", family), family).toEqual(["Roboto"]);
});

for (const [role, home] of [
  ["reviewer", "/reviewer"],
  ["admin", "/admin"],
] as const)
  test(`te: ${role} reaches security and logout on the narrowest phone with double text size`, { tag: "@no-js" }, async ({
    page,
    context,
    server,
    logIn,
  }) => {
    await page.setViewportSize({ width: 320, height: 740 });
    await context.addCookies([{ name: "lang", value: LONGEST, url: server.url }]);
    await logIn(DEMO[role]);
    const found: string[] = [];
    const check = async () => {
      for (const fault of [...(await faultsOfLayout(page, LONGEST)), ...(await faultsOfLargeText(page, LONGEST))])
        found.push(`${page.url()}  ${fault}`);
    };
    await page.goto(home);
    await check();
    await page.locator('.top a[href="/account/security"]').click();
    await page.waitForURL("**/account/security");
    await check();
    await page.locator('main a[href="/logout"]').click();
    await page.waitForURL("**/logout");
    expect(found).toEqual([]);
  });
