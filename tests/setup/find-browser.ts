import { existsSync } from "node:fs";
import { writeFontConfig } from "./fonts.ts";

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
// The list of @sparticuz/chromium contains --disable-web-security and --single-process, which would hide errors.
// Without a network Chromium's background connections would fail again and again.
const ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

type Launch = { executablePath?: string; args: string[]; env: Record<string, string> };

/**
 * Returns how to launch a Chromium: PLAYWRIGHT_CHROMIUM, an installed one, the one inside the npm package, or Playwright's own.
 * It finds the fonts of fonts.ts and no others.
 */
export async function findBrowser(): Promise<Launch> {
  const launch = { args: ARGS, env: { ...(process.env as Record<string, string>), FONTCONFIG_FILE: writeFontConfig() } };
  const found = [process.env.PLAYWRIGHT_CHROMIUM, ...SYSTEM].find((path) => path && existsSync(path));
  if (found) return { ...launch, executablePath: found };
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    return { ...launch, executablePath: await packed.executablePath() };
  } catch {
    // Not Linux x64: Playwright asks for `npx playwright install chromium`.
    return launch;
  }
}
