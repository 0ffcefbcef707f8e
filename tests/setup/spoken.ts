/** Whether a page speaks one language alone, and what is typed in its letters. */
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Language } from "#app/lib/language.ts";

const ZERO: Record<Language, number> = { en: 0x30, te: 0xc66, hi: 0x966 };
/** "46" as "౪౬" or "४६". */
export const digitsOf = (language: Language, plain: string) =>
  plain.replace(/\d/g, (digit) => String.fromCharCode(ZERO[language] + Number(digit)));

const catalogue = (language: Language): Record<string, unknown> =>
  Object.assign(
    {},
    ...readdirSync(`app/messages/${language}`).map((file) => JSON.parse(readFileSync(`app/messages/${language}/${file}`, "utf8"))),
  );
const english = catalogue("en");

/** Every English sentence that `language` says otherwise, as it may stand on a page. Too little fixed text would be found anywhere. */
function englishBeside(language: Language): RegExp {
  const own = catalogue(language);
  const shapes = Object.entries(english).flatMap(([key, said]) => {
    if (typeof said !== "string" || own[key] === said || !/[a-z]{3}/.test(said.replace(/\{[^}]*\}/g, ""))) return [];
    return [said.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]*\}/g, ".+")];
  });
  return new RegExp(`^(?:${shapes.join("|")})$`, "s");
}
const known = new Map<Language, RegExp>();

/** What the page says in English to somebody who reads `language`: its texts, titles, labels and placeholders. */
export async function englishOn(page: Page, language: Language): Promise<string[]> {
  const said = await page.evaluate((language) => {
    const found = [document.title, document.title.split(" · ")[0] ?? ""];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element || element.closest("script, style, template, symbol")) continue;
      if (element.closest("[lang]")?.getAttribute("lang") !== language) continue;
      if (node === element) for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(element.getAttribute(name) ?? "");
      else found.push(node.textContent ?? "");
    }
    return [...new Set(found.map((text) => text.replace(/\s+/g, " ").trim()))];
  }, language as string);
  const shape = known.get(language) ?? englishBeside(language);
  known.set(language, shape);
  // The logo keeps its letters (docs/glossary.md).
  return said.filter((text) => text && text !== "Nadi" && shape.test(text));
}
