import { defineConfig } from "@playwright/test";
import { isOfChange } from "./tests/setup/changed.ts";
import { findBrowser } from "./tests/setup/find-browser.ts";
import { GATE, longInBrowsers } from "./tests/setup/long.ts";

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

const left = GATE ? longInBrowsers(isOfChange) : [];

/** Each worker has its own server on its own database (tests/setup/browser.ts). */
export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  // Playwright empties it at each start: the reports of scripts/test.mjs are beside it.
  outputDir: "test-results/browser",
  // More than the two cores of CI: many tests wait for polls, timers and pauses of the network.
  workers: 4,
  fullyParallel: false,
  forbidOnly: true,
  reporter: "list",
  // They only end a test that hangs: a slow machine takes a minute for a test that takes ten seconds elsewhere.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  globalSetup: "./tests/setup/playwright-global.ts",
  // Compiled texts, 9 MB: Playwright would transform and read them again for each worker.
  build: { external: ["**/app/paraglide/**"] },
  use: {
    launchOptions: await findBrowser(),
    headless: true,
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    // It asks for pages of its own; tests/e2e/offline.spec.ts lets it in.
    serviceWorkers: "block",
    trace: "off",
    screenshot: "only-on-failure",
  },
  projects: [
    // Each test; one tagged @no-js has no scripts here either (tests/setup/browser.ts).
    { name: "js", use: phone, grepInvert: left },
    // Again without scripts: each test without a tag. The gate repeats those that name both tags (BOTH_WAYS).
    ...(GATE ? [] : [{ name: "no-js", use: { ...phone, javaScriptEnabled: false }, grepInvert: [/@js/, /@no-js/] }]),
  ],
});
