/** Playwright's `test` with a server for each worker. A test fails at its end if one of its pages had a fault. */
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { type Gateway, startGateway } from "../../scripts/gateway/gateway.ts";
import { gemini3 } from "../mocks/gemini.ts";
import { httpStub } from "../mocks/http-stub.ts";
import { DEMO_KEY, serverAddress, urlOf } from "./database.ts";
import { Faults } from "./faults.ts";
import { GATEWAY_KEYS, gatewayEnv } from "./gateway.ts";
import { GATE } from "./long.ts";
import { startPair } from "./pair.ts";
import { loginAs } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";

// Factories read the environment: test rows are encrypted with the key of the server.
process.env.ENCRYPTION_KEY = DEMO_KEY;
process.env.DEMO = "1";
process.env.TEST_DATABASE_URL ??= urlOf(serverAddress());
process.env.DATABASE_URL ??= process.env.TEST_DATABASE_URL;

type PerTest = {
  /** True if the pages of this test have scripts. */
  hasJs: boolean;
  /** Logs this page's browser in without the login pages. */
  logIn: (user: { role: string; phone?: string; email?: string }) => Promise<{ userId: string }>;
  /** Opens another browser with its own cookies. Closed at the end of the test. */
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Faults of all pages. `faults.allow(/…/)` names those that the test causes on purpose. */
  faults: Faults;
};
type PerWorker = {
  server: TestServer;
  /** `test.use({ processes: 2 })` for a whole file: two server processes behind a round-robin proxy. */
  processes: 1 | 2;
  /** `test.use({ model: true })` for a whole file: a stub of Gemini answers the assistant. It hears the types of its list only. */
  model: boolean;
  /** `test.use({ payments: true })` for a whole file: patients pay online at the test gateway. */
  payments: boolean;
  gateway: Gateway | null;
};

export const test = base.extend<PerTest, PerWorker>({
  processes: [1, { scope: "worker", option: true }],
  model: [false, { scope: "worker", option: true }],
  payments: [false, { scope: "worker", option: true }],
  gateway: [
    async ({ payments }, use) => {
      const gateway = payments ? await startGateway({ ...GATEWAY_KEYS, webhookUrl: null }) : null;
      await use(gateway);
      await gateway?.[Symbol.asyncDispose]();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ processes, model, gateway }, use) => {
      const answer = gemini3([[{ text: "HEARD: what helps against a cold\n" }], [{ text: "Rest and drink water." }]]);
      const stub = model ? await httpStub(answer) : null;
      const env = {
        ...(stub && { GEMINI_API_KEY: "test-key-of-gemini", GEMINI_BASE_URL: stub.url }),
        ...(gateway && gatewayEnv(gateway)),
      };
      const server = await (processes === 2 ? startPair() : startServer({ env }));
      gateway?.sendTo(`${server.url}/webhooks/local`);
      await use(server);
      await server.stop();
      await stub?.[Symbol.asyncDispose]();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  // A project of its own would start workers and servers again.
  javaScriptEnabled: async ({ javaScriptEnabled }, use, { tags }) => use(javaScriptEnabled && !tags.includes("@no-js")),
  hasJs: async ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),
  logIn: async ({ context, server }, use) =>
    use(async (user) => {
      const { userId, token } = await loginAs(server, user);
      await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
      return { userId };
    }),
  newContext: async ({ browser, hasJs, server, faults }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ javaScriptEnabled: hasJs, baseURL: server.url, ...options });
      faults.watch(context);
      opened.push(context);
      return context;
    });
    for (const context of opened) await context.close();
  },
  faults: [
    async ({ context, page, server }, use, { errors }) => {
      const faults = new Faults();
      faults.watch(context);
      await faults.watchPolicy(page);
      await use(faults);
      // The next test of this worker has the same server.
      server.clock.set(0);
      if (errors.length) return;
      // One round trip more, for events that are under way.
      await page.title().catch(() => undefined);
      expect(faults.unexpected, "faults of pages").toEqual([]);
    },
    { auto: true },
  ],
});

/** For a journey that `npm test` repeats without scripts. Others without a tag are repeated in `npm run test:all`. */
export const BOTH_WAYS = ["@js", "@no-js"];

/** Two processes, whose pages answer in turn. In `npm test` the one that runs already: for other options a worker and a server start. */
export const inTwoProcesses = () => {
  if (!GATE) test.use({ processes: 2 });
};

/** Waits until React runs the page and has nothing to do: before, a press loads a whole document. */
export async function hydrated(page: Page): Promise<void> {
  // React's own record of the document: no longer dehydrated once its first commit is done.
  const isRunning = () => {
    const key = Object.keys(document).find((name) => name.startsWith("__reactContainer$"));
    const container =
      key && (document as unknown as Record<string, { stateNode?: { current?: { memoizedState?: { isDehydrated?: boolean } } } }>)[key];
    return container ? container.stateNode?.current?.memoizedState?.isDehydrated === false : false;
  };
  await page.waitForLoadState("load");
  await expect.poll(() => page.evaluate(isRunning), { intervals: [20, 50, 100] }).toBe(true);
  // Effects run after the page is painted.
  await page.evaluate(() => new Promise<void>((ok) => requestAnimationFrame(() => requestIdleCallback(() => ok(), { timeout: 2_000 }))));
}

/**
 * Waits until React runs the page, then delays its data requests to this path until the returned function is called. Before, a press would load a
 * document.
 */
export async function pauseData(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((ok) => {
    release = ok;
  });
  await page.route(`**${path}.data**`, async (route) => {
    await released;
    await route.continue();
  });
  await hydrated(page);
  return release;
}

export { expect } from "@playwright/test";
