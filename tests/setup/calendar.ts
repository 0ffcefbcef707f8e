import type { Page } from "@playwright/test";
import { expect } from "./browser.ts";

/**
 * Opens the nth free day of a booking calendar, counted from the first month it shows; at the end of a month it is in the next one. Waits for
 * what the page shows: its address changes before.
 */
export async function openFreeDay(page: Page, nth: number): Promise<void> {
  const days = page.locator("table[data-calendar] a");
  const strip = page.locator("[data-strip]");
  await strip.waitFor();
  // "Show month" is the last cell of the days.
  if ((await days.count()) === 0) await strip.locator("a").last().click();
  await days.first().waitFor();
  const count = await days.count();
  const parameter = async (link: typeof days, name: string) =>
    new URL((await link.getAttribute("href"))!, page.url()).searchParams.get(name);
  if (nth >= count) {
    const next = page.locator('#month a[href*="month="]:not([href*="date="])').last();
    const month = await parameter(next, "month");
    await next.click();
    await days
      .and(page.locator(`[href*="date=${month}"]`))
      .first()
      .waitFor();
  }
  const day = days.nth(nth < count ? nth : nth - count);
  const date = await parameter(day, "date");
  await day.click();
  await expect(page.locator(`table[data-calendar] a[aria-current="date"][href*="date=${date}"]`)).toBeVisible();
}
