import type { Page } from "@playwright/test";

/** Opens the nth free day of a booking calendar, counted from the first month it shows; at the end of a month it is in the next one. */
export async function openFreeDay(page: Page, nth: number): Promise<void> {
  const days = page.locator("table.cal a");
  await days.first().waitFor();
  const count = await days.count();
  if (nth < count) return days.nth(nth).click();
  await page.locator('main a[href*="month="]').last().click();
  await page.waitForURL(/month=/);
  await days.nth(nth - count).click();
}
