import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Runs axe in one page and reports violations only, in 0.6 of the time. By default axe merges its results in a second page, to
 * support cross-origin frames, which our CSP forbids (app/server/headers.ts).
 */
export function axeOn(page: Page): AxeBuilder {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  });
  const analyze = axe.analyze.bind(axe);
  axe.analyze = async () => {
    // A toast that appears from now on is there at once: half faded in it has no contrast.
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(endOfFades);
    return analyze();
  };
  return axe;
}

/** In the page: waits until no animation of up to a second is under way. */
async function endOfFades(): Promise<void> {
  await new Promise((painted) => requestAnimationFrame(painted));
  const fades = document.getAnimations().filter(({ effect, playState }) => {
    // With its delay: a button that can be pressed after thirty seconds is no fade.
    const { progress, endTime = 0 } = effect?.getComputedTiming() ?? {};
    return playState === "running" && typeof progress === "number" && Number(endTime) <= 1_000;
  });
  await Promise.all(fades.map(({ finished }) => finished.catch(() => undefined)));
}

export const NARROW = { width: 320, height: 640 };
export const PHONE = { width: 390, height: 844 };
export const WIDE = { width: 1280, height: 800 };
type Size = { width: number; height: number };

/** Expects that axe finds nothing on the page. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const { violations } = await axeOn(page).analyze();
  const found = violations.map(({ id, nodes }) => {
    const of = nodes.map(({ target, failureSummary }) => `${target.join(" ")} (${failureSummary?.split("\n")[1]?.trim()})`);
    return `${id}: ${of.join("; ")}`;
  });
  expect(found, where).toEqual([]);
}

/**
 * Measures an open page at several sizes without loading it again: it does not scroll sideways. Runs axe at the sizes in `axe`.
 */
export async function expectFits(page: Page, where: string, sizes: readonly Size[], axe: readonly Size[] = sizes): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    const width = () => page.evaluate(() => document.documentElement.clientWidth);
    await expect.poll(width, { message: `${where}: width of the layout`, intervals: [10, 20, 50, 100] }).toBe(size.width);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, `${where} at ${size.width}: scrolls sideways`).toBeLessThanOrEqual(0);
    if (axe.includes(size)) await expectAccessible(page, `${where} at ${size.width}`);
  }
}
