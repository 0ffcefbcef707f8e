import { createRequire } from "node:module";
import { configDefaults, defineConfig } from "vitest/config";
import { isOfChange } from "./tests/setup/changed.ts";
import { GATE, LONG } from "./tests/setup/long.ts";

const { resolve } = createRequire(import.meta.url);
/** The same code as CommonJS: of its ES modules each makes Node read its package.json again, 1 s in each test file (docs/decisions/001). */
const drizzleAtOnce = {
  name: "nadi-drizzle-at-once",
  enforce: "pre" as const,
  resolveId: (id: string) => (/^drizzle-orm(\/|$)/.test(id) ? resolve(id) : null),
};

/** Unit tests that replace a module for every file of their worker. */
const MOCKS = ["app/messages/at-load.test.ts", "app/server/answer.test.ts"];
/** For modules that read the settings while they load; a real connection would fail at once. */
const env = { DEMO: "1", DATABASE_URL: "postgres://nobody@nowhere.invalid/none" };

const shared = {
  pool: "forks" as const,
  exclude: [...configDefaults.exclude, "build/**"],
  // Compiled texts, 9 MB: Node loads them as they are, faster than after a transformation.
  server: { deps: { external: [/\/app\/paraglide\//] } },
};

export default defineConfig({
  test: {
    projects: [
      // Pure: no database, no network.
      {
        plugins: [drizzleAtOnce],
        test: {
          ...shared,
          name: "unit",
          // The longest takes 2 s alone, and more on a busy machine.
          testTimeout: 20_000,
          include: ["app/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
          exclude: [...shared.exclude, "app/**/*.db.test.ts", ...MOCKS],
          // Modules are loaded once for each worker, not for each file: half of its processor time.
          isolate: false,
          env,
        },
      },
      { plugins: [drizzleAtOnce], test: { ...shared, name: "unit-mocks", include: MOCKS, env } },
      // On real PostgreSQL; each file has its own copy of the database, and may start the real server.
      {
        plugins: [drizzleAtOnce],
        test: {
          ...shared,
          name: "db",
          include: ["{app,demo}/**/*.db.test.ts", "tests/**/*.test.ts"],
          exclude: [...shared.exclude, ...Object.keys(LONG).filter((file) => GATE && LONG[file] === null && !isOfChange(file))],
          globalSetup: ["tests/setup/global.ts"],
          setupFiles: ["tests/setup/worker.ts"],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Vitest's own second is too short for a busy machine.
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
    // More than the two cores of CI: many tests of the database wait for timeouts, not for the processor.
    maxWorkers: 4,
  },
});
