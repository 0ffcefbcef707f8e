/** Stylesheets of the build: inlined at a first visit, linked later, when the browser has them in its cache. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "#app/runtime/env.server.ts";
import { ADDED_HREFS, ADDED_SHEETS, type AddedSheet, type Sheet, type SheetName } from "#app/ui/document.tsx";
import appHref from "../app.css?url";

const NAMES: readonly SheetName[] = ["app", ...ADDED_SHEETS];
type Built = {
  href: string;
  text: string | null /** Short name of this version, for the cookie. */;
  version: string /** For the CSP. */;
  hash: string | null;
};

function built(href: string): Built {
  // In development Vite serves the file.
  if (import.meta.env.DEV) return { href, text: null, version: "dev", hash: null };
  // The licence line is in the file only, to save bytes in each page.
  const text = readFileSync(join("build/client", href), "utf8")
    .replace(/^\/\*!.*?\*\//s, "")
    .trim();
  const sha = createHash("sha256").update(text).digest("base64");
  return { href, text, version: createHash("sha256").update(text).digest("hex").slice(0, 8), hash: `'sha256-${sha}'` };
}
const sheets = Object.fromEntries(Object.entries({ app: appHref, ...ADDED_HREFS }).map(([name, href]) => [name, built(href)])) as Record<
  SheetName,
  Built
>;

const COOKIE = /(?:^|;\s*)css=([\w.]+)/;
const YEAR = 31_536_000;
/** Reads the versions in the browser's cache from its Cookie header. */
const cachedVersions = (cookie: string | null | undefined) => (cookie ? (COOKIE.exec(cookie)?.[1]?.split(".") ?? []) : []);

/** Returns a cache key of the sheets in the browser's cache: pages differ by these only. */
export function cachedSheets(cookie: string | null | undefined): string {
  const versions = cachedVersions(cookie);
  return NAMES.map((name) => (versions.includes(sheets[name].version) ? "1" : "0")).join("");
}

/**
 * Returns the sheets inlined or linked for this browser, CSP hashes of those that this page inlines, and a cookie with the versions it has
 * afterwards (null: unchanged). Without the hashes of other sheets each page is 700 bytes smaller.
 */
export function sheetsFor(
  cookie: string | null | undefined,
  added: readonly AddedSheet[],
): { sheets: Record<SheetName, Sheet>; hashes: readonly string[]; cookie: string | null } {
  const versions = cachedVersions(cookie);
  const isCached = (name: SheetName) => sheets[name].text === null || versions.includes(sheets[name].version);
  const give = (name: SheetName): Sheet => ({ href: sheets[name].href, inline: isCached(name) ? null : sheets[name].text });
  const used = (name: SheetName) => name === "app" || added.includes(name);
  const hashes = NAMES.filter((name) => used(name) && !isCached(name)).flatMap((name) => sheets[name].hash ?? []);
  const after = NAMES.filter((name) => isCached(name) || used(name));
  const secure = env().appUrl.protocol === "https:" ? "; Secure" : "";
  const news = NAMES.some((name) => used(name) && !isCached(name));
  // Not personal: which public files are in the browser's cache.
  const note = news
    ? `css=${after.map((name) => sheets[name].version).join(".")}; Path=/; Max-Age=${YEAR}; HttpOnly; SameSite=Lax${secure}`
    : null;
  const given = Object.fromEntries(NAMES.map((name) => [name, give(name)])) as Record<SheetName, Sheet>;
  return { sheets: given, hashes, cookie: note };
}
