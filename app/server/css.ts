/** Stylesheets of the build: inlined at a first visit, linked later. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "#app/runtime/env.server.ts";
import { type Audience, SHEETS, type Sheet } from "#app/ui/document.tsx";

/** In development Vite serves the files. */
const textOf = (of: Audience) =>
  import.meta.env.DEV
    ? null
    : // The licence line is in the file only, to save bytes in each page.
      readFileSync(join("build/client", SHEETS[of]), "utf8")
        .replace(/^\/\*!.*?\*\//s, "")
        .trim();
const texts: Record<Audience, string | null> = { visitors: textOf("visitors"), patients: textOf("patients"), staff: textOf("staff") };
const sha256 = (text: string) => createHash("sha256").update(text);
/** Short name of these versions, for the cookie. */
const version = sha256(Object.values(SHEETS).join()).digest("hex").slice(0, 8);

const COOKIE = /(?:^|;\s*)css=(\w+)/;
const YEAR = 31_536_000;

/** True if the browser has the sheets of this build in its cache, by its Cookie header: each page requests the file of the next one. */
export const hasSheet = (cookie: string | null | undefined): boolean => (cookie ? COOKIE.exec(cookie)?.[1] === version : false);

/**
 * Returns the sheet for this browser, the CSP hash if it is inlined, and a cookie that says that the browser has it afterwards (null:
 * unchanged).
 * @param alone the page is stored for offline use: inlines its sheet
 */
export function sheetFor(
  of: Audience,
  { cookie, alone }: { cookie: string | null | undefined; alone: boolean },
): { sheet: Sheet; hashes: readonly string[]; cookie: string | null } {
  const text = texts[of];
  if (text === null || (!alone && hasSheet(cookie))) return { sheet: { of, href: SHEETS[of], inline: null }, hashes: [], cookie: null };
  const secure = env().appUrl.protocol === "https:" ? "; Secure" : "";
  return {
    sheet: { of, href: SHEETS[of], inline: text },
    hashes: [`'sha256-${sha256(text).digest("base64")}'`],
    // Not personal: which public file is in the browser's cache.
    cookie: alone ? null : `css=${version}; Path=/; Max-Age=${YEAR}; HttpOnly; SameSite=Lax${secure}`,
  };
}
