/** Every page on a small phone in each language: it holds, and it speaks that language alone. Boxes are measured (setup/layout.ts), not pixels. */
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { expect, test } from "../setup/browser.ts";
import { DESK_GROUPS, deskOf } from "../setup/desk-pages.ts";
import { faultsOfLargeLetters, faultsOfLayout } from "../setup/layout.ts";
import { PAGE_GROUPS, placesOf } from "../setup/pages.ts";
import { DEMO } from "../setup/people.ts";

/** Has the longest words: what holds in it with large letters holds in the others. */
const LONGEST: Language = "te";

test.use({ viewport: { width: 360, height: 740 } });

for (const language of LANGUAGES)
  for (const { whose, account, pages, beside } of PAGE_GROUPS)
    test(`${language}: ${whose} pages @no-js`, async ({ page, context, server, logIn, faults }) => {
      test.setTimeout(180_000);
      await context.addCookies([{ name: "lang", value: language, url: server.url }]);
      if (account) await logIn(DEMO[account]);
      const places = await placesOf(server);
      const found: string[] = [];
      for (const path of [...pages(places), ...(beside?.(places) ?? [])]) {
        // For us, in English.
        if (path.startsWith("/dev/")) continue;
        await page.goto(path, { waitUntil: "domcontentloaded" });
        await expect(page.locator("h1").first(), path).toBeVisible();
        const large = language === LONGEST && account !== "doctor" ? await faultsOfLargeLetters(page, language) : [];
        for (const fault of [...(await faultsOfLayout(page, language)), ...large]) found.push(`${path}  ${fault}`);
      }
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    });

for (const language of LANGUAGES)
  for (const { whose, account, pages } of DESK_GROUPS)
    test(`${language}: ${whose} pages @no-js`, async ({ page, context, server, logIn, faults }) => {
      test.setTimeout(180_000);
      await context.addCookies([{ name: "lang", value: language, url: server.url }]);
      await logIn(account);
      const found: string[] = [];
      for (const path of pages(await deskOf(server))) {
        await page.goto(path, { waitUntil: "domcontentloaded" });
        await expect(page.locator("h1").first(), path).toBeVisible();
        for (const fault of await faultsOfLayout(page, language)) found.push(`${path}  ${fault}`);
      }
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    });
