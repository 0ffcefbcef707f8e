/** axe, as the specs ask it: WCAG 2.2 A and AA, and its best-practice rules. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * Reads a page in one go and keeps only what is wrong: 0.6 of the time. Otherwise axe gathers what passed too and sorts its
 * findings in a second page, for the sake of frames from elsewhere; our policy lets none in (app/server/headers.ts).
 */
export const axeOn = (page: Page) =>
  new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  });
