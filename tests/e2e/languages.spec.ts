/**
 * Layout and language of every page on small phones, in the language with the longest words. Boxes are measured
 * (tests/setup/layout.ts), not pixels. English: large-text.spec.ts. Words of another language, in every language: every-page.test.ts.
 * `PROVE=1` measures all languages; `npm run prove -- matrix` measures all widths too.
 */
import type { Page } from "@playwright/test";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { expect, test } from "../setup/browser.ts";
import { faultsOfLargeText, faultsOfLayout } from "../setup/layout.ts";
import { keepSplash, MISSING_PAGE, PAGE_GROUPS, placesOf } from "../setup/pages.ts";
import { DEMO } from "../setup/people.ts";
import { STAFF_GROUPS, staffPlacesOf } from "../setup/staff-pages.ts";
import { swept } from "../setup/swept.ts";

/** A layout that fits its words, also with double text size, fits those of the other languages. */
const LONGEST: Language = "te";
const MEASURED = process.env.PROVE ? LANGUAGES : [LONGEST];

test.use({ viewport: { width: 360, height: 740 } });

/** Opens a page and waits for its stylesheets, not for its images. */
async function openStyled(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "domcontentloaded" });
  const isStyled = () => [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null);
  await expect.poll(() => page.evaluate(isStyled), path).toBe(true);
  await expect(page.locator("h1").first(), path).toBeVisible();
}
async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await expect.poll(() => page.evaluate(() => document.documentElement.clientWidth)).toBe(width);
}
/** The errors on the narrowest screen of WCAG 2.2 (1.4.10), with the page's own width. */
async function faultsAt320(page: Page, language: Language): Promise<string[]> {
  await resize(page, 320, 640);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  const ofLayout = await faultsOfLayout(page, language);
  await resize(page, 360, 740);
  return [...(wide > 320 ? [`scrolls sideways: ${wide} px`] : []), ...ofLayout].map((fault) => `at 320 px: ${fault}`);
}

for (const language of MEASURED)
  for (const { whose, account, pages, beside } of PAGE_GROUPS)
    test(`${language}: ${whose} pages @no-js`, async ({ page, context, server, logIn, faults }) => {
      faults.allow(MISSING_PAGE);
      if (!account) await keepSplash(context);
      await context.addCookies([{ name: "lang", value: language, url: server.url }]);
      if (account) await logIn(DEMO[account]);
      const places = await placesOf(server);
      const found: string[] = [];
      for (const path of swept([...pages(places), ...(beside?.(places) ?? [])])) {
        // For developers, in English.
        if (path.startsWith("/dev/")) continue;
        await openStyled(page, path);
        const here = await faultsOfLayout(page, language);
        if (language === LONGEST) {
          if (account !== "doctor") here.push(...(await faultsOfLargeText(page, language)));
          here.push(...(await faultsAt320(page, language)));
        }
        for (const fault of here) found.push(`${path}  ${fault}`);
      }
      expect(found).toEqual([]);
    });

for (const language of MEASURED)
  for (const { whose, account, pages } of STAFF_GROUPS)
    test(`${language}: ${whose} pages @no-js`, async ({ page, context, server, logIn }) => {
      await context.addCookies([{ name: "lang", value: language, url: server.url }]);
      await logIn(account);
      const found: string[] = [];
      for (const path of swept(pages(await staffPlacesOf(server)))) {
        await openStyled(page, path);
        for (const fault of await faultsOfLayout(page, language)) found.push(`${path}  ${fault}`);
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
