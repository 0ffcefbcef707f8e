import { existsSync } from "node:fs";

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
// @sparticuz/chromium's own list holds --disable-web-security and --single-process, which would hide real faults.
// A closed network refuses Chromium's background connections by the dozen.
const ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A Chromium to drive: PLAYWRIGHT_CHROMIUM, an installed one, the one inside the npm package, Playwright's own. */
export async function findBrowser(): Promise<{ executablePath?: string; args: string[] }> {
  const found = [process.env.PLAYWRIGHT_CHROMIUM, ...SYSTEM].find((path) => path && existsSync(path));
  if (found) return { executablePath: found, args: ARGS };
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    return { executablePath: await packed.executablePath(), args: ARGS };
  } catch {
    // Not Linux x64: Playwright says itself that `npx playwright install chromium` is wanted.
    return { args: ARGS };
  }
}
