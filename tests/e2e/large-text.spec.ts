/** Every page in English: its layout at 360 px, then with text enlarged by the browser's setting, by a font size on the root, and text alone. */
import { newPhone } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { ENLARGEMENTS, faultsOfEnlarged, withLargeText } from "../setup/large-text.ts";
import { faultsOfLayout, splitWords } from "../setup/layout.ts";
import { keepSplash, PAGE_GROUPS, placesOf } from "../setup/pages.ts";
import { DEMO } from "../setup/people.ts";
import { swept } from "../setup/swept.ts";

/** One width for each way; `PROVE=1` measures the whole matrix. */
const MATRIX = process.env.PROVE
  ? ENLARGEMENTS.flatMap((by) => [320, 390].flatMap((width) => [125, 150, 200].map((percent) => ({ by, width, percent }))))
  : [
      { by: "browser" as const, width: 320, percent: 200 },
      { by: "root" as const, width: 390, percent: 200 },
      { by: "text" as const, width: 390, percent: 200 },
      { by: "root" as const, width: 320, percent: 150 },
    ];

for (const { whose, account, pages, beside } of PAGE_GROUPS)
  test(`en: ${whose} pages, also with large text @no-js`, async ({ page, context, server, logIn, faults }) => {
    test.setTimeout(600_000);
    // Pages of missing things are measured too.
    faults.allow(/^404 GET/);
    if (!account) await keepSplash(context);
    if (account) await logIn(DEMO[account]);
    const places = await placesOf(server);
    const found: string[] = [];
    for (const path of swept([...pages(places), ...(beside?.(places) ?? [])])) {
      if (path.startsWith("/dev/")) continue;
      await page.goto(path);
      await expect(page.locator("h1").first(), path).toBeVisible();
      await page.setViewportSize({ width: 360, height: 740 });
      const split = await page.evaluate(splitWords, "h1, h2, header p, .city");
      for (const fault of [...(await faultsOfLayout(page, "en")), ...split]) found.push(`${path}  ${fault}`);
      // Doctors' pages are measured in their own size.
      for (const { by, width, percent } of account === "doctor" ? [] : MATRIX) {
        await page.setViewportSize({ width, height: 844 });
        const here = await withLargeText(page, by, percent, () => faultsOfEnlarged(page, "en"));
        for (const fault of here) found.push(`${path}  ${by} ${percent} % at ${width}: ${fault}`);
      }
    }
    expect(found).toEqual([]);
  });

test("the last box of a code is whole in large text @no-js", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/dual-patient");
  await page.getByLabel("Mobile number").fill(newPhone().slice(3));
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByLabel("Code from the SMS")).toBeVisible();
  for (const by of ENLARGEMENTS) {
    const left = await withLargeText(page, by, 200, () =>
      page.locator(".otp").evaluate((boxes) => {
        const before = getComputedStyle(boxes, "::before");
        const step = Number.parseFloat(before.maskSize || before.webkitMaskSize);
        // The picture of a box is 10 px narrower than its step, and begins at its left edge.
        return boxes.getBoundingClientRect().width - (6 * step - 10);
      }),
    );
    expect(left, by).toBeGreaterThanOrEqual(0);
  }
});

test("Contact Support hides while the dashboard is scrolled down @js", async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient-dashboard");
  const support = page.getByRole("link", { name: "Contact Support" });
  await expect(support).toBeVisible();
  const scrollBy = (by: number) => page.evaluate((y) => window.scrollBy(0, y), by);
  await expect(async () => {
    await scrollBy(40);
    await expect(support).toBeHidden({ timeout: 200 });
  }).toPass();
  await scrollBy(-60);
  await expect(support).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(support).toBeVisible();
  // The page has room for it there: it moves aside for no link.
  expect(await support.evaluate((element) => element.style.translate)).toBe("");
});

test("the focus outline of a card is around the card, not over the lines of its name @no-js", async ({ page }) => {
  await page.goto("/doctorspages/Cards-data");
  const link = page.locator(".card .go").first();
  await page.keyboard.press("Tab");
  await link.focus();
  const outlines = await link.evaluate((element) => ({
    own: [getComputedStyle(element).outlineStyle, getComputedStyle(element).boxShadow],
    card: getComputedStyle(element, "::after").outlineStyle,
    // The pseudo-element covers the whole card.
    inset: getComputedStyle(element, "::after").inset,
  }));
  expect(outlines).toEqual({ own: ["none", "none"], card: "solid", inset: "0px" });
});
