/** The classes that a page uses and its stylesheet lacks. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ASSETS = "build/client/assets";
/** Returns the classes that a sheet of the build has rules for. */
function classesOf(sheet: string): Set<string> {
  const file = readdirSync(ASSETS).find((file) => file.startsWith(`${sheet}-`) && file.endsWith(".css"))!;
  const selectors = readFileSync(join(ASSETS, file), "utf8").replace(/\{[^{}]*\}/g, "{}");
  return new Set([...selectors.matchAll(/\.((?:[\w-]|\\.)+)/g)].map(([, name]) => name!.replaceAll("\\", "")));
}
const sheets = Object.fromEntries(["visitors", "patients", "staff"].map((sheet) => [sheet, classesOf(sheet)]));

/** Of shared components, for closer lines on pages of staff only. */
const OF_STAFF = new Set(["tight", "when", "big"]);

/** Returns the classes of a page that its sheet has no rule for, and another has. */
export function missingClasses(html: string): string[] {
  const own = sheets[/ id="css" data-of="(\w+)"/.exec(html)?.[1] ?? ""];
  if (!own) return ["no sheet"];
  const used = new Set(
    [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => names!.replaceAll("&gt;", ">").replaceAll("&amp;", "&").split(/\s+/)),
  );
  return [...used].filter((name) => !own.has(name) && !OF_STAFF.has(name) && Object.values(sheets).some((sheet) => sheet.has(name)));
}
