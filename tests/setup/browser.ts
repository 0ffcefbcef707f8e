/** Playwright's `test` with a server for each worker. `hasJs`: which of the two projects is running. */
import { test as base, type Page } from "@playwright/test";
import { DEMO_KEY, serverAddress, urlOf } from "./database.ts";
import { startPair } from "./pair.ts";
import { loginAs } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";

// Factories read the environment: test rows are encrypted with the key of the server.
process.env.ENCRYPTION_KEY = DEMO_KEY;
process.env.DEMO = "1";
process.env.TEST_DATABASE_URL ??= urlOf(serverAddress());
process.env.DATABASE_URL ??= process.env.TEST_DATABASE_URL;

type PerTest = {
  hasJs: boolean;
  /** Logs this page's browser in without the login pages. */
  logIn: (user: { role: string; phone?: string; email?: string }) => Promise<{ userId: string }>;
  /** Errors of the page so far: console errors, exceptions, failed requests. Expect none at the end. */
  faults: string[];
};
type PerWorker = {
  server: TestServer;
  /** `test.use({ processes: 2 })` for a whole file: two server processes behind a round-robin proxy. */
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
    use(async (user) => {
      const { userId, token } = await loginAs(server, user);
      await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
      return { userId };
    }),
  faults: [
    async ({ page, server }, use) => {
      const faults: string[] = [];
      watch(page, server.url, faults);
      await use(faults);
      // The next test of this worker has the same server.
      server.clock.set(0);
    },
    { auto: true },
  ],
});
function watch(page: Page, url: string, faults: string[]) {
  page.on("console", (message) => {
    // Chromium reports a 4xx response to a form as an error, but it is not one of the page.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  // Some CSP violations are not reported on the console.
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
