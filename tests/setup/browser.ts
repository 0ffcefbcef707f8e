/** Playwright's `test` with a server per worker. `hasJs` tells which of the two projects runs. */
import { test as base, type Page } from "@playwright/test";
import { DEMO_KEY, serverAddress, urlOf } from "./database.ts";
import { startPair } from "./pair.ts";
import { loginAs } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";

// Factories read the environment: rows that a test makes are sealed with the key of the server that reads them.
process.env.ENCRYPTION_KEY = DEMO_KEY;
process.env.DEMO = "1";
process.env.TEST_DATABASE_URL ??= urlOf(serverAddress());
process.env.DATABASE_URL ??= process.env.TEST_DATABASE_URL;

type PerTest = {
  hasJs: boolean;
  /** Logs this page's browser in without walking through the login. */
  logIn: (who: { role: string; phone?: string; email?: string }) => Promise<{ userId: string }>;
  /** Faults of the page seen so far: console errors, exceptions, refused requests of ours. Ask for none at the end. */
  faults: string[];
};
type PerWorker = {
  server: TestServer;
  /** `test.use({ processes: 2 })` for a whole file: two server processes behind a proxy that asks them in turn. */
  processes: 1 | 2;
};

export const test = base.extend<PerTest, PerWorker>({
  processes: [1, { scope: "worker", option: true }],
  server: [
    async ({ processes }, use) => {
      const server = await (processes === 2 ? startPair() : startServer());
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  hasJs: async ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),
  logIn: async ({ context, server }, use) =>
    use(async (who) => {
      const { userId, token } = await loginAs(server, who);
      await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
      return { userId };
    }),
  faults: [
    async ({ page, server }, use) => {
      const faults: string[] = [];
      watch(page, server.url, faults);
      await use(faults);
    },
    { auto: true },
  ],
});
function watch(page: Page, url: string, faults: string[]) {
  page.on("console", (message) => {
    // A 4xx answer to a form is no fault of the page, and Chromium reports it as an error.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  // The policy refuses some things without an error on the console.
  void page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
      console.error(`policy violation: ${effectiveDirective} ${blockedURI} in ${sourceFile}`),
    ),
  );
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("response", (response) => {
    if (response.url().startsWith(url) && response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
  });
}

export { expect } from "@playwright/test";
