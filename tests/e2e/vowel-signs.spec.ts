/** Telugu and Hindi: the pixels of the text of each page are the same where no box clips, also with text at twice its size. */

import { expect, test } from "../setup/browser.ts";
import { addSheet, cutTexts } from "../setup/cut-text.ts";
import { withLargeText } from "../setup/large-text.ts";
import { keepSplash, MISSING_PAGE, PAGE_GROUPS, placesOf } from "../setup/pages.ts";
import { DEMO } from "../setup/people.ts";
import { swept } from "../setup/swept.ts";

test.use({ viewport: { width: 390, height: 844 } });

test("finds a vowel sign that its box cuts @no-js", async ({ page, context, server }) => {
  await context.addCookies([{ name: "lang", value: "te", url: server.url }]);
  await page.goto("/dual-patient");
  expect(await cutTexts(page)).toEqual([]);
  await page.evaluate(addSheet, "h1 { overflow: hidden !important; line-height: 0.9 !important }");
  expect(await cutTexts(page)).toEqual([expect.stringMatching(/^cut: \d+ pixels of h1/)]);
});

for (const language of ["te", "hi"] as const)
  for (const { whose, account, pages, beside } of PAGE_GROUPS.filter((group) => group.account !== "doctor"))
    test(`${language}: no vowel sign is cut on ${whose} pages @no-js`, async ({ page, context, server, logIn, faults }) => {
      test.setTimeout(600_000);
      faults.allow(MISSING_PAGE);
      if (!account) await keepSplash(context);
      await context.addCookies([{ name: "lang", value: language, url: server.url }]);
      if (account) await logIn(DEMO[account]);
      const places = await placesOf(server);
      const found: string[] = [];
      for (const path of swept([...pages(places), ...(beside?.(places) ?? [])])) {
        if (path.startsWith("/dev/")) continue;
        await page.goto(path);
        await expect(page.locator("h1").first(), path).toBeVisible();
        const add = (size: string, cut: string[]) => found.push(...cut.map((fault) => `${path} ${size}: ${fault}`));
        add("as it is", await cutTexts(page));
        // A font size on the root: a screenshot of the whole page takes that of the browser back.
        add("twice as large", await withLargeText(page, "root", 200, () => cutTexts(page)));
      }
      expect(found).toEqual([]);
    });
