import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * Runs axe in one page and reports violations only, in 0.6 of the time. By default axe merges its results in a second page, to
 * support cross-origin frames, which our CSP forbids (app/server/headers.ts).
 */
export const axeOn = (page: Page) =>
  new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  });
