/** Enlarges text in the ways that media queries do not see, and finds what breaks. */
import type { Page } from "@playwright/test";
import type { Language } from "#app/lib/language.ts";
import { faultsOfLayout, splitWords } from "./layout.ts";

/**
 * "browser": the browser's own font size, which `rem` and media queries follow. "root": a font size on the root by the user's CSS,
 * which `rem` follows and media queries do not. "text": only the text grows, as with "Zoom text only" in Firefox.
 */
export const ENLARGEMENTS = ["browser", "root", "text"] as const;
export type Enlargement = (typeof ENLARGEMENTS)[number];

/** Enlarges the text of the page, runs `work`, and takes the enlargement back. */
export async function withLargeText<T>(page: Page, by: Enlargement, percent: number, work: () => Promise<T>): Promise<T> {
  if (by === "browser") {
    const devtools = await page.context().newCDPSession(page);
    const setFontSize = (standard: number) => devtools.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
    await setFontSize((16 * percent) / 100);
    const result = await work();
    await setFontSize(16);
    await devtools.detach();
    return result;
  }
  await page.evaluate(
    ([way, factor]) => {
      if (way === "root") {
        document.documentElement.style.fontSize = `${factor * 100}%`;
        return;
      }
      // Measures all sizes first: a changed parent changes its children.
      const sized = [...document.querySelectorAll<HTMLElement>("body, body *")].map((element) => ({
        element,
        size: Number.parseFloat(getComputedStyle(element).fontSize) * factor,
      }));
      for (const { element, size } of sized) element.style.setProperty("font-size", `${size}px`, "important");
    },
    [by, percent / 100] as const,
  );
  const result = await work();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "";
    for (const element of document.querySelectorAll<HTMLElement>("body, body *")) element.style.removeProperty("font-size");
  });
  return result;
}

/** A title, a button or a link of the bars whose words are broken inside, a bar that fills the screen, and all layout errors. */
export async function faultsOfEnlarged(page: Page, language: Language): Promise<string[]> {
  const faults = (await faultsOfLayout(page, language)).filter((fault) => !/^(cut in a field|target|English|too low)/.test(fault));
  const split = await page.evaluate(
    splitWords,
    "h1, h2, h3, header p, .city, [data-nav=bar], .btn, [data-tile], .chip, .badge, main a.card, [data-menu]",
  );
  // At twice its size a long name of a doctor or a hospital is wider than a phone, and so are long words of Telugu and Hindi.
  const isTooWide = language === "en" ? /^split: ".{10,}" in a\.go$/ : /^split: "(.{10,}" in a\.go|.{14,}" in .*)$/;
  const short = split.filter((fault) => !isTooWide.test(fault));
  const header = await page.evaluate(() => {
    const top = document.querySelector(".top");
    return top && /sticky|fixed/.test(getComputedStyle(top).position) ? top.getBoundingClientRect().height / innerHeight : 0;
  });
  return [...faults, ...short, ...(header > 1 / 3 ? [`the header fills ${Math.round(header * 100)} % of the screen`] : [])];
}
