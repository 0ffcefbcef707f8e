/** The stylesheets that a page loads, and the classes that it uses. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ASSETS = "build/client/assets";
/** Returns the classes that a sheet of the build has rules for. */
function classesOf(sheet: string): Set<string> {
  const file = readdirSync(ASSETS).find((file) => file.startsWith(`${sheet}-`) && file.endsWith(".css"))!;
  const selectors = readFileSync(join(ASSETS, file), "utf8").replace(/\{[^{}]*\}/g, "{}");
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name!));
}
const COMMON = ["app", "staff"];
const ADDED = ["form", "more", "fill", "case", "table", "agenda", "talk", "api"];
const classes = Object.fromEntries([...COMMON, ...ADDED].map((sheet) => [sheet, classesOf(sheet)]));

/** Returns the classes of a page of staff that none of its sheets has, with the sheets that have it. */
export function missingSheets(html: string): string[] {
  const loaded = [...html.matchAll(/ id="css-(\w+)"/g)].map(([, name]) => name!);
  const used = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => names!.split(/\s+/)));
  return [...used].flatMap((name) => {
    const sheets = ADDED.filter((sheet) => classes[sheet]!.has(name));
    const missing = sheets.length > 0 && ![...COMMON, ...loaded].some((sheet) => classes[sheet]?.has(name));
    return missing ? [`.${name} is in ${sheets.join(", ")}`] : [];
  });
}
